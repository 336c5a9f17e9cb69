/* Timing only, without an event queue: worker-steps a second on one thread and on two, whole runs of exponential delays, all
 * that is printed in runs.csv, workers.csv and summary.csv included but not written. Medians of five; each beside the same by
 * numpy, a loop over the steps and whole arrays, where there is one (numpy_timing.py). Then updates a second of workers that
 * push at their own pace, beside a heap in Python (heapq_timing.py). Prints tables; never fails. */
#include "timed.h"
#include <gsl/gsl_statistics_double.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct size {
    const char *late;
    uint32_t workers, stragglers, steps, replications;
};

enum { TURNS = 5 };

static double wall_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct study *study_of(struct size size, const char *method) {
    return timed_study("name: bench\n"
                       "problem: {loss: none}\n"
                       "stop: {steps: %u}\n"
                       "replications: %u\n"
                       "method: %s\n"
                       "record: {every: summary}\n"
                       "cluster: {late: %s, workers: [{count: %u, delay: {type: exponential, mean: 1s}}]}\n"
                       "schemes: [{type: ignore, stragglers: %u}]\n",
                       size.steps, size.replications, method, size.late, size.workers, size.stragglers);
}

/* Processor seconds of all runs on one thread, and how much faster two are by the clock on the wall. */
static double median_s(struct study *study, double *gain) {
    double took_s[TURNS], wall_s[2][TURNS];
    struct sentence why;
    for (int turn = 0; turn < TURNS; turn++)
        for (unsigned threads = 1; threads <= 2; threads++) {
            struct run_request run = {.threads = threads, .version = "bench"};
            double begin_s = processor_seconds(), began_s = wall_seconds();
            study_run(study, &run, &why);
            wall_s[threads - 1][turn] = wall_seconds() - began_s;
            if (threads == 1)
                took_s[turn] = processor_seconds() - begin_s;
        }
    *gain = gsl_stats_median(wall_s[0], 1, TURNS) / gsl_stats_median(wall_s[1], 1, TURNS);
    return gsl_stats_median(took_s, 1, TURNS);
}

/* Reads so many numbers that a script beside this file prints; false where there is no Python or no numpy. */
static bool ask_python(const char *script, double *each_s, int numbers) {
    char command[512];
    snprintf(command, sizeof command, "/usr/bin/python3 %s/tests/bench/%s 2>/dev/null",
             getenv("LAGGARD_SOURCE") ? getenv("LAGGARD_SOURCE") : ".", script);
    FILE *answer = popen(command, "r");
    int read = 0;
    while (answer && read < numbers && fscanf(answer, "%lf", &each_s[read]) == 1)
        read++;
    if (answer)
        pclose(answer);
    return read == numbers;
}

static bool ask_numpy(struct size size, double each_s[2]) {
    char script[128];
    snprintf(script, sizeof script, "numpy_timing.py %u %u %u", size.workers, size.stragglers,
             4000000 / size.workers + 10);
    return ask_python(script, each_s, 2);
}

static void bench(struct size size) {
    double gain, each_s[2];
    struct study *study = study_of(size, "events");
    double took_s = median_s(study, &gain), count = (double)size.workers * size.steps * size.replications;
    study_free(study);
    printf("%-6s %7u %6u %8.1f %7.2f %9.2f %6.2f", size.late, size.workers, size.stragglers,
           count / took_s * 1e-6, took_s / count * 1e9, took_s / count * size.workers * 1e6, gain);
    if (ask_numpy(size, each_s))
        printf(" %8.1f %8.1f", each_s[0] * count / took_s, each_s[1] * count / took_s);
    printf("\n");
}

static void bench_beta(void) {
    struct size size = {"cancel", 100000, 10000, 100000, 20};
    double gain;
    struct study *study = study_of(size, "beta");
    double took_s = median_s(study, &gain);
    study_free(study);
    printf("method: beta, any number of workers: %.1f ns a step\n",
           took_s / size.steps / size.replications * 1e9);
}

struct pace {
    const char *scheme;
    uint32_t workers, updates;
};

static void bench_pace(struct pace pace) {
    char script[64];
    double took_s[TURNS], heap_s;
    struct study *study =
        timed_study("name: bench\n"
                    "problem: {loss: none}\n"
                    "stop: {steps: %u}\n"
                    "record: {every: summary}\n"
                    "cluster: {workers: [{count: %u, delay: {type: exponential, mean: 1s}}]}\n"
                    "schemes: [{type: %s}]\n",
                    pace.updates, pace.workers, pace.scheme);
    for (int turn = 0; turn < TURNS; turn++)
        took_s[turn] = timed_run(study);
    study_free(study);
    double each_s = gsl_stats_median(took_s, 1, TURNS) / pace.updates;
    printf("%-14s %7u %8.1f %7.2f", pace.scheme, pace.workers, 1e-6 / each_s, each_s * 1e9);
    snprintf(script, sizeof script, "heapq_timing.py %u", pace.workers);
    if (ask_python(script, &heap_s, 1))
        printf(" %8.1f", heap_s / each_s);
    printf("\n");
}

static void bench_paces(void) {
    static const struct pace paces[] = {{"async", 1000, 10000000},
                                        {"ssp, bound: 8", 1000, 10000000},
                                        {"async", 100000, 20000000},
                                        {"ssp, bound: 8", 100000, 20000000}};
    printf("\n%-14s %7s %8s %7s %8s\n", "scheme", "workers", "M/s", "ns", "x heap");
    for (size_t q = 0; q < sizeof paces / sizeof *paces; q++)
        bench_pace(paces[q]);
}

/* `paces`: only those who push at their own pace. */
int main(int words, char **word) {
    static const struct size sizes[] = {
        {"cancel", 12, 2, 100000, 40},     {"cancel", 100, 10, 20000, 20},  {"cancel", 100, 90, 20000, 20},
        {"cancel", 1000, 10, 10000, 4},    {"cancel", 1000, 100, 10000, 4}, {"cancel", 10000, 1000, 2000, 2},
        {"cancel", 100000, 10000, 200, 2}, {"queue", 12, 2, 100000, 4},     {"queue", 1000, 100, 10000, 2}};
    if (words > 1 && strcmp(word[1], "paces") == 0) {
        bench_paces();
        return 0;
    }
    printf("%-6s %7s %6s %8s %7s %9s %6s %8s %8s\n", "late", "workers", "s", "M/s", "ns", "us/step", "2 cpus",
           "x loop", "x arrays");
    for (size_t q = 0; q < sizeof sizes / sizeof *sizes; q++)
        bench(sizes[q]);
    bench_beta();
    bench_paces();
    return 0;
}
