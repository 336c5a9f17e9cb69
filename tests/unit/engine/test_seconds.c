/* What tasks cost: load rules, slowness, regimes, rack shocks. */
#include "stage.h"
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

Test(seconds, cost_of_a_task) {
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

Test(seconds, warm_up_is_additive_and_misses_nothing) {
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

static const struct regime_spec regime = {0.1, 0.3, 5};
static const struct group_spec moody = {.count = 2000, .delay = &takes_one, .regime = &regime, ALWAYS};
static const struct cluster_spec moody_many = {.workers = 2000, .groups = 1, .group = &moody};

/* Stationary from the start: a share 0.1 / 0.4 is slow, in the first step as in the last; lag-1 correlation 1 - 0.4. Four
 * binomial standard errors of 2,000 workers, and about as much for the correlation. */
Test(seconds, regimes_are_stationary_chains) {
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

Test(seconds, slowness_is_drawn_once) {
    const struct group_spec group = {.count = 2, .delay = &takes_one, .slowness = &takes_two, ALWAYS};
    const struct cluster_spec spec = {.workers = 2, .groups = 1, .group = &group};
    struct cluster *cluster = cluster_of(&spec);
    cr_expect(eq(dbl, cluster_task_seconds(cluster, 1, 4, 1), 2));
    cluster_free(cluster);
}

/* Endlessly slow at nothing, and no share of what never ends: both take no time; endlessly slow at something never ends. */
Test(seconds, nothing_of_the_endless_is_nothing) {
    static double zero = 0, endless = INFINITY;
    const struct picked never = {&constant_law.head, &endless}, no_time = {&constant_law.head, &zero};
    const struct group_spec group[] = {{.count = 1, .delay = &no_time, .slowness = &never, ALWAYS},
                                       {.count = 1, .delay = &never, .slowness = &no_time, ALWAYS},
                                       {.count = 1, .delay = &takes_one, .slowness = &never, ALWAYS}};
    const struct cluster_spec spec = {.workers = 3, .groups = 3, .group = group};
    struct cluster *cluster = cluster_of(&spec);
    cr_expect(eq(dbl, cluster_task_seconds(cluster, 0, 0, 1), 0));
    cr_expect(eq(dbl, cluster_task_seconds(cluster, 1, 0, 1), 0));
    cr_expect(isinf(cluster_task_seconds(cluster, 2, 0, 1)));
    cluster_free(cluster);
}

Test(seconds, a_shock_strikes_a_rack) {
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
