#include "run.h"
#include "memory.h"
#include "way.h"
#include <stdlib.h>

struct run {
    struct trial_spec spec;
    const struct way *way;
    void *course; /* the way's */
};

/* The fastest first. */
static const struct way *const ways[] = {&way_by_rounds, &way_by_late_rounds, &way_by_events};
enum { WAYS = sizeof ways / sizeof *ways };

static bool open_to(const struct trial_spec *spec, const struct way *way) {
    return spec->timing == TIMING_FASTEST || spec->scenario->method == METHOD_BETA || way == &way_by_events;
}

static void take(struct run *run, const struct way *way) {
    run->way = way;
    run->course = open_to(&run->spec, way) ? way->begin(&run->spec) : NULL;
}

struct run *run_new(const struct trial_spec *spec) {
    struct run *run = memory_zeroed(1, sizeof *run);
    run->spec = *spec;
    for (size_t q = 0; !run->course && q < WAYS; q++)
        take(run, ways[q]);
    return run;
}

struct learner *const *run_learners(const struct run *run, size_t *count) {
    *count = 0;
    return run->way->learners ? run->way->learners(run->course, count) : NULL;
}

bool run_waits(const struct run *run) {
    size_t learners;
    struct learner *const *learner = run_learners(run, &learners);
    for (size_t q = 0; q < learners; q++)
        if (learner_waits(learner[q]))
            return true;
    return false;
}

bool run_has_events(const struct run *run) {
    return run->way == &way_by_events;
}

bool run_continue(struct run *run) {
    const enum stand stand = run->way->go_on(run->course);
    if (stand == STAND_UNSUITED) {
        result_free(run->way->end(run->course));
        take(run, &way_by_events);
    }
    return stand != STAND_ENDED;
}

struct result *run_end(struct run *run) {
    struct result *result = run->way->end(run->course);
    free(run);
    return result;
}

struct result *run_whole(const struct trial_spec *spec) {
    struct run *run = run_new(spec);
    while (run_continue(run)) {
    }
    return run_end(run);
}
