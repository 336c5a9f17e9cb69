/* Real traces and data replay and train. The files are not part of the project: LAGGARD_SHARED names the folder that holds
 * them, without it the tests are skipped. */
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The path of a shared file, or skips the test. */
static void shared_path(char *path, size_t room, const char *name) {
    const char *shared = getenv("LAGGARD_SHARED");
    snprintf(path, room, "%s/data/%s", shared ? shared : "", name);
    if (!shared || access(path, R_OK) != 0)
        cr_skip_test("%s is not here", name);
}

struct replay {
    const char *file, *columns, *missing;
    int workers, rounds;
};

/* seconds[round * workers + worker] by scanning for numbers: the fields' positions are given in `columns` order. */
static double *read_cells(const char *path, const struct replay *replay, const int field[3], double first,
                          double step) {
    double *seconds = calloc((size_t)(replay->rounds * replay->workers), sizeof *seconds);
    char line[512];
    FILE *file = fopen(path, "r");
    cr_assert_not_null(fgets(line, sizeof line, file));
    for (int c = 0; c < replay->rounds * replay->workers; c++)
        seconds[c] = NAN;
    while (fgets(line, sizeof line, file)) {
        double cell[8];
        int count = 0;
        for (char *at = strtok(line, ","); at; at = strtok(NULL, ","))
            cell[count++] = atof(at);
        int round = (int)lround((cell[field[0]] - first) / step), worker = (int)cell[field[1]];
        cr_assert(round >= 0 && round < replay->rounds && worker < replay->workers);
        seconds[round * replay->workers + worker] = cell[field[2]];
    }
    fclose(file);
    return seconds;
}

/* Everyone waits for everyone: a step lasts as long as the slowest cell of its round; a missing cell is no task, and the
 * step never closes. */
static void expect_replay(const struct replay *replay, const char *path, const double *seconds,
                          double scale) {
    struct scratch scratch;
    struct results steps;
    double *time_s = calloc((size_t)replay->rounds + 2, sizeof *time_s), now_s = 0;
    scratch_init(&scratch);
    run_scenario(
        &scratch, "out", "1",
        "name: replay\nproblem: {loss: none}\nstop: {steps: 100000}\nschemes: [{type: uncoded, label: all}]\n"
        "cluster: {workers: [{count: %d, delay: {type: trace, path: \"%s\", columns: {%s}, scale: %g, "
        "beyond: stop, "
        "missing: %s}}]}\n",
        replay->workers, path, replay->columns, scale, replay->missing);
    results_init(&steps, &scratch, "out/steps.csv");
    size_t rows = run_series(&steps, "all", "0", "time_s", time_s, (size_t)replay->rounds + 2);
    cr_assert(eq(sz, rows, (size_t)replay->rounds + 1), "%s", replay->file);
    for (int t = 0; t < replay->rounds; t++) {
        double slowest = 0;
        for (int i = 0; i < replay->workers; i++)
            slowest = fmax(slowest, seconds[t * replay->workers + i] * scale);
        now_s += slowest;
        cr_assert(epsilon_eq(dbl, time_s[t + 1], now_s, 1e-9 * now_s), "%s, round %d", replay->file, t);
    }
    results_fini(&steps);
    scratch_fini(&scratch);
    free(time_s);
}

Test(real_files, pai_job1_replays, .timeout = 60) {
    char path[512];
    const struct replay replay = {"pai-job1.csv", "round: time, worker: worker, value: batch_time_norm",
                                  "error", 10, 300};
    const int field[3] = {3, 1, 4};
    shared_path(path, sizeof path, "traces/pai-job1.csv");
    double *seconds = read_cells(path, &replay, field, 1, 10);
    expect_replay(&replay, path, seconds, 0.001);
    free(seconds);
}

Test(real_files, lambda_load000_replays, .timeout = 60) {
    char path[512];
    const struct replay replay = {"lambda-cnn-load000.csv", "round: round, worker: worker, value: seconds",
                                  "error", 256, 30};
    const int field[3] = {0, 1, 2};
    shared_path(path, sizeof path, "traces/lambda-cnn-load000.csv");
    double *seconds = read_cells(path, &replay, field, 0, 1);
    expect_replay(&replay, path, seconds, 1);
    free(seconds);
}

/* One cell is missing: an error that says so, a median that fills it, a skip that leaves its worker late. */
Test(real_files, pai_job4_misses_a_cell, .timeout = 60) {
    char path[512];
    shared_path(path, sizeof path, "traces/pai-job4.csv");
    static const char text[] =
        "name: job4\nproblem: {loss: none}\nstop: {steps: 3000}\nschemes: [{type: ignore, stragglers: 2}]\n"
        "cluster: {workers: [{count: 10, delay: {type: trace, path: \"%s\", scale: 1ms, beyond: stop, "
        "missing: %s, columns: "
        "{round: time, worker: worker, value: batch_time_norm}}}]}\n";
    static const char *const rules[] = {"median", "skip"};
    char scenario[2048];
    struct scratch scratch;
    struct results runs, workers;
    scratch_init(&scratch);
    for (int rule = 0; rule < 2; rule++) {
        uint64_t skipped = 0;
        run_scenario(&scratch, rules[rule], "1", text, path, rules[rule]);
        char name[64];
        snprintf(name, sizeof name, "%s/runs.csv", rules[rule]);
        results_init(&runs, &scratch, name);
        snprintf(name, sizeof name, "%s/workers.csv", rules[rule]);
        results_init(&workers, &scratch, name);
        cr_expect_str_eq(results_cell(&runs, 0, "status"), "trace_end");
        for (size_t i = 0; i < workers.rows; i++)
            skipped += (uint64_t)results_number(&workers, i, "skipped");
        cr_expect(eq(u64, skipped, (uint64_t)rule), "%s", rules[rule]);
        results_fini(&runs);
        results_fini(&workers);
    }
    snprintf(scenario, sizeof scenario, text, path, "error");
    scratch_write_text(&scratch, "scenario.yaml", scenario);
    const char *const arguments[] = {"run", "scenario.yaml", "-o", "refused", NULL};
    struct outcome outcome = scratch_run(&scratch, arguments);
    cr_expect(eq(int, outcome.exit_code, 2));
    cr_expect(strstr(outcome.err, "error") != NULL && strstr(outcome.err, "missing") != NULL, "%s",
              outcome.err);
    outcome_fini(&outcome);
    scratch_fini(&scratch);
}

