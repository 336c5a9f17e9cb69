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
    return cluster_new(spec, &(struct cluster_run){.seed = 1});
}

struct cost {
    const char *name;
    enum load_rule load;
    struct group_spec group;
    double work, seconds;
};

/* compute 2 s, delay 1 s, at half speed: a partition takes 4 s. */
static const struct cost costs[] = {
    {"additive",
     LOAD_ADDITIVE,
     {.count = 1,
      .speed = 0.5,
      .compute = &takes_two,
      .delay = &takes_one,
      .rack = PARAM_ABSENT,
      .leaves_s = INFINITY},
     3,
     13},
    {"multiplicative",
     LOAD_MULTIPLICATIVE,
     {.count = 1,
      .speed = 0.5,
      .compute = &takes_two,
      .delay = &takes_one,
      .rack = PARAM_ABSENT,
      .leaves_s = INFINITY},
     3,
     15},
    {"independent",
     LOAD_INDEPENDENT,
     {.count = 1,
      .speed = 0.5,
      .compute = &takes_two,
      .delay = &takes_one,
      .rack = PARAM_ABSENT,
      .leaves_s = INFINITY},
     3,
     15},
    {"additive, a fraction",
     LOAD_ADDITIVE,
     {.count = 1,
      .speed = 1,
      .compute = &takes_two,
      .delay = &takes_one,
      .rack = PARAM_ABSENT,
      .leaves_s = INFINITY},
     0.5,
     2},
    {"no compute",
     LOAD_ADDITIVE,
     {.count = 1, .speed = 1, .delay = &takes_one, .rack = PARAM_ABSENT, .leaves_s = INFINITY},
     3,
     1},
    {"no delay",
     LOAD_ADDITIVE,
     {.count = 1, .speed = 1, .compute = &takes_two, .rack = PARAM_ABSENT, .leaves_s = INFINITY},
     3,
     6},
    {"nothing", LOAD_ADDITIVE, {.count = 1, .speed = 1, .rack = PARAM_ABSENT, .leaves_s = INFINITY}, 3, 0},
    {"a missing measurement",
     LOAD_ADDITIVE,
     {.count = 1,
      .speed = 1,
      .compute = &takes_two,
      .delay = &never_measured,
      .rack = PARAM_ABSENT,
      .leaves_s = INFINITY},
     3,
     NAN},
    {"a draw of its own for each part",
     LOAD_INDEPENDENT,
     {.count = 1, .speed = 1, .delay = &drawn, .rack = PARAM_ABSENT, .leaves_s = INFINITY},
     3,
     1 + (1 + LAW_DRAWS) + (1 + 2 * LAW_DRAWS)},
    {"one draw for the task",
     LOAD_MULTIPLICATIVE,
     {.count = 1, .speed = 1, .delay = &drawn, .rack = PARAM_ABSENT, .leaves_s = INFINITY},
     3,
     3},
};

Test(cluster, cost_of_a_task) {
    for (size_t c = 0; c < sizeof costs / sizeof *costs; c++) {
        struct cluster_spec spec = {
            .load = costs[c].load, .workers = 1, .groups = 1, .group = &costs[c].group};
        struct cluster *cluster = cluster_of(&spec);
        double seconds = cluster_task_seconds(cluster, 0, 5, costs[c].work);
        int same = isnan(costs[c].seconds) ? isnan(seconds) : seconds == costs[c].seconds;
        cr_expect(same, "%s: %g, not %g", costs[c].name, seconds, costs[c].seconds);
        cluster_free(cluster);
    }
}

