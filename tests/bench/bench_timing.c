/* Timing only, without an event queue: worker-steps a second on one thread, whole runs of `cancel` with exponential delays,
 * all that is printed in runs.csv, workers.csv and summary.csv included but not written. Median of five, and the same runs
 * event by event. Prints a table; never fails. */
#include "timed.h"
#include <gsl/gsl_statistics_double.h>
#include <stdio.h>

struct size {
    uint32_t workers, stragglers, steps, replications;
};

enum { TURNS = 5 };

static double median_s(struct size size) {
    struct study *study =
        timed_study("name: bench\n"
                    "problem: {loss: none}\n"
                    "stop: {steps: %u}\n"
                    "replications: %u\n"
                    "record: {every: summary}\n"
                    "cluster: {late: cancel, workers: [{count: %u, delay: {type: exponential, mean: 1s}}]}\n"
                    "schemes: [{type: ignore, stragglers: %u}]\n",
                    size.steps, size.replications, size.workers, size.stragglers);
    double took_s[TURNS];
    for (int turn = 0; turn < TURNS; turn++)
        took_s[turn] = timed_run(study);
    study_free(study);
    return gsl_stats_median(took_s, 1, TURNS);
}

int main(void) {
    static const struct size sizes[] = {{12, 2, 100000, 40},    {100, 10, 20000, 20},  {100, 90, 20000, 20},
                                        {1000, 10, 10000, 4},   {1000, 100, 10000, 4}, {10000, 1000, 4000, 1},
                                        {100000, 10000, 400, 1}};
    for (size_t q = 0; q < sizeof sizes / sizeof *sizes; q++) {
        struct size size = sizes[q];
        double count = (double)size.workers * size.steps * size.replications, took_s = median_s(size);
        printf("%7u workers, %5u stragglers: %7.1f M worker-steps a second, %6.2f ns each, %8.3f us a step\n",
               size.workers, size.stragglers, count / took_s * 1e-6, took_s / count * 1e9,
               took_s / size.steps / size.replications * 1e6);
    }
    return 0;
}
