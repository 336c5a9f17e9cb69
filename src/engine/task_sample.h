/* task_sample.h: a seeded sample of the seconds that a cluster's tasks take, for what has no formula. */
#ifndef LAGGARD_TASK_SAMPLE_H
#define LAGGARD_TASK_SAMPLE_H
#include "outlook.h"

/* Processor seconds after which a sample begins no further step. */
#define TASK_SAMPLE_LIMIT_S 2.0

struct task_sample {
    uint32_t tasks;
    bool cut; /* it took too long, and is shorter than planned */
    double mean_s, deviation_s, p99_s;
    double largest_s; /* mean over the steps of the largest of a step */
    struct {
        double mean_s, deviation_s, p99_s, largest_s;
    } errors; /* standard errors, from 16 stretches of the sample that have nothing or little in common; NAN: unknown */
};

/* About 20,000 tasks and 20,000 steps at least where that is no more than 2,000,000 tasks. Each step is the first of a
 * replication of its own, but with a trace, which is read in 16 stretches of 25 consecutive steps or more. */
struct task_sample task_sample_draw(const struct cluster_spec *spec, const struct outlook_request *request);
/* Lag-1 correlation within a worker, the mean over the workers, from consecutive steps; NAN where nothing varies. Writes
 * the number of tasks. */
double task_sample_correlation(const struct cluster_spec *spec, const struct outlook_request *request,
                               uint32_t *tasks);
#endif
