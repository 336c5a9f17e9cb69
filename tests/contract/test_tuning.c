/* A tuned comparison: the values found are the best of those tried, they are what the runs have, and nothing depends on
 * threads or on being cut off. */
#include "folders.h"
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMON                                                                                               \
    "seed: 3\nreplications: 3\n"                                                                             \
    "problem: {loss: logistic, l2: 0.01, data: {type: synthetic, samples: 120, features: 5}}\n"              \
    "stop: {steps: 80, loss: 0.4}\nrecord: {every: summary}\n"                                               \
    "cluster: {workers: [{count: 6, compute: {type: constant, value: 0.5s}, "                                \
    "delay: {type: exponential, mean: 1s}}]}\n"
#define SCENARIO                                                                                             \
    COMMON "optimizer: {type: momentum, learning_rate: 0.01, momentum: 0.5}\n"                               \
           "tune: {learning_rate: [0.05, 5], momentum: [0, 0.9]}\n"                                          \
           "schemes: [{type: uncoded}, {type: ignore, stragglers: 2}]\n"

static struct scratch scratch;

static void set_up(void) {
    scratch_init(&scratch);
    scratch_write_text(&scratch, "scenario.yaml", SCENARIO);
}
static void tear_down(void) {
    scratch_fini(&scratch);
}
TestSuite(tuning, .init = set_up, .fini = tear_down, .timeout = 100);

Test(tuning, is_the_same_on_any_number_of_threads_and_resumed) {
    run_well(&scratch, "run scenario.yaml -o one -j 1 -q");
    run_well(&scratch, "run scenario.yaml -o three -j 3 -q");
    run_well(&scratch, "run scenario.yaml -o resumed --resume -q");
    expect_same_folders(&scratch, "one", "three", "threads");
    expect_same_folders(&scratch, "one", "resumed", "resumed");
    /* What is written runs as it stands, and tunes again. */
    run_well(&scratch, "run one/scenario.yaml -o again -q");
    expect_same_folders(&scratch, "one", "again", "the scenario that was written");
}

static size_t best_row(const struct results *tune, const char *scheme) {
    size_t found = tune->rows;
    for (size_t r = 0; r < tune->rows; r++)
        if (strcmp(results_cell(tune, r, "scheme"), scheme) == 0 &&
            strcmp(results_cell(tune, r, "best"), "yes") == 0) {
            cr_expect(eq(sz, found, tune->rows), "%s has two best", scheme);
            found = r;
        }
    cr_assert(lt(sz, found, tune->rows), "%s has no best", scheme);
    return found;
}

static void expect_least(const struct results *tune, const char *scheme) {
    size_t best = best_row(tune, scheme);
    double least = results_number(tune, best, "time_to_loss_s");
    cr_expect(eq(dbl, results_number(tune, best, "reached"), 1));
    for (size_t r = 0; r < tune->rows; r++)
        if (strcmp(results_cell(tune, r, "scheme"), scheme) == 0 && results_number(tune, r, "reached") >= 1)
            cr_expect(least <= results_number(tune, r, "time_to_loss_s"), "%s, attempt %zu", scheme, r);
}

/* The same runs as those of a scenario that has the values written. */
static void expect_runs(const struct results *tune, const struct results *runs, const char *scheme) {
    size_t best = best_row(tune, scheme);
    const char *rate = results_cell(tune, best, "learning_rate"),
               *momentum = results_cell(tune, best, "momentum");
    char parameters[160];
    snprintf(parameters, sizeof parameters, "learning_rate=%s;momentum=%s%s", rate, momentum,
             strcmp(scheme, "ignore") == 0 ? ";stragglers=2" : "");
    run_scenario(&scratch, scheme, "2",
                 COMMON
                 "optimizer: {type: momentum, learning_rate: %s, momentum: %s}\nschemes: [{type: %s%s}]\n",
                 rate, momentum, scheme, strcmp(scheme, "ignore") == 0 ? ", stragglers: 2" : "");
    char name[64];
    struct results given;
    snprintf(name, sizeof name, "%s/runs.csv", scheme);
    results_init(&given, &scratch, name);
    for (size_t r = 0; r < given.rows; r++) {
        char replication[24];
        snprintf(replication, sizeof replication, "%zu", r);
        size_t row = run_row(runs, scheme, replication);
        cr_expect_str_eq(results_cell(runs, row, "parameters"), parameters);
        cr_expect_str_eq(results_cell(runs, row, "time_to_loss_s"),
                         results_cell(&given, r, "time_to_loss_s"));
        cr_expect_str_eq(results_cell(runs, row, "final_loss"), results_cell(&given, r, "final_loss"));
    }
    results_fini(&given);
}