Test(cluster, warm_up_is_additive_and_misses_nothing) {
    struct group_spec group = {.count = 1,
                               .speed = 1,
                               .compute = &takes_two,
                               .delay = &never_measured,
                               .rack = PARAM_ABSENT,
                               .leaves_s = INFINITY};
    struct cluster_spec spec = {.load = LOAD_MULTIPLICATIVE, .workers = 1, .groups = 1, .group = &group};
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

static const struct group_spec idle_three = {
    .count = 3, .speed = 1, .rack = PARAM_ABSENT, .leaves_s = INFINITY};
static const struct cluster_spec three = {.workers = 3, .groups = 1, .group = &idle_three};

Test(cluster, equal_times_go_by_worker_and_the_alarm_comes_last) {
    struct cluster *cluster = cluster_of(&three);
    cluster_start(cluster, 2, 0, 0, 4);
    cluster_start(cluster, 0, 0, 0, 4);
    cluster_start(cluster, 1, 0, 0, 5);
    cluster_set_alarm(cluster, 4);
    const struct wanted wanted[] = {{EVENT_FINISHED, 4, 0}, {EVENT_ARRIVED, 4, 0}, {EVENT_FINISHED, 4, 2},
                                    {EVENT_ARRIVED, 4, 2},  {EVENT_ALARM, 4, 0},   {EVENT_FINISHED, 5, 1},
                                    {EVENT_ARRIVED, 5, 1}};
    EXPECT_EVENTS(cluster, wanted);
    cr_expect(cluster_silent(cluster));
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
    cr_expect(eq(dbl, cluster_cancel(cluster, 0, 1), 1));
    cluster_start(cluster, 0, 1, 1, 6);
    cr_expect(eq(dbl, cluster_cancel(cluster, 2, 1), 0));
    const struct wanted wanted[] = {
        {EVENT_FINISHED, 7, 0}, {EVENT_ARRIVED, 7, 0}, {EVENT_FINISHED, 9, 1}, {EVENT_ARRIVED, 9, 1}};
    EXPECT_EVENTS(cluster, wanted);
    cr_expect(cluster_silent(cluster));
    cluster_free(cluster);
}

Test(cluster, a_task_without_end_gives_silence) {
    struct cluster *cluster = cluster_of(&three);
    cluster_start(cluster, 0, 0, 0, INFINITY);
    cr_expect(cluster_silent(cluster));
    cr_expect(isinf(cluster_next_time(cluster)));
    cluster_free(cluster);
}

Test(cluster, an_alarm_in_the_past_rings_now) {
    struct cluster *cluster = cluster_of(&three);
    cluster_start(cluster, 0, 0, 0, 4);
    cluster_next(cluster);
    cluster_next(cluster);
    cluster_set_alarm(cluster, 3);
    const struct wanted wanted[] = {{EVENT_ALARM, 4, 0}};
    EXPECT_EVENTS(cluster, wanted);
    cr_expect(cluster_silent(cluster));
    cluster_free(cluster);
}

#define ALWAYS .speed = 1, .rack = PARAM_ABSENT, .leaves_s = INFINITY

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
    cr_expect(isinf(cluster_next_time(cluster)));
    cr_expect(epsilon_eq(dbl, sum / 2000, 10, 4 * 10 / sqrt(2000)));
    cluster_free(cluster);
}

