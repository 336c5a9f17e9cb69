/* The cluster: what tasks cost, the order of events, cancelling, alarms, failures, silence. */
#include "cluster.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

/* Laws of the tests' own: a constant, and a number that tells the draw it was made from. */
static double constant_sample(const void *params, struct occasion occasion) {
    (void)occasion;
    return *(const double *)params;
}
static double draw_sample(const void *params, struct occasion occasion) {
    (void)params;
    return 1 + occasion.draw.draw;
}
static const struct law constant_law = {.head = {.name = "constant"}, .sample = constant_sample};
static const struct law draw_law = {.head = {.name = "draw"}, .sample = draw_sample};

static double two = 2, one = 1, missing = NAN;
static const struct picked takes_two = {&constant_law.head, &two}, takes_one = {&constant_law.head, &one},
                           never_measured = {&constant_law.head, &missing}, drawn = {&draw_law.head, NULL};

static struct cluster *cluster_of(const struct cluster_spec *spec) {
    return cluster_new(spec, 1, 0);
}

struct cost {
    const char *name;
    enum load_rule load;
    struct group_spec group;
    double work, seconds;
};

/* compute 2 s, delay 1 s, at half speed: a partition takes 4 s. */
static const struct cost costs[] = {
    {"additive", LOAD_ADDITIVE, {1, 0.5, &takes_two, &takes_one, NULL}, 3, 13},
    {"multiplicative", LOAD_MULTIPLICATIVE, {1, 0.5, &takes_two, &takes_one, NULL}, 3, 15},
    {"independent", LOAD_INDEPENDENT, {1, 0.5, &takes_two, &takes_one, NULL}, 3, 15},
    {"additive, a fraction", LOAD_ADDITIVE, {1, 1, &takes_two, &takes_one, NULL}, 0.5, 2},
    {"no compute", LOAD_ADDITIVE, {1, 1, NULL, &takes_one, NULL}, 3, 1},
    {"no delay", LOAD_ADDITIVE, {1, 1, &takes_two, NULL, NULL}, 3, 6},
    {"nothing", LOAD_ADDITIVE, {1, 1, NULL, NULL, NULL}, 3, 0},
    {"a missing measurement", LOAD_ADDITIVE, {1, 1, &takes_two, &never_measured, NULL}, 3, NAN},
    {"a draw of its own for each part",
     LOAD_INDEPENDENT,
     {1, 1, NULL, &drawn, NULL},
     3,
     1 + (1 + LAW_DRAWS) + (1 + 2 * LAW_DRAWS)},
    {"one draw for the task", LOAD_MULTIPLICATIVE, {1, 1, NULL, &drawn, NULL}, 3, 3},
};

Test(cluster, cost_of_a_task) {
    for (size_t c = 0; c < sizeof costs / sizeof *costs; c++) {
        struct cluster_spec spec = {costs[c].load, 1, 1, &costs[c].group};
        struct cluster *cluster = cluster_of(&spec);
        double seconds = cluster_task_seconds(cluster, 0, 5, costs[c].work);
        int same = isnan(costs[c].seconds) ? isnan(seconds) : seconds == costs[c].seconds;
        cr_expect(same, "%s: %g, not %g", costs[c].name, seconds, costs[c].seconds);
        cluster_free(cluster);
    }
}

Test(cluster, warm_up_is_additive_and_misses_nothing) {
    struct group_spec group = {1, 1, &takes_two, &never_measured, NULL};
    struct cluster_spec spec = {LOAD_MULTIPLICATIVE, 1, 1, &group};
    struct cluster *cluster = cluster_of(&spec);
    cr_expect(eq(dbl, cluster_warmup_seconds(cluster, 0, 3), 6));
    cluster_free(cluster);
}

struct wanted {
    enum event_kind kind;
    double time_s;
    uint32_t worker;
};

static void expect_events(struct cluster *cluster, const struct wanted *wanted, size_t count) {
    for (size_t e = 0; e < count; e++) {
        struct event event = cluster_next(cluster);
        cr_assert(eq(int, event.kind, wanted[e].kind), "event %zu", e);
        cr_assert(eq(dbl, event.time_s, wanted[e].time_s), "event %zu", e);
        if (event.kind < EVENT_ALARM)
            cr_assert(eq(u32, event.worker, wanted[e].worker), "event %zu", e);
    }
}
#define EXPECT_EVENTS(cluster, list) expect_events(cluster, list, sizeof(list) / sizeof *(list))

static const struct group_spec idle_three = {3, 1, NULL, NULL, NULL};
static const struct cluster_spec three = {LOAD_ADDITIVE, 3, 1, &idle_three};

