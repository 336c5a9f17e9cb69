/* The cluster: the order of events, cancelling, alarms, failures, silence. */
#include "stage.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

Test(cluster, equal_times_go_by_worker_and_the_alarm_comes_last) {
    struct cluster *cluster = cluster_of(&stage_three);
    start_task(cluster, 2, (struct doing){0, 0, 4});
    start_task(cluster, 0, (struct doing){0, 0, 4});
    start_task(cluster, 1, (struct doing){0, 0, 5});
    cluster_set_alarm(cluster, 4);
    const struct wanted wanted[] = {{EVENT_FINISHED, 4, 0}, {EVENT_ARRIVED, 4, 0}, {EVENT_FINISHED, 4, 2},
                                    {EVENT_ARRIVED, 4, 2},  {EVENT_ALARM, 4, 0},   {EVENT_FINISHED, 5, 1},
                                    {EVENT_ARRIVED, 5, 1}};
    EXPECT_EVENTS(cluster, wanted);
    cr_expect(cluster_silent(cluster));
    cluster_free(cluster);
}

Test(cluster, a_worker_is_busy_until_its_result_arrived) {
    struct cluster *cluster = cluster_of(&stage_three);
    start_task(cluster, 1, (struct doing){7, 0, 0});
    cr_expect(not(cluster_idle(cluster, 1)));
    struct event finished = cluster_next(cluster);
    cr_expect(eq(u32, finished.step, 7));
    cr_expect(not(cluster_idle(cluster, 1)));
    cluster_next(cluster);
    cr_expect(cluster_idle(cluster, 1));
    cluster_free(cluster);
}

Test(cluster, a_cancelled_task_leaves_no_event) {
    struct cluster *cluster = cluster_of(&stage_three);
    start_task(cluster, 0, (struct doing){0, 0, 4});
    start_task(cluster, 1, (struct doing){0, 0, 9});
    cr_expect(eq(dbl, cluster_cancel(cluster, 0, 1), 1));
    start_task(cluster, 0, (struct doing){1, 1, 6});
    cr_expect(eq(dbl, cluster_cancel(cluster, 2, 1), 0));
    const struct wanted wanted[] = {
        {EVENT_FINISHED, 7, 0}, {EVENT_ARRIVED, 7, 0}, {EVENT_FINISHED, 9, 1}, {EVENT_ARRIVED, 9, 1}};
    EXPECT_EVENTS(cluster, wanted);
    cr_expect(cluster_silent(cluster));
    cluster_free(cluster);
}

Test(cluster, a_task_without_end_gives_silence) {
    struct cluster *cluster = cluster_of(&stage_three);
    start_task(cluster, 0, (struct doing){0, 0, INFINITY});
    cr_expect(cluster_silent(cluster));
    struct event none;
    cr_expect(not(cluster_next_by(cluster, INFINITY, &none)));
    cluster_free(cluster);
}

Test(cluster, an_alarm_in_the_past_rings_now) {
    struct cluster *cluster = cluster_of(&stage_three);
    start_task(cluster, 0, (struct doing){0, 0, 4});
    cluster_next(cluster);
    cluster_next(cluster);
    cluster_set_alarm(cluster, 3);
    const struct wanted wanted[] = {{EVENT_ALARM, 4, 0}};
    EXPECT_EVENTS(cluster, wanted);
    cr_expect(cluster_silent(cluster));
    cluster_free(cluster);
}

static const struct failure_spec for_good = {10, INFINITY}, repaired = {10, 2};
static const struct group_spec failing = {.count = 2000, .failure = &for_good, ALWAYS};
static const struct cluster_spec failing_many = {.workers = 2000, .groups = 1, .group = &failing};
static const struct group_spec flapping = {.count = 1, .failure = &repaired, ALWAYS};
static const struct cluster_spec flapping_one = {.workers = 1, .groups = 1, .group = &flapping};

/* 2,000 exponential times of mean 10: the mean's standard error is 10/sqrt(2000); four of them is a false alarm of
 * 6e-5 for a fixed seed. */
