/* drawn.h: times drawn from a law written as in a scenario, for tests. */
#ifndef LAGGARD_TESTS_DRAWN_H
#define LAGGARD_TESTS_DRAWN_H
#include "dependence.h"
#include "fitter.h"

/* `count` times of a law such as {type: exponential, mean: 1s}. */
struct sample *drawn_sample(const char *law, size_t count, uint64_t seed);

/* A cluster of workers that log-normal times come from: a worker's slowness, spells of slow steps. */
struct drawn_cluster {
    size_t workers, rounds;
    double deviation;                   /* of the logarithm of a time */
    double slowness;                    /* deviation of the logarithm of a worker's factor; 0: none */
    double p_slow, p_recover, slowdown; /* slowdown 1: no spells */
    uint64_t seed;
};
/* Times in seconds, a row per round; heap. The median of a fast worker's is 1 s. */
double *drawn_times(const struct drawn_cluster *cluster);

/* The fitter of that name; ends the test when there is none. */
const struct fitter *fitter_named(const char *name);
#endif
