/* Timing only, without an event queue: worker-steps a second on one thread and on two, whole runs of exponential delays, all
 * that is printed in runs.csv, workers.csv and summary.csv included but not written. Medians of five; each beside the same by
 * numpy, a loop over the steps and whole arrays, where there is one (numpy_timing.py). Prints a table; never fails. */
#include "timed.h"
#include <gsl/gsl_statistics_double.h>
#include <stdio.h>
#include <stdlib.h>
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

/* False where there is no numpy. */
static bool ask_numpy(struct size size, double each_s[2]) {
    char command[512];
    uint32_t steps = 4000000 / size.workers + 10;
    snprintf(command, sizeof command, "/usr/bin/python3 %s/tests/bench/numpy_timing.py %u %u %u 2>/dev/null",
             getenv("LAGGARD_SOURCE") ? getenv("LAGGARD_SOURCE") : ".", size.workers, size.stragglers, steps);
    FILE *answer = popen(command, "r");
    bool good = answer && fscanf(answer, "%lf %lf", &each_s[0], &each_s[1]) == 2;
    if (answer)
        pclose(answer);
    return good;
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

int main(void) {
    static const struct size sizes[] = {
        {"cancel", 12, 2, 100000, 40},     {"cancel", 100, 10, 20000, 20},  {"cancel", 100, 90, 20000, 20},
        {"cancel", 1000, 10, 10000, 4},    {"cancel", 1000, 100, 10000, 4}, {"cancel", 10000, 1000, 2000, 2},
        {"cancel", 100000, 10000, 200, 2}, {"queue", 12, 2, 100000, 4},     {"queue", 1000, 100, 10000, 2}};
    printf("%-6s %7s %6s %8s %7s %9s %6s %8s %8s\n", "late", "workers", "s", "M/s", "ns", "us/step", "2 cpus",
           "x loop", "x arrays");
    for (size_t q = 0; q < sizeof sizes / sizeof *sizes; q++)
        bench(sizes[q]);
    bench_beta();
    return 0;
}
