#include "against_events.h"
#include "render.h"
#include <criterion/criterion.h>
#include <string.h>

static void expect_same(const struct sheet *fast, const struct sheet *slow, const char *file,
                        const char *text) {
    if (fast->length == slow->length &&
        (fast->length == 0 || memcmp(fast->text, slow->text, fast->length) == 0))
        return;
    size_t at = 0, line = 0;
    for (; at < fast->length && at < slow->length && fast->text[at] == slow->text[at]; at++)
        line = fast->text[at] == '\n' ? at + 1 : line;
    cr_expect(false, "%s differs:\n%.300s\nnot\n%.300s\nin\n%s", file, fast->text + line, slow->text + line,
              text);
}

void expect_as_by_events(const struct plan *plan, const struct trial_spec *spec, const struct result *fast,
                         const char *text) {
    struct trial_spec by_events = *spec;
    by_events.timing = TIMING_EVENTS;
    struct result *slow = run_whole(&by_events);
    struct rendering one, other;
    rendering_init(&one, plan);
    rendering_init(&other, plan);
    rendering_add(&one, &plan->contest[0], spec->replication, fast);
    rendering_add(&other, &plan->contest[0], spec->replication, slow);
    expect_same(&one.runs, &other.runs, "runs.csv", text);
    expect_same(&one.workers, &other.workers, "workers.csv", text);
    expect_same(&one.steps, &other.steps, "steps.csv", text);
    expect_same(&one.staleness, &other.staleness, "staleness.csv", text);
    rendering_fini(&one);
    rendering_fini(&other);
    result_free(slow);
}
