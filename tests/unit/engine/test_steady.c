/* Seconds of many steps at once against those of one task at a time. */
#include "made_cluster.h"
#include "steady.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>

struct row {
    const char *name, *group[4];
    enum load_rule load;
    enum order_rule order;
    double work;
};

static const struct row rows[] = {
    {"one law", {"{count: 13, delay: {type: exponential, mean: 1s}}"}, LOAD_ADDITIVE, ORDER_LISTED, 1},
    {"no time", {"{count: 3}"}, LOAD_ADDITIVE, ORDER_LISTED, 1},
    {"a constant beside it",
     {"{count: 12, compute: {type: constant, value: 300ms}, delay: {type: pareto, minimum: 1s, shape: 2}}"},
     LOAD_ADDITIVE,
     ORDER_LISTED,
     3},
    {"both drawn",
     {"{count: 12, compute: {type: gamma, shape: 2, scale: 1s}, delay: {type: weibull, shape: 2, scale: 1s}, "
      "speed: 0.3}"},
     LOAD_MULTIPLICATIVE,
     ORDER_LISTED,
     2.5},
    {"one after the other",
     {"{count: 9, delay: {type: exponential, mean: 1s}, speed: 2, compute: {type: uniform, low: 1s, high: "
      "2s}}",
      "{count: 4, delay: {type: lognormal, mu: 0, sigma: 1}, slowness: {type: uniform, low: 1, high: 3}}"},
     LOAD_ADDITIVE,
     ORDER_LISTED,
     2},
    {"mixed",
     {"{count: 9, delay: {type: exponential, mean: 1s}}",
      "{count: 5, delay: {type: constant, value: 2s}, speed: 0.5}",
      "{count: 3, compute: {type: constant, value: 1s}, slowness: {type: exponential, mean: 2s}}"},
     LOAD_MULTIPLICATIVE,
     ORDER_INTERLEAVED,
     2},
    {"shuffled",
     {"{count: 20, delay: {type: exponential, mean: 1s}}",
      "{count: 5, delay: {type: exactly, stragglers: 2, law: {type: constant, value: 3s}}}",
      "{count: 3, delay: {type: mixture, parts: [{weight: 1, type: never}, {weight: 1, type: exponential, "
      "mean: 1s}]}, "
      "slowness: {type: constant, value: 0}}"},
     LOAD_ADDITIVE,
     ORDER_SHUFFLED,
     1},
};

static struct cluster_run run_of(uint32_t replication) {
    return (struct cluster_run){.seed = 11, .replication = replication};
}

static void expect_same(const struct row *row, const struct cluster_spec *spec, uint32_t step,
                        uint32_t steps) {
    struct cluster_run run = run_of(2);
    struct cluster *cluster = cluster_new(spec, &run);
    struct steady *steady = steady_new(spec, &run, row->work);
    uint32_t length = steady_row(steady);
    double *seconds = memory_zeroed((size_t)length * steps, sizeof *seconds);
    steady_seconds(steady, step, steps, seconds);
    for (uint32_t s = 0; s < steps; s++)
        for (uint32_t i = 0; i < spec->workers; i++) {
            double found = seconds[(size_t)s * length + i],
                   wanted = cluster_task_seconds(cluster, i, step + s, row->work);
            cr_assert(found == wanted, "%s, worker %u, step %u: %.17g not %.17g", row->name, i, step + s,
                      found, wanted);
        }
    free(seconds);
    steady_free(steady);
    cluster_free(cluster);
}

/* Some workers, in an order of no meaning, each from a step of its own. */
static void expect_same_tasks(const struct row *row, const struct cluster_spec *spec, uint32_t runs) {
    struct cluster_run run = run_of(2);
    struct steady *steady = steady_new(spec, &run, row->work);
    struct draw_run *at = memory_zeroed(runs, sizeof *at);
    double *seconds = memory_zeroed((size_t)runs * DRAW_RUN, sizeof *seconds);
    for (uint32_t q = 0; q < runs; q++)
        at[q] = (struct draw_run){(q * 7 + 2) % spec->workers, (q * 5) % 11 * DRAW_RUN};
    steady_tasks(steady, &(struct draw_runs){.run = at, .runs = runs}, seconds);
    for (uint32_t q = 0; q < runs * DRAW_RUN; q++) {
        const uint32_t worker = at[q / DRAW_RUN].worker, step = at[q / DRAW_RUN].step + q % DRAW_RUN;
        struct cluster *cluster = cluster_new(spec, &run);
        double wanted = cluster_task_seconds(cluster, worker, step, row->work);
        cluster_free(cluster);
        cr_assert(seconds[q] == wanted, "%s, worker %u, step %u: %.17g not %.17g", row->name, worker, step,
                  seconds[q], wanted);
    }
    free(seconds);
    free(at);
    steady_free(steady);
}

Test(steady, seconds_are_those_of_single_tasks) {
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct made_cluster made = made_cluster(rows[k].group);
        made.spec.load = rows[k].load;
        made.spec.order = rows[k].order;
        cr_assert(steady_serves(&made.spec), "%s", rows[k].name);
        expect_same(&rows[k], &made.spec, 0, 1);
        expect_same(&rows[k], &made.spec, 5, 40);
        expect_same_tasks(&rows[k], &made.spec, 1);
        expect_same_tasks(&rows[k], &made.spec, 150);
        made_cluster_fini(&made);
    }
}

struct other {
    const char *name, *group;
};
static const struct other others[] = {
    {"failure", "{count: 3, failure: {mean_time_to_failure: 10s, mean_time_to_repair: 1s}}"},
    {"regime", "{count: 3, regime: {p_slow: 0.1, p_recover: 0.5, slowdown: 3}}"},
    {"network", "{count: 3, network: {up: {latency: 1s}}}"},
    {"joins", "{count: 3, joins: 1s}"},
    {"leaves", "{count: 3, leaves: 1s}"},
};

Test(steady, what_comes_between_is_not_served) {
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        const char *groups[4] = {others[k].group};
        struct made_cluster made = made_cluster(groups);
        cr_expect(steady_serves(&made.spec) == false, "%s", others[k].name);
        made_cluster_fini(&made);
    }
}