Test(cluster, failure_times_are_exponential) {
    struct cluster *cluster = cluster_of(&failing_many);
    double sum = 0;
    for (uint32_t i = 0; i < 2000; i++) {
        struct event event = cluster_next(cluster);
        cr_assert(eq(int, event.kind, EVENT_GONE));
        cr_assert(eq(dbl, event.seconds, 0));
        sum += event.time_s;
    }
    struct event none;
    cr_expect(not(cluster_next_by(cluster, INFINITY, &none)));
    cr_expect(epsilon_eq(dbl, sum / 2000, 10, 4 * 10 / sqrt(2000)));
    cluster_free(cluster);
}

Test(cluster, a_failure_for_good_ends_the_task_and_the_worker) {
    struct cluster *cluster = cluster_of(&failing_many);
    for (uint32_t i = 0; i < 2000; i++)
        start_task(cluster, i, (struct doing){0, 0, 1e9});
    struct event event = cluster_next(cluster);
    cr_assert(eq(int, event.kind, EVENT_GONE));
    cr_expect(eq(dbl, event.seconds, event.time_s));
    cr_expect(not(cluster_present(cluster, event.worker)));
    cr_expect(not(cluster_idle(cluster, event.worker)));
    cr_expect(epsilon_eq(dbl, cluster_down_seconds(cluster, event.worker, event.time_s + 3), 3, 1e-12));
    for (uint32_t i = 1; i < 2000; i++)
        cluster_next(cluster);
    cr_expect(cluster_silent(cluster));
    cluster_free(cluster);
}

/* A task of 100 s is paused by every failure: it ends after 100 s of being up. With failures of mean 10 s and repairs of
 * mean 2 s, 400 tasks in a row are down a share 2/12 of the time; of N = 4,000 alternations the standard error of that
 * share is sqrt(2/N) * 10/12 of it. */
Test(cluster, repairs_pause_the_task) {
    struct cluster *cluster = cluster_of(&flapping_one);
    double start_s = 0, down_s = 0;
    for (uint32_t t = 0; t < 400; t++) {
        start_task(cluster, 0, (struct doing){t, start_s, 100});
        struct event event;
        do
            event = cluster_next(cluster);
        while (event.kind != EVENT_FINISHED);
        double more_s = cluster_down_seconds(cluster, 0, event.time_s) - down_s;
        cr_assert(epsilon_eq(dbl, event.time_s - start_s - more_s, 100, 1e-6), "task %u", t);
        down_s += more_s;
        start_s = event.time_s;
        cluster_next(cluster);
    }
    cr_expect(epsilon_eq(dbl, down_s / start_s, 2.0 / 12, 4 * sqrt(2.0 / 4000) * 10 / 12 * 2 / 12));
    cluster_free(cluster);
}

/* A repair alone brings no result: whether the worker has a task to begin then is the caller's to know. */
Test(cluster, who_is_being_repaired) {
    struct cluster *cluster = cluster_of(&flapping_one);
    cr_expect(cluster_silent(cluster));
    cr_expect(not(cluster_repaired(cluster, 0)));
    cr_assert(eq(int, cluster_next(cluster).kind, EVENT_DOWN));
    cr_expect(cluster_silent(cluster));
    cr_expect(cluster_repaired(cluster, 0));
    cr_assert(eq(int, cluster_next(cluster).kind, EVENT_UP));
    cr_expect(cluster_silent(cluster));
    cr_expect(not(cluster_repaired(cluster, 0)));
    cluster_free(cluster);
}

Test(cluster, workers_join_and_leave) {
    const struct group_spec guest = {
        .count = 1, .speed = 1, .rack = PARAM_ABSENT, .joins_s = 5, .leaves_s = 9};
    const struct cluster_spec spec = {.workers = 1, .groups = 1, .group = &guest};
    struct cluster *cluster = cluster_of(&spec);
    cr_expect(not(cluster_present(cluster, 0)));
    cr_expect(not(cluster_silent(cluster)));
    struct event event = cluster_next(cluster);
    cr_assert(eq(int, event.kind, EVENT_UP));
    cr_assert(eq(dbl, event.time_s, 5));
    start_task(cluster, 0, (struct doing){0, 6, 100});
    event = cluster_next(cluster);
    cr_assert(eq(int, event.kind, EVENT_GONE));
    cr_assert(eq(dbl, event.time_s, 9));
    cr_expect(eq(dbl, event.seconds, 3));
    cr_expect(epsilon_eq(dbl, cluster_down_seconds(cluster, 0, 11), 7, 1e-12));
    cr_expect(cluster_silent(cluster));
    cluster_free(cluster);
}