/* 122 of the 123 features occur: without `features` there are as many as the largest index says. */
Test(real_files, adult_trains, .timeout = 60) {
    char path[512];
    struct scratch scratch;
    struct results steps;
    double loss[101];
    shared_path(path, sizeof path, "adult-5k.libsvm");
    scratch_init(&scratch);
    run_scenario(
        &scratch, "out", "1",
        "name: adult\nproblem: {loss: logistic, l2: 1e-4, data: {type: libsvm, path: \"%s\", features: 123, "
        "intercept: true}}\noptimizer: {learning_rate: 1}\nstop: {steps: 100}\n"
        "cluster: {workers: [{count: 12, delay: {type: exponential, mean: 1}}]}\n"
        "schemes: [{type: gc-cr, stragglers: 2, label: gc}]\n",
        path);
    results_init(&steps, &scratch, "out/steps.csv");
    cr_assert(eq(sz, run_series(&steps, "gc", "0", "loss", loss, 101), 101));
    cr_expect(epsilon_eq(dbl, loss[0], log(2), 1e-12));
    for (int t = 0; t < 100; t++)
        cr_expect(lt(dbl, loss[t + 1], loss[t]), "step %d", t);
    cr_expect(lt(dbl, loss[100], 0.37));
    results_fini(&steps);
    scratch_fini(&scratch);
}

/* What the file of known totals says of a scheme, as an entry of `schemes`. uncoded has no deadline: it is given that of
 * the others, whose overrunning is counted. */
struct golden_name {
    const char *scheme, *entry;
};
static const struct golden_name golden_names[] = {
    {"uncoded", "type: uncoded, wait: {type: deadline, factor: 2, else: all}"},
    {"gc-deadline", "type: gc-deadline, mu: 1, tolerance: strict"},
    {"sr-sgc", "type: sr-sgc, mu: 1"},
    {"m-sgc", "type: m-sgc, mu: 1"},
};

/* "s=3" and "B=1;W=2;lambda=16" as further keys. */
static void write_keys(const char *parameters, char keys[200]) {
    *keys = 0;
    if (*parameters)
        strcat(keys, *parameters == 's' ? ", straggler" : ", ");
    for (char letter[2] = ""; (*letter = *parameters); parameters++)
        strcat(keys, *letter == '=' ? ": " : *letter == ';' ? ", " : letter);
}

static const char *entry_of(const char *scheme) {
    for (size_t c = 0; c < sizeof golden_names / sizeof *golden_names; c++)
        if (strcmp(golden_names[c].scheme, scheme) == 0)
            return golden_names[c].entry;
    cr_fatal("no entry for %s", scheme);
    return NULL;
}

static void expect_golden(const struct results *golden, size_t row, const char *trace) {
    const char *scheme = results_cell(golden, row, "scheme"),
               *parameters = results_cell(golden, row, "parameters");
    char keys[200];
    struct scratch scratch;
    struct results runs;
    scratch_init(&scratch);
    write_keys(parameters, keys);
    run_scenario(&scratch, "out", "1",
                 "name: golden\nproblem: {loss: none}\nstop: {steps: 20}\n"
                 "cluster: {late: cancel, workers: [{count: 256, compute: {type: constant, value: %.17g}, "
                 "delay: {type: trace, path: \"%s\", columns: {round: round, worker: worker, value: "
                 "seconds}}}]}\n"
                 "schemes: [{%s%s}]\n",
                 1.1217530061354162 / 256, trace, entry_of(scheme), keys);
    results_init(&runs, &scratch, "out/runs.csv");
    cr_expect(eq(str, (char *)results_cell(&runs, 0, "status"), (char *)"steps"), "%s %s", scheme, keys);
    cr_expect(epsilon_eq(dbl, results_number(&runs, 0, "time_s"),
                         results_number(golden, row, "total_seconds"), 1e-6),
              "%s%s", scheme, keys);
    cr_expect(eq(dbl, results_number(&runs, 0, "rounds_overrun"),
                 results_number(golden, row, "rounds_waiting_for_all")),
              "%s%s", scheme, keys);
    results_fini(&runs);
    scratch_fini(&scratch);
}

/* Deadline codes on measured times of 256 functions: totals known to the nanosecond, and rounds that waited for all. */
Test(real_files, golden_lambda_totals, .timeout = 60) {
    char path[512], trace[512], link[128];
    struct scratch scratch;
    struct results golden;
    shared_path(trace, sizeof trace, "traces/lambda-cnn-load000.csv");
    shared_path(path, sizeof path, "golden-lambda.csv");
    scratch_init(&scratch);
    snprintf(link, sizeof link, "%s/golden.csv", scratch.path);
    cr_assert(eq(int, symlink(path, link), 0));
    results_init(&golden, &scratch, "golden.csv");
    cr_expect(eq(sz, golden.rows, 11));
    for (size_t row = 0; row < golden.rows; row++)
        expect_golden(&golden, row, trace);
    results_fini(&golden);
    scratch_fini(&scratch);
}