Test(tuning, gives_every_scheme_the_best_that_was_tried) {
    struct results tune, runs;
    run_well(&scratch, "run scenario.yaml -o out -q");
    results_init(&tune, &scratch, "out/tune.csv");
    results_init(&runs, &scratch, "out/runs.csv");
    static const char *const schemes[] = {"uncoded", "ignore"};
    for (size_t s = 0; s < 2; s++) {
        expect_least(&tune, schemes[s]);
        expect_runs(&tune, &runs, schemes[s]);
    }
    results_fini(&tune);
    results_fini(&runs);
}

Test(tuning, is_counted_and_goes_with_no_shard) {
    struct outcome check = run_words(&scratch, "check scenario.yaml");
    /* 9 x 5 places and 6 sections of each number, 4 replications, 2 schemes. */
    cr_expect(strstr(check.out, "456 runs before them to tune the optimizer") != NULL, "%s", check.out);
    outcome_fini(&check);
    struct outcome shard = run_words(&scratch, "run scenario.yaml --shard 0/2");
    cr_expect(eq(int, shard.exit_code, 2));
    cr_expect(strstr(shard.err, "--shard does not go with tune") != NULL, "%s", shard.err);
    outcome_fini(&shard);
}

/* trace shows the run that is compared: it ends after as many steps. */
Test(tuning, is_what_trace_shows) {
    run_well(&scratch, "run scenario.yaml -o out -q");
    struct results runs;
    results_init(&runs, &scratch, "out/runs.csv");
    char end[64];
    snprintf(end, sizeof end, "the run ends after %s step",
             results_cell(&runs, run_row(&runs, "ignore", "1"), "steps"));
    struct outcome trace =
        run_words(&scratch, "trace scenario.yaml --scheme ignore --replication 1 --steps 0:80");
    cr_expect(strstr(trace.out, end) != NULL, "'%s' is missing in %.200s", end, trace.out);
    struct outcome untuned = run_words(
        &scratch, "trace scenario.yaml --scheme ignore --replication 1 --steps 0:80 --set tune=none");
    cr_expect(strstr(untuned.out, end) == NULL, "tuning changes nothing, so this tests nothing");
    outcome_fini(&trace);
    outcome_fini(&untuned);
    results_fini(&runs);
}

/* A sweep sets the shared numbers beside the tuned ones; the points are not taken for one. */
Test(tuning, may_be_swept) {
    scratch_write_text(&scratch, "swept.yaml",
                       COMMON "optimizer: {learning_rate: 0.05}\nschemes: [{type: uncoded}]\n"
                              "sweep: {tune: [none, {learning_rate: [0.05, 5]}]}\n");
    run_well(&scratch, "run swept.yaml -o out -q");
    char *runs = scratch_text(&scratch, "out/runs.csv"), *tune = scratch_text(&scratch, "out/tune.csv");
    size_t tuned = 0, first = 0;
    for (const char *at = runs; (at = strstr(at, "learning_rate=")) != NULL; at++)
        tuned++;
    for (const char *at = tune; (at = strstr(at, "\n0,")) != NULL; at++)
        first++;
    cr_expect(eq(sz, tuned, 3), "%s", runs);
    cr_expect(eq(sz, first, 0), "%s", tune);
    cr_expect(strstr(tune, "\n1,") != NULL, "%s", tune);
    free(runs);
    free(tune);
}
