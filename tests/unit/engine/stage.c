#include "stage.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

struct event cluster_next(struct cluster *cluster) {
    struct event event;
    cr_assert(cluster_next_by(cluster, INFINITY, &event));
    return event;
}

void expect_events(struct cluster *cluster, const struct wanted *wanted, size_t count) {
    for (size_t e = 0; e < count; e++) {
        struct event event = cluster_next(cluster);
        cr_assert(eq(int, event.kind, wanted[e].kind), "event %zu", e);
        cr_assert(eq(dbl, event.time_s, wanted[e].time_s), "event %zu", e);
        if (event.kind < EVENT_ALARM)
            cr_assert(eq(u32, event.worker, wanted[e].worker), "event %zu", e);
    }
}
static const struct group_spec idle_three = {.count = 3, ALWAYS};
const struct cluster_spec stage_three = {.workers = 3, .groups = 1, .group = &idle_three};

struct cluster *cluster_of(const struct cluster_spec *spec) {
    return cluster_new(spec, &(struct cluster_run){.seed = 1});
}

void start_task(struct cluster *cluster, uint32_t worker, struct doing doing) {
    /* One for each worker of the stage. */
    static double done_s[4096];
    done_s[worker] = doing.seconds;
    cluster_start(cluster, worker, &(struct assignment){doing.step, doing.start_s, 1, &done_s[worker], 1});
}
