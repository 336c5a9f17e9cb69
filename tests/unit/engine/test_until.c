/* Time that is let pass only up to a moment. */
#include "stage.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

static const struct path_spec free_path = {0, INFINITY}, slow_path = {1, INFINITY};
static const struct network_spec network = {&free_path, &slow_path};
static const struct link_spec link = {50, SHARING_FIFO};
static const struct group_spec pair = {
    .count = 2, .speed = 1, .rack = PARAM_ABSENT, .network = &network, .leaves_s = INFINITY};
static const struct cluster_spec spec = {.workers = 2, .groups = 1, .group = &pair, .link = &link};
static const struct cluster_run hundred_bytes = {1, 0, 100, 100};

/* The upload is on the link at 1 s, of which no event tells, and has arrived at 3 s. At 2 s another task may start. */
Test(until, nothing_beyond_the_moment_has_happened) {
    struct cluster *cluster = cluster_new(&spec, &hundred_bytes);
    struct event event;
    start_task(cluster, 0, (struct doing){0, 0, 0});
    cr_expect(cluster_next_by(cluster, 0, &event));
    cr_expect(eq(int, event.kind, EVENT_FINISHED));
    cr_expect(not(cluster_next_by(cluster, 2, &event)));
    start_task(cluster, 1, (struct doing){0, 2, 0.5});
    cr_expect(cluster_next_by(cluster, 2.5, &event));
    cr_expect(eq(int, event.kind, EVENT_FINISHED));
    cr_expect(epsilon_eq(dbl, event.time_s, 2.5, 1e-12));
    cr_expect(cluster_next_by(cluster, 3, &event));
    cr_expect(eq(int, event.kind, EVENT_ARRIVED));
    cluster_free(cluster);
}

Test(until, an_alarm_comes_when_it_is_time) {
    struct cluster *cluster = cluster_new(&spec, &hundred_bytes);
    struct event event;
    cluster_set_alarm(cluster, 4);
    cr_expect(not(cluster_next_by(cluster, 3.5, &event)));
    cr_expect(cluster_next_by(cluster, 4, &event));
    cr_expect(eq(int, event.kind, EVENT_ALARM));
    cr_expect(not(cluster_next_by(cluster, INFINITY, &event)));
    cluster_free(cluster);
}

/* 0.1 + 0.2 is rounded above 0.3: the task ends at the instant of the alarm all the same, and goes first. */
Test(until, sums_of_the_same_terms_are_one_instant) {
    struct cluster *cluster = cluster_of(&stage_three);
    struct event event;
    cluster_set_alarm(cluster, 0.3);
    start_task(cluster, 0, (struct doing){0, 0.1, 0.2});
    start_task(cluster, 1, (struct doing){0, 0, 0.3 * (1 + 1e-13)});
    const struct wanted wanted[] = {
        {EVENT_FINISHED, 0.1 + 0.2, 0}, {EVENT_ARRIVED, 0.1 + 0.2, 0}, {EVENT_ALARM, 0.1 + 0.2, 0}};
    EXPECT_EVENTS(cluster, wanted);
    cr_assert(cluster_next_by(cluster, INFINITY, &event));
    cr_expect(eq(u32, event.worker, 1));
    cluster_free(cluster);
}
