/* Failures that are too frequent to be simulated are refused before a run, at their place. */
#include "failure_plan.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FAILS(often, repair) "failure: {mean_time_to_failure: " often ", mean_time_to_repair: " repair "}"
#define SECOND               "compute: {type: constant, value: 1s}, "

struct frequency {
    const char *name, *cluster, *scheme;
    double failures;  /* of a worker of the first group, in a step */
    const char *says; /* NULL: accepted */
};
static const struct frequency frequencies[] = {
    {"rare", "workers: [{count: 2, " SECOND FAILS("10s", "5s") "}]", "uncoded", .1, NULL},
    {"as many as may be", "workers: [{count: 2, " SECOND FAILS("1ms", "1s") "}]", "uncoded", 1000, NULL},
    {"too many", "workers: [{count: 2, " SECOND FAILS("0.9ms", "1s") "}]", "uncoded", 1e3 / .9,
     "cluster.workers[0].failure.mean_time_to_failure: a worker would fail about 1.1e+03 times in a step, of "
     "at "
     "most 1000"},
    {"absurdly many", "workers: [{count: 2, " SECOND FAILS("1e-8", "1s") "}]", "uncoded", 1e8,
     "a worker would fail about 1e+08 times"},
    {"longer tasks", "workers: [{count: 2, " SECOND FAILS("1ms", "1s") "}]", "gc-fr, stragglers: 1", 2000,
     "about 2e+03 times"},
    {"tasks that end piece by piece", "workers: [{count: 2, " SECOND FAILS("1ms", "1s") "}]",
     "multi-message, copies: 2", 2000, "about 2e+03 times"},
    {"cut partitions: 3 pieces of half a partition", "workers: [{count: 2, " SECOND FAILS("1ms", "1s") "}]",
     "partial-fr, stragglers: 1, pieces: 3", 1500, "about 1.5e+03 times"},
    {"no barrier", "workers: [{count: 2, " SECOND FAILS("0.5ms", "1s") "}]", "async", 2000,
     "about 2e+03 times"},
    {"for good", "workers: [{count: 2, " SECOND FAILS("1e-8", "never") "}]", "uncoded", 0, NULL},
    {"waiting for a slower group",
     "workers: [{count: 1, " FAILS("1ms", "1ms") "}, {count: 1, compute: {type: constant, value: 3s}}]",
     "uncoded", 1500, "workers[0].failure.mean_time_to_failure: a worker would fail about 1.5e+03"},
    {"waiting for the network",
     "network: {down: {latency: 1s}, up: {latency: 2s}}, workers: [{count: 2, " FAILS("1ms", "1ms") "}]",
     "uncoded", 1500, "about 1.5e+03"},
    {"waiting for the master", "master: {update: 3s}, workers: [{count: 2, " FAILS("1ms", "1ms") "}]",
     "uncoded", 1500, "about 1.5e+03"},
    {"slowness and a regime",
     "workers: [{count: 2, " SECOND
     "slowness: {type: constant, value: 2s}, regime: {p_slow: 1, p_recover: 1, "
     "slowdown: 3}, " FAILS("10ms", "1s") "}]",
     "uncoded", 400, NULL},
    {"tasks without a mean: their 99th percentile",
     "workers: [{count: 2, delay: {type: pareto, minimum: 1s, shape: 1}, " FAILS("1s", "1s") "}]", "uncoded",
     100, NULL},
    {"tasks of which half never end: of the others",
     "workers: [{count: 2, delay: {type: mixture, parts: [{weight: 1, type: pareto, minimum: 1s, shape: 1}, "
     "{weight: 1, type: never}]}, " FAILS("1s", "1s") "}]",
     "uncoded", 100, NULL},
    {"tasks that never end", "workers: [{count: 2, delay: {type: never}, " FAILS("1s", "1s") "}]", "uncoded",
     0, NULL},
    {"quick repairs", "workers: [{count: 2, " SECOND FAILS("1s", "1e-15") "}]", "uncoded", 1, NULL},
    {"long repairs", "workers: [{count: 2, " SECOND FAILS("1s", "1e9") "}]", "uncoded", 1, NULL},
    {"repairs that the clock cannot bear", "workers: [{count: 2, " SECOND FAILS("1s", "1e15") "}]", "uncoded",
     1, "failure.mean_time_to_failure: is too short beside the 1e+17 s that a run may last"},
};

static void check_one(const struct frequency *one) {
    struct plan plan;
    struct diag *diag = diag_new();
    char *text =
        memory_format("problem: {loss: none}\nstop: {steps: 100}\ncluster: {%s}\nschemes: [{type: %s}]\n",
                      one->cluster, one->scheme);
    bool good = plan_read(&plan, diag, &(struct plan_request){.file = "text", .text = text});
    char *told;
    size_t length;
    FILE *stream = open_memstream(&told, &length);
    diag_print(diag, stream);
    fclose(stream);
    cr_assert(plan.points == 1, "%s: %s", one->name, told);
    const struct scenario *scenario = plan.point[0].scenario;
    double failures = failures_expected(scenario, scenario->scheme, 0);
    cr_expect(le(dbl, fabs(failures - one->failures), 1e-9 * one->failures), "%s: %.12g", one->name,
              failures);
    cr_expect(good == !one->says, "%s: %s", one->name, told);
    cr_expect(one->says == NULL || strstr(told, one->says) != NULL, "%s: %s", one->name, told);
    free(told);
    free(text);
    diag_free(diag);
    plan_fini(&plan);
}

Test(failure_plan, too_frequent_failures_are_refused) {
    for (size_t q = 0; q < sizeof frequencies / sizeof *frequencies; q++)
        check_one(&frequencies[q]);
}