Test(cluster, equal_times_go_by_worker_and_the_alarm_comes_last) {
    struct cluster *cluster = cluster_of(&three);
    cluster_start(cluster, 2, 0, 0, 4);
    cluster_start(cluster, 0, 0, 0, 4);
    cluster_start(cluster, 1, 0, 0, 5);
    cluster_set_alarm(cluster, 4);
    const struct wanted wanted[] = {{EVENT_FINISHED, 4, 0}, {EVENT_ARRIVED, 4, 0}, {EVENT_FINISHED, 4, 2},
                                    {EVENT_ARRIVED, 4, 2},  {EVENT_ALARM, 4, 0},   {EVENT_FINISHED, 5, 1},
                                    {EVENT_ARRIVED, 5, 1},  {EVENT_SILENCE, 5, 0}};
    EXPECT_EVENTS(cluster, wanted);
    cluster_free(cluster);
}

Test(cluster, a_worker_is_busy_until_its_result_arrived) {
    struct cluster *cluster = cluster_of(&three);
    cluster_start(cluster, 1, 7, 0, 0);
    cr_expect(not(cluster_idle(cluster, 1)));
    struct event finished = cluster_next(cluster);
    cr_expect(eq(u32, finished.step, 7));
    cr_expect(not(cluster_idle(cluster, 1)));
    cluster_next(cluster);
    cr_expect(cluster_idle(cluster, 1));
    cluster_free(cluster);
}

Test(cluster, a_cancelled_task_leaves_no_event) {
    struct cluster *cluster = cluster_of(&three);
    cluster_start(cluster, 0, 0, 0, 4);
    cluster_start(cluster, 1, 0, 0, 9);
    cluster_cancel(cluster, 0);
    cluster_start(cluster, 0, 1, 1, 6);
    cluster_cancel(cluster, 2);
    const struct wanted wanted[] = {{EVENT_FINISHED, 7, 0},
                                    {EVENT_ARRIVED, 7, 0},
                                    {EVENT_FINISHED, 9, 1},
                                    {EVENT_ARRIVED, 9, 1},
                                    {EVENT_SILENCE, 9, 0}};
    EXPECT_EVENTS(cluster, wanted);
    cluster_free(cluster);
}

Test(cluster, a_task_without_end_gives_silence) {
    struct cluster *cluster = cluster_of(&three);
    cluster_start(cluster, 0, 0, 0, INFINITY);
    cr_expect(eq(int, cluster_next(cluster).kind, EVENT_SILENCE));
    cr_expect(isinf(cluster_next_time(cluster)));
    cluster_free(cluster);
}

Test(cluster, an_alarm_in_the_past_rings_now) {
    struct cluster *cluster = cluster_of(&three);
    cluster_start(cluster, 0, 0, 0, 4);
    cluster_next(cluster);
    cluster_next(cluster);
    cluster_set_alarm(cluster, 3);
    const struct wanted wanted[] = {{EVENT_ALARM, 4, 0}, {EVENT_SILENCE, 4, 0}};
    EXPECT_EVENTS(cluster, wanted);
    cluster_free(cluster);
}

static const struct failure_spec soon = {10, INFINITY};
static const struct group_spec failing = {2000, 1, NULL, NULL, &soon};
static const struct cluster_spec failing_many = {LOAD_ADDITIVE, 2000, 1, &failing};

/* 2,000 exponential times of mean 10: the mean's standard error is 10/sqrt(2000); four of them is a false alarm of
 * 6e-5 for a fixed seed. */
Test(cluster, failure_times_are_exponential) {
    struct cluster *cluster = cluster_of(&failing_many);
    double sum = 0;
    for (uint32_t i = 0; i < 2000; i++)
        sum += cluster_failure_time(cluster, i);
    cr_expect(epsilon_eq(dbl, sum / 2000, 10, 4 * 10 / sqrt(2000)));
    cluster_free(cluster);
}

Test(cluster, a_failure_ends_the_task_and_the_worker) {
    struct cluster *cluster = cluster_of(&failing_many);
    double failure_s = cluster_failure_time(cluster, 3);
    cluster_start(cluster, 3, 0, 0, 2 * failure_s);
    struct event event;
    do
        event = cluster_next(cluster);
    while (event.worker != 3);
    cr_expect(eq(int, event.kind, EVENT_FAILED));
    cr_expect(eq(dbl, event.time_s, failure_s));
    cr_expect(not(cluster_alive(cluster, 3)));
    cr_expect(not(cluster_idle(cluster, 3)));
    do
        event = cluster_next(cluster);
    while (event.kind == EVENT_FAILED);
    cr_expect(eq(int, event.kind, EVENT_SILENCE));
    cluster_free(cluster);
}
