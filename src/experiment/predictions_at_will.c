/* Seconds per update of schemes without a barrier, in the long run. Values with an error are of independent simulations. */
#include "prediction.h"

#define EXPONENTIAL "workers: [{count: 8, delay: {type: exponential, mean: 1}}]"
#define SHIFTED     "workers: [{count: 8, delay: {type: shifted-exponential, shift: 1, mean: 1}}]"
#define PARETO      "workers: [{count: 8, delay: {type: pareto, minimum: 1, shape: 2.5}}]"
#define START       400 /* updates until what all workers began together is forgotten: 50 of each */

static double long_run_step_s(const struct sight *sight) {
    const struct result *result = sight->result;
    const struct step_row *first = &result->step[START], *last = &result->step[result->steps - 1];
    return (last->time_s - first->time_s) / (last->step - first->step);
}

static const struct prediction list[] = {
    /* E[X]/n, as nobody ever waits */
    {"async: of 8, exponential", .125, 0, "async", EXPONENTIAL},
    {"async: of 8, shifted exponential", .25, 0, "async", SHIFTED},
    /* H_n - H_{n-K}: who goes on has no memory */
    {"k-async: 1 of 8, exponential", .125, 0, "k-async, k: 1", EXPONENTIAL},
    {"k-async: 4 of 8, exponential", .634524, 0, "k-async, k: 4", EXPONENTIAL},
    {"k-async: 8 of 8, exponential", 2.717857, 0, "k-async, k: 8", EXPONENTIAL},
    {"k-async: 1 of 8, shifted exponential", .25, 0, "k-async, k: 1", SHIFTED},
    {"k-async: 4 of 8, shifted exponential", 1.240511, .000110, "k-async, k: 4", SHIFTED},
    {"k-async: 8 of 8, shifted exponential", 3.717857, 0, "k-async, k: 8", SHIFTED},
    /* K E[X]/n */
    {"k-batch-async: 1 of 8, exponential", .125, 0, "k-batch-async, k: 1", EXPONENTIAL},
    {"k-batch-async: 4 of 8, exponential", .5, 0, "k-batch-async, k: 4", EXPONENTIAL},
    {"k-batch-async: 8 of 8, exponential", 1, 0, "k-batch-async, k: 8", EXPONENTIAL},
    {"k-batch-async: 1 of 8, shifted exponential", .25, 0, "k-batch-async, k: 1", SHIFTED},
    {"k-batch-async: 4 of 8, shifted exponential", 1, 0, "k-batch-async, k: 4", SHIFTED},
    {"k-batch-async: 8 of 8, shifted exponential", 2, 0, "k-batch-async, k: 8", SHIFTED},
    {"k-batch-async: 4 of 8, pareto", .833333, 0, "k-batch-async, k: 4", PARETO},
    /* the K-th of all that n workers finish, one after another, from the update on */
    {"k-batch-sync: 1 of 8, exponential", .125, 0, "k-batch-sync, k: 1", EXPONENTIAL},
    {"k-batch-sync: 4 of 8, exponential", .5, 0, "k-batch-sync, k: 4", EXPONENTIAL},
    {"k-batch-sync: 8 of 8, exponential", 1, 0, "k-batch-sync, k: 8", EXPONENTIAL},
    {"k-batch-sync: 1 of 8, shifted exponential", 1.125, 0, "k-batch-sync, k: 1", SHIFTED},
    {"k-batch-sync: 4 of 8, shifted exponential", 1.631235, 0, "k-batch-sync, k: 4", SHIFTED},
    {"k-batch-sync: 8 of 8, shifted exponential", 2.670761, 0, "k-batch-sync, k: 8", SHIFTED},
};

const struct predictions predictions_at_will = {
    .title = "seconds per update without a barrier",
    .further = "problem: {loss: none}",
    .record = "1",
    .steps = 1600,
    .replications = 40,
    .measure = long_run_step_s,
    .tolerance = 6e-7,
    PREDICTION_LIST(list),
};

static double gradients_per_second(const struct sight *sight) {
    return 1 / long_run_step_s(sight);
}

static const struct prediction rates[] = {
    /* n / E[the slowest of n] */
    {"ssp: bound 0, exponential", 2.943495, 0, "ssp, bound: 0", EXPONENTIAL},
    {"ssp: bound 0, shifted exponential", 2.151777, 0, "ssp, bound: 0", SHIFTED},
    {"ssp: bound 1, exponential", 4.462954, 0, "ssp, bound: 1", EXPONENTIAL},
    {"ssp: bound 1, shifted exponential", 3.1162, .0008, "ssp, bound: 1", SHIFTED},
};

/* The inverse of a mean of 8,000 times is off by its relative variance, below 2e-4 of the rate of independent clocks. */
const struct predictions predictions_bounded = {
    .title = "gradients per second, stale synchronous",
    .further = "problem: {loss: none}",
    .record = "1",
    .steps = 8000,
    .replications = 40,
    .measure = gradients_per_second,
    .tolerance = 6e-7,
    PREDICTION_LIST(rates),
};
