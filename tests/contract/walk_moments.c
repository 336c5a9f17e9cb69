/* Events of a walked run, each looked at as it stands after those before it. */
#include "walk_inside.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/* What the events so far say of one part of one task. */
struct fate {
    uint32_t finished, heard, used;
};
struct fates {
    uint32_t workers, steps, parts;
    bool kept; /* workers keep gradients, which are used again, also when their own message was late */
    struct fate *fate;
};

static struct fate *fate_of(const struct fates *fates, const struct moment *moment) {
    bool inside =
        moment->worker < fates->workers && moment->step < fates->steps && moment->part < fates->parts;
    cr_assert(inside, "%s of worker %u, step %u, part %u\n%s", moment_types[moment->kind].name,
              moment->worker, moment->step, moment->part, walked_text);
    return &fates->fate[((size_t)moment->step * fates->workers + moment->worker) * fates->parts +
                        moment->part];
}

/* One more than the largest step of a part: without a barrier workers count their own, those left out too. */
static uint32_t steps_told(const struct moment_log *log) {
    uint32_t steps = 1;
    for (size_t q = 0; q < log->count; q++)
        if (moment_types[log->moment[q].kind].of_part && log->moment[q].step >= steps)
            steps = log->moment[q].step + 1;
    return steps;
}

static void expect_fate(const struct fates *fates, const struct moment *moment) {
    struct fate *fate = fate_of(fates, moment);
    fate->finished += moment->kind == MOMENT_FINISH;
    fate->heard += moment->kind == MOMENT_HEARD;
    fate->used += moment->kind == MOMENT_USED;
#define SAID                                                                                                 \
    "%s of worker %u, step %u, part %u", moment_types[moment->kind].name, moment->worker, moment->step,      \
        moment->part
    HOLDS(fate->finished <= 1, SAID);
    HOLDS(fate->heard <= fate->finished, SAID);
    HOLDS(fate->used == 0 || fate->finished == 1, SAID);
    HOLDS(fate->used <= 1 || fates->kept, SAID);
    HOLDS(fate->used <= fate->heard || fates->kept, SAID);
#undef SAID
}

/* What the master does is told when it does it: the events of its own are in the order in which they were told, and not
 * by having been sorted. */
static bool is_of_master(uint32_t kind) {
    return kind == MOMENT_OPEN || kind == MOMENT_HEARD || kind == MOMENT_CLOSE || kind == MOMENT_UPDATE ||
           kind == MOMENT_END;
}

static void expect_clock(const struct moment_log *log) {
    double before_s = 0;
    uint32_t told = 0;
    for (size_t q = 0; q < log->count; q++) {
        const struct moment *moment = &log->moment[q];
        HOLDS(isfinite(moment->time_s) && moment->time_s >= before_s,
              "%s of worker %u, step %u: %g s after %g s", moment_types[moment->kind].name, moment->worker,
              moment->step, moment->time_s, before_s);
        before_s = moment->time_s;
        if (!is_of_master(moment->kind))
            continue;
        HOLDS(moment->rank >= told, "%s of worker %u, step %u, at %g s: told before what came earlier",
              moment_types[moment->kind].name, moment->worker, moment->step, moment->time_s);
        told = moment->rank;
    }
}

void walk_moments(const struct result *result, const struct limits *limits) {
    const struct moment_log *log = result->moments;
    struct fates fates = {.workers = result->workers,
                          .steps = steps_told(log),
                          .parts = limits->parts > 0 ? limits->parts : 1,
                          .kept = limits->kept > 0};
    fates.fate = calloc((size_t)fates.workers * fates.steps * fates.parts, sizeof *fates.fate);
    expect_clock(log);
    for (size_t q = 0; q < log->count; q++)
        if (moment_types[log->moment[q].kind].of_part)
            expect_fate(&fates, &log->moment[q]);
    bool whole = log->count > 0 && log->moment[log->count - 1].kind == MOMENT_END;
    HOLDS(whole || (log->lost > 0 && log->count == MOMENTS_MAX), "%zu events", log->count);
    free(fates.fate);
}
