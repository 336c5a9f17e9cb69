/* Runs that go without the event queue leave the bytes of those that go event by event, which a scenario that records events
 * always does. */
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Times without equals, with many, of nothing, without end; workers that differ, spells, shocks, short runs. */
static const char *const clusters[] = {
    "{workers: [{count: 7, compute: {type: constant, value: 1s}, delay: {type: exponential, mean: 1s}}]}",
    "{workers: [{count: 1, compute: {type: constant, value: 1s}, delay: {type: exponential, mean: 1s}}]}",
    "{workers: [{count: 5, compute: {type: constant, value: 1s}}]}",
    "{workers: [{count: 3, compute: {type: constant, value: 1s}}, {count: 3, compute: {type: constant, "
    "value: 2s}}, {count: 2, compute: {type: constant, value: 3s}}]}",
    "{workers: [{count: 3, compute: {type: constant, value: 1s}}, {count: 2, compute: {type: mixture, parts: "
    "[{weight: 1, type: constant, value: 0s}, {weight: 1, type: constant, value: 1s}]}}]}",
    "{workers: [{count: 9, compute: {type: mixture, parts: "
    "[{weight: 2, type: constant, value: 0s}, {weight: 1, type: constant, value: 1s}]}}]}",
    "{workers: [{count: 4, compute: {type: constant, value: 1s}, delay: {type: gamma, shape: 2, scale: 1}}, "
    "{count: 2, delay: {type: "
    "never}}]}",
    "{workers: [{count: 2, compute: {type: mixture, parts: "
    "[{weight: 9, type: constant, value: 1s}, {weight: 1, type: never}]}}]}",
    "{load: multiplicative, rack_shock: {probability: 0.2, type: constant, value: 3s}, workers: ["
    "{count: 3, speed: 0.5, compute: {type: weibull, shape: 2, scale: 1}, slowness: {type: uniform, low: 1, "
    "high: 2}, rack: 0},"
    "{count: 3, delay: {type: pareto, minimum: 1, shape: 2}, regime: {p_slow: 0.1, p_recover: 0.3, slowdown: "
    "4}}]}",
    "{load: independent, workers: [{count: 6, compute: {type: lognormal, mu: 0, sigma: 1}}]}",
};
#define CLUSTERS (sizeof clusters / sizeof *clusters)

static const char *const stops[] = {"{steps: 137}", "{seconds: 9s, steps: 1000}", "{steps: 1}"};
#define STOPS (sizeof stops / sizeof *stops)

static const char *const schemes = "[{type: async}, {type: ssp, bound: 0}, {type: ssp, bound: 1, label: "
                                   "one}, {type: ssp, bound: 4, label: four}, "
                                   "{type: ssp, bound: 2, on_bound: drop, label: drop}]";

static void expect_same_file(const struct scratch *scratch, const char *file, size_t cluster, size_t stop) {
    char swift[64], queue[64];
    snprintf(swift, sizeof swift, "swift/%s", file);
    snprintf(queue, sizeof queue, "queue/%s", file);
    char *a = scratch_text(scratch, swift), *b = scratch_text(scratch, queue);
    cr_assert(a && b, "%s", file);
    cr_expect(strcmp(a, b) == 0, "%s of cluster %zu, stop %zu", file, cluster, stop);
    free(a);
    free(b);
}

static void run(const struct scratch *scratch, const char *folder, const char *record, size_t cluster,
                size_t stop) {
    run_scenario(
        scratch, folder, "1",
        "name: swift\nseed: %zu\nreplications: 3\nproblem: {loss: none}\nstop: %s\ncluster: %s\nschemes: %s\n"
        "record: {every: 3%s}\n",
        cluster + 1, stops[stop], clusters[cluster], schemes, record);
}

static void expect_same(size_t cluster, size_t stop) {
    static const char *const files[] = {"steps.csv", "runs.csv", "workers.csv", "summary.csv",
                                        "staleness.csv"};
    struct scratch scratch;
    scratch_init(&scratch);
    run(&scratch, "swift", "", cluster, stop);
    run(&scratch, "queue", ", events: true", cluster, stop);
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        expect_same_file(&scratch, files[f], cluster, stop);
    scratch_fini(&scratch);
}

Test(swift, leaves_the_bytes_of_the_queue, .timeout = 60) {
    for (size_t cluster = 0; cluster < CLUSTERS; cluster++)
        for (size_t stop = 0; stop < STOPS; stop++)
            expect_same(cluster, stop);
}
