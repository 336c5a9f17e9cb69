#include "timeline.h"
#include <inttypes.h>

/* Microseconds: finer than any wait that people compare, coarse enough to read. */
#define DECIMALS 6

struct widths {
    int time, step, worker;
};

static int digits_of(uint32_t number) {
    return snprintf(NULL, 0, "%" PRIu32, number);
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

static struct widths widths_of(const struct timeline *timeline) {
    const struct moment_log *log = timeline->moments;
    struct widths widths = {.time = (int)sizeof "time_s" - 1, .step = (int)sizeof "step" - 1};
    widths.worker = larger((int)sizeof "worker" - 1, digits_of(timeline->workers));
    for (size_t m = timeline->first; m < log->count; m++)
        if (log->moment[m].step != UINT32_MAX)
            widths.step = larger(widths.step, digits_of(log->moment[m].step));
    if (log->count > 0)
        widths.time =
            larger(widths.time, snprintf(NULL, 0, "%.*f", DECIMALS, log->moment[log->count - 1].time_s));
    return widths;
}

static void number_put(FILE *out, int width, uint32_t number, const char *otherwise) {
    if (number == UINT32_MAX)
        fprintf(out, "  %*s", width, otherwise);
    else
        fprintf(out, "  %*" PRIu32, width, number);
}

/* Whether some task has several parts. */
static bool has_parts(const struct moment_log *log) {
    for (size_t m = 0; m < log->count; m++)
        if (moment_types[log->moment[m].kind].of_part && log->moment[m].part > 0)
            return true;
    return false;
}

void timeline_list(const struct timeline *timeline, FILE *out) {
    struct widths widths = widths_of(timeline);
    bool parts = has_parts(timeline->moments);
    fprintf(out, "%s\n\n%*s  %*s  %*s  %-13s  what happens\n", timeline->title, widths.time, "time_s",
            widths.step, "step", widths.worker, "worker", "event");
    for (size_t m = timeline->first; m < timeline->moments->count; m++) {
        const struct moment *moment = &timeline->moments->moment[m];
        const struct moment_type *type = &moment_types[moment->kind];
        fprintf(out, "%*.*f", widths.time, DECIMALS, moment->time_s);
        number_put(out, widths.step, moment->step, "-");
        number_put(out, widths.worker, moment->worker, "master");
        fprintf(out, "  %-13s  %s", type->name, type->words);
        if (parts && type->of_part)
            fprintf(out, ", part %" PRIu32, moment->part);
        putc('\n', out);
    }
}