Test(cluster, a_failure_for_good_ends_the_task_and_the_worker) {
    struct cluster *cluster = cluster_of(&failing_many);
    for (uint32_t i = 0; i < 2000; i++)
        cluster_start(cluster, i, 0, 0, 1e9);
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
        cluster_start(cluster, 0, t, start_s, 100);
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

/* Nothing is running, but a worker that is being repaired may yet be given a task. */
Test(cluster, a_repair_is_a_hope) {
    struct cluster *cluster = cluster_of(&flapping_one);
    cr_expect(cluster_silent(cluster));
    cr_assert(eq(int, cluster_next(cluster).kind, EVENT_DOWN));
    cr_expect(not(cluster_silent(cluster)));
    cr_assert(eq(int, cluster_next(cluster).kind, EVENT_UP));
    cr_expect(cluster_silent(cluster));
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
    cluster_start(cluster, 0, 0, 6, 100);
    event = cluster_next(cluster);
    cr_assert(eq(int, event.kind, EVENT_GONE));
    cr_assert(eq(dbl, event.time_s, 9));
    cr_expect(eq(dbl, event.seconds, 3));
    cr_expect(epsilon_eq(dbl, cluster_down_seconds(cluster, 0, 11), 7, 1e-12));
    cr_expect(cluster_silent(cluster));
    cluster_free(cluster);
}

/* Down 1 s + 100 bytes at 50 a second, up 2 s + 100 bytes at 25. */
static const struct path_spec down_path = {1, 50}, up_path = {2, 25};
static const struct network_spec slow_network = {&down_path, &up_path};
static const struct cluster_run hundred_bytes = {.seed = 1, .message_bytes = 100};

Test(cluster, messages_take_their_time) {
    const struct group_spec group = {.count = 2, ALWAYS};
    const struct cluster_spec spec = {.workers = 2, .groups = 1, .group = &group, .network = &slow_network};
    struct cluster *cluster = cluster_new(&spec, &hundred_bytes);
    cr_expect(eq(dbl, cluster_send_model(cluster, 1, 3, 10), 3));
    struct event event = cluster_next(cluster);
    cr_assert(eq(int, event.kind, EVENT_MODEL));
    cr_expect(eq(dbl, event.time_s, 13));
    cr_expect(eq(u32, event.step, 3));
    cluster_start(cluster, 1, 3, 13, 4);
    const struct wanted wanted[] = {{EVENT_FINISHED, 17, 1}, {EVENT_ARRIVED, 23, 1}};
    EXPECT_EVENTS(cluster, wanted);
    cr_expect(epsilon_eq(dbl, cluster_ring_seconds(cluster), 2 * 1 * (2 + 100.0 / (2 * 25)), 1e-12));
    cluster_free(cluster);
}

Test(cluster, with_overlap_uploads_queue_on_their_own_path) {
    const struct group_spec group = {.count = 1, ALWAYS};
    const struct cluster_spec spec = {
        .workers = 1, .groups = 1, .group = &group, .network = &slow_network, .overlap = true};
    struct cluster *cluster = cluster_new(&spec, &hundred_bytes);
    cluster_start(cluster, 0, 0, 0, 1);
    cluster_next(cluster);
    cr_assert(cluster_idle(cluster, 0));
    cluster_start(cluster, 0, 1, 1, 1);
    /* sent from 1 to 5 and from 5 to 9, each 2 s on its way */
    const struct wanted wanted[] = {{EVENT_FINISHED, 2, 0}, {EVENT_ARRIVED, 7, 0}, {EVENT_ARRIVED, 11, 0}};
    EXPECT_EVENTS(cluster, wanted);
    cluster_free(cluster);
}

struct sharing {
    const char *name;
    struct link_spec link;
    struct wanted wanted[6];
};
/* Three workers finish at 0, 0 and 5 s with 100 bytes each; the link carries 50 a second. */
static const struct sharing sharings[] = {
    {"fifo",
     {50, SHARING_FIFO},
     {{EVENT_FINISHED, 0, 0},
      {EVENT_FINISHED, 0, 1},
      {EVENT_ARRIVED, 2, 0},
      {EVENT_ARRIVED, 4, 1},
      {EVENT_FINISHED, 5, 2},
      {EVENT_ARRIVED, 7, 2}}},
    {"fair",
     {50, SHARING_FAIR},
     {{EVENT_FINISHED, 0, 0},
      {EVENT_FINISHED, 0, 1},
      {EVENT_ARRIVED, 4, 0},
      {EVENT_ARRIVED, 4, 1},
      {EVENT_FINISHED, 5, 2},
      {EVENT_ARRIVED, 7, 2}}},
    /* at 20 a second: 50 bytes each by 5 s; a third each from then on: 100 - 50 = 50 bytes take 7.5 s; the third has
     * 50 bytes left at 12.5 and the link alone */
    {"fair, overtaken",
     {20, SHARING_FAIR},
     {{EVENT_FINISHED, 0, 0},
      {EVENT_FINISHED, 0, 1},
      {EVENT_FINISHED, 5, 2},
      {EVENT_ARRIVED, 12.5, 0},
      {EVENT_ARRIVED, 12.5, 1},
      {EVENT_ARRIVED, 15, 2}}},
};

Test(cluster, the_master_link_is_shared) {
    for (size_t c = 0; c < sizeof sharings / sizeof *sharings; c++) {
        const struct cluster_spec spec = {
            .workers = 3, .groups = 1, .group = &idle_three, .link = &sharings[c].link};
        struct cluster *cluster = cluster_new(&spec, &hundred_bytes);
        cluster_start(cluster, 0, 0, 0, 0);
        cluster_start(cluster, 1, 0, 0, 0);
        cluster_start(cluster, 2, 0, 0, 5);
        for (size_t e = 0; e < 6; e++) {
            struct event event = cluster_next(cluster);
            cr_expect(eq(int, event.kind, sharings[c].wanted[e].kind), "%s, event %zu", sharings[c].name, e);
            cr_expect(epsilon_eq(dbl, event.time_s, sharings[c].wanted[e].time_s, 1e-9), "%s, event %zu",
                      sharings[c].name, e);
            cr_expect(eq(u32, event.worker, sharings[c].wanted[e].worker), "%s, event %zu", sharings[c].name,
                      e);
        }
        cr_expect(cluster_silent(cluster));
        cluster_free(cluster);
    }
}

Test(cluster, a_dropped_upload_makes_room) {
    const struct link_spec fifo = {50, SHARING_FIFO};
    const struct cluster_spec spec = {.workers = 3, .groups = 1, .group = &idle_three, .link = &fifo};
    struct cluster *cluster = cluster_new(&spec, &hundred_bytes);
    cluster_start(cluster, 0, 0, 0, 0);
    cluster_start(cluster, 1, 0, 0, 0);
    cluster_next(cluster);
    cluster_next(cluster);
    cluster_cancel(cluster, 0, 0);
    const struct wanted wanted[] = {{EVENT_ARRIVED, 2, 1}};
    EXPECT_EVENTS(cluster, wanted);
    cr_expect(cluster_silent(cluster));
    cluster_free(cluster);
}

static const struct regime_spec regime = {0.1, 0.3, 5};
static const struct group_spec moody = {.count = 2000, .delay = &takes_one, .regime = &regime, ALWAYS};
static const struct cluster_spec moody_many = {.workers = 2000, .groups = 1, .group = &moody};

/* Stationary from the start: a share 0.1 / 0.4 is slow, in the first step as in the last; lag-1 correlation 1 - 0.4. Four
 * binomial standard errors of 2,000 workers, and about as much for the correlation. */
Test(cluster, regimes_are_stationary_chains) {
    struct cluster *cluster = cluster_of(&moody_many);
    for (uint32_t t = 0; t < 20; t++) {
        double slow = 0, both = 0, before = 0;
        for (uint32_t i = 0; i < 2000; i++) {
            double now = cluster_task_seconds(cluster, i, 2 * t, 1) == 5,
                   next = cluster_task_seconds(cluster, i, 2 * t + 1, 1) == 5;
            slow += next;
            before += now;
            both += now * next;
        }
        double share = slow / 2000, error = sqrt(0.25 * 0.75 / 2000);
        cr_expect(epsilon_eq(dbl, share, 0.25, 4 * error), "step %u", t);
        double correlation = (both / 2000 - share * before / 2000) / (0.25 * 0.75);
        cr_expect(epsilon_eq(dbl, correlation, 0.6, 4 / sqrt(2000)), "step %u: %g", t, correlation);
    }
    cluster_free(cluster);
}

Test(cluster, slowness_is_drawn_once) {
    const struct group_spec group = {.count = 2, .delay = &takes_one, .slowness = &takes_two, ALWAYS};
    const struct cluster_spec spec = {.workers = 2, .groups = 1, .group = &group};
    struct cluster *cluster = cluster_of(&spec);
    cr_expect(eq(dbl, cluster_task_seconds(cluster, 1, 4, 1), 2));
    cluster_free(cluster);
}

Test(cluster, a_shock_strikes_a_rack) {
    const struct shock_spec shock = {0.5, {&constant_law.head, &two}};
    const struct group_spec racks[] = {{.count = 2, .speed = 1, .rack = 0, .leaves_s = INFINITY},
                                       {.count = 2, .speed = 1, .rack = 1, .leaves_s = INFINITY},
                                       {.count = 1, ALWAYS}};
    const struct cluster_spec spec = {.workers = 5, .groups = 3, .group = racks, .shock = &shock};
    struct cluster *cluster = cluster_of(&spec);
    int struck = 0, apart = 0;
    for (uint32_t t = 0; t < 1000; t++) {
        double seconds[5];
        for (uint32_t i = 0; i < 5; i++)
            seconds[i] = cluster_task_seconds(cluster, i, t, 1);
        cr_assert(eq(dbl, seconds[0], seconds[1]));
        cr_assert(eq(dbl, seconds[2], seconds[3]));
        cr_assert(eq(dbl, seconds[4], 0));
        struck += seconds[0] == 2;
        apart += seconds[0] != seconds[2];
    }
    cr_expect(epsilon_eq(dbl, struck, 500, 4 * sqrt(250)));
    cr_expect(epsilon_eq(dbl, apart, 500, 4 * sqrt(250)));
    cluster_free(cluster);
}

struct layout {
    const char *name;
    enum order_rule order;
    uint32_t group[6], member[6];
};
static const struct layout layouts[] = {
    {"listed", ORDER_LISTED, {0, 0, 0, 1, 2, 2}, {0, 1, 2, 0, 0, 1}},
    {"interleaved", ORDER_INTERLEAVED, {0, 1, 2, 0, 2, 0}, {0, 0, 0, 1, 1, 2}},
};

Test(cluster, groups_are_laid_out) {
    const struct group_spec groups[] = {{.count = 3}, {.count = 1}, {.count = 2}};
    for (size_t c = 0; c < sizeof layouts / sizeof *layouts; c++) {
        const struct cluster_spec spec = {
            .order = layouts[c].order, .workers = 6, .groups = 3, .group = groups};
        uint32_t group[6], member[6];
        cluster_layout(&spec, 1, group, member);
        for (int i = 0; i < 6; i++) {
            cr_expect(eq(u32, group[i], layouts[c].group[i]), "%s, worker %d", layouts[c].name, i);
            cr_expect(eq(u32, member[i], layouts[c].member[i]), "%s, worker %d", layouts[c].name, i);
        }
    }
}

Test(cluster, a_shuffled_layout_is_a_permutation_by_the_seed) {
    const struct group_spec groups[] = {{.count = 30}, {.count = 20}};
    const struct cluster_spec spec = {.order = ORDER_SHUFFLED, .workers = 50, .groups = 2, .group = groups};
    uint32_t group[3][50], member[50], ones = 0, moved = 0, differ = 0;
    cluster_layout(&spec, 1, group[0], member);
    cluster_layout(&spec, 1, group[1], member);
    cluster_layout(&spec, 2, group[2], member);
    for (int i = 0; i < 50; i++) {
        cr_expect(eq(u32, group[0][i], group[1][i]));
        ones += group[0][i];
        moved += group[0][i] != (i >= 30);
        differ += group[0][i] != group[2][i];
    }
    cr_expect(eq(u32, ones, 20));
    cr_expect(ge(u32, moved, 1));
    cr_expect(ge(u32, differ, 1));
}
