/* The codes whose rounds close at a deadline, on a table of delays of 100 rounds and 256 workers who fall into a slow spell and
 * out of it again: processor seconds of a run, medians of seven, without bookings and with them, beside the same rounds by numpy
 * (numpy_sequential.py) in the same run of this program. A run lasts 100 rounds, idle ones included. Fails where the totals are
 * not the same to 12 digits; prints a table. */
#include "run.h"
#include "timed.h"
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 256, ROUNDS = 100, TURNS = 7 };

struct code {
    const char *scheme, *values, *words; /* as a scenario has them, and as the script does */
    uint32_t delay;                      /* T */
};

static double thread_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Xorshift: a draw of [0, 1). */
static uint64_t drawn = 88172645463325252ull;
static double draw(void) {
    drawn ^= drawn << 13;
    drawn ^= drawn >> 7;
    drawn ^= drawn << 17;
    return (double)(drawn >> 11) * 0x1p-53;
}

/* One in thirty falls into a slow spell in a round, and out of it with even odds. */
static void write_table(char *path) {
    bool slow[WORKERS] = {false};
    FILE *file = fdopen(mkstemps(path, 4), "w");
    fprintf(file, "round,worker,seconds\n");
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < WORKERS; i++) {
            slow[i] = slow[i] ? draw() < 0.5 : draw() < 1.0 / 30;
            fprintf(file, "%d,%d,%.17g\n", r, i, (slow[i] ? 3 : 1) * (1 + 0.2 * draw()));
        }
    fclose(file);
}

static struct study *study_of(const struct code *code, const char *table, const char *bookings) {
    return timed_study("name: bench\n"
                       "problem: {loss: none}\n"
                       "stop: {steps: %u}\n"
                       "record: {every: summary, bookings: %s}\n"
                       "cluster: {late: cancel, workers: [{count: %d, delay: {type: trace, path: %s}}]}\n"
                       "schemes: [{type: %s, %s, mu: 1}]\n",
                       ROUNDS - code->delay, bookings, WORKERS, table, code->scheme, code->values);
}

static double median_s(const struct study *study, int runs, double *total_s) {
    double took_s[TURNS];
    const struct scenario *scenario = study_scenario(study, 0);
    struct trial_spec spec = {.scenario = scenario, .entry = &scenario->scheme[0]};
    for (int turn = 0; turn < TURNS; turn++) {
        double begin_s = thread_seconds();
        for (int q = 0; q < runs; q++) {
            struct result *result = run_whole(&spec);
            *total_s = result->run.time_s;
            result_free(result);
        }
        took_s[turn] = (thread_seconds() - begin_s) / runs;
    }
    return gsl_stats_median(took_s, 1, TURNS);
}

/* False where there is no numpy. */
static bool ask_numpy(const struct code *code, const char *table, double *took_s, double *total_s) {
    char command[1024];
    snprintf(command, sizeof command, "/usr/bin/python3 %s/tests/bench/numpy_sequential.py %s %d %s %s",
             getenv("LAGGARD_SOURCE") ? getenv("LAGGARD_SOURCE") : ".", table, WORKERS, code->scheme,
             code->words);
    FILE *answer = popen(command, "r");
    bool good = answer && fscanf(answer, "%lf %lf", took_s, total_s) == 2;
    if (answer)
        pclose(answer);
    return good;
}

/* False where the totals differ. */
static bool bench(const struct code *code, const char *table) {
    double total_s, booked_total_s, numpy_s, numpy_total_s;
    struct study *study = study_of(code, table, "false"), *booked = study_of(code, table, "true");
    double took_s = median_s(study, 1000, &total_s), booked_s = median_s(booked, 4, &booked_total_s);
    study_free(study);
    study_free(booked);
    printf("%-12s %-22s %8.1f %10.0f", code->scheme, code->values, took_s * 1e6, booked_s * 1e6);
    bool same = booked_total_s <= total_s && booked_total_s >= total_s;
    if (ask_numpy(code, table, &numpy_s, &numpy_total_s)) {
        printf(" %10.0f %8.0f %8.1f  %.13g", numpy_s * 1e6, numpy_s / took_s, numpy_s / booked_s,
               numpy_total_s);
        same &= fabs(total_s - numpy_total_s) <= 1e-12 * total_s;
    }
    printf(" %.13g%s\n", total_s, same ? "" : " DIFFERS");
    fflush(stdout);
    return same;
}

static void bench_long(const char *bookings) {
    struct study *study = timed_study(
        "name: bench\n"
        "problem: {loss: none}\n"
        "stop: {steps: 1000}\n"
        "record: {every: summary, bookings: %s}\n"
        "cluster: {late: cancel, workers: [{count: 1000, delay: {type: exponential, mean: 1s}}]}\n"
        "schemes: [{type: m-sgc, B: 3, W: 10, lambda: 19, mu: 1}]\n",
        bookings);
    printf("m-sgc, B 3, W 10, lambda 19, 1,000 workers, 1,000 steps, bookings: %-5s: %.3f s\n", bookings,
           timed_run(study));
    study_free(study);
}

int main(void) {
    static const struct code codes[] = {
        {"gc-deadline", "stragglers: 15", "15", 0},        {"gc-deadline", "stragglers: 40", "40", 0},
        {"m-sgc", "B: 1, W: 2, lambda: 27", "1 2 27", 1},  {"m-sgc", "B: 1, W: 4, lambda: 27", "1 4 27", 3},
        {"m-sgc", "B: 2, W: 5, lambda: 23", "2 5 23", 5},  {"m-sgc", "B: 3, W: 6, lambda: 40", "3 6 40", 7},
        {"sr-sgc", "B: 1, W: 2, lambda: 23", "1 2 23", 1}, {"sr-sgc", "B: 2, W: 3, lambda: 40", "2 3 40", 2},
        {"sr-sgc", "B: 1, W: 4, lambda: 40", "1 4 40", 1}};
    char table[] = "/tmp/laggard-bench-XXXXXX.csv";
    bool same = true;
    write_table(table);
    printf("%-12s %-22s %8s %10s %10s %8s %8s  %s\n", "scheme", "", "us a run", "us, booked", "us, numpy",
           "x numpy", "x, bkd", "simulated s");
    for (size_t q = 0; q < sizeof codes / sizeof *codes; q++)
        same &= bench(&codes[q], table);
    unlink(table);
    bench_long("false");
    bench_long("true");
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
