/* How old pipelined gradients are under the three late rules: c = 4 of 12 workers, nine results close a step. */
#include "prediction.h"
#include <math.h>

#define WORKERS                                                                                              \
    "workers: [{count: 12, compute: {type: constant, value: 0.5}, delay: {type: exponential, mean: 1}}]"
#define START 50 /* steps until the first messages no longer hold w_0 */

static double staleness_mean(const struct sight *sight) {
    const struct result *result = sight->result;
    double sum = 0;
    for (size_t r = START; r < result->steps; r++)
        sum += result->step[r].staleness_mean;
    return sum / (double)(result->steps - START);
}

static const struct prediction means[] = {
    /* (c - 1) / 2; (c - 1) / 2 + (c - 1) s / (n - s); of an independent simulation */
    {"pgc-cr: staleness, queue", 1.5, 0, "pgc-cr, stragglers: 3", "late: queue, " WORKERS},
    {"pgc-cr: staleness, cancel", 2.5, 0, "pgc-cr, stragglers: 3", "late: cancel, " WORKERS},
    {"pgc-cr: staleness, latest", 1.57770, .00041, "pgc-cr, stragglers: 3", "late: latest, " WORKERS},
};

const struct predictions predictions_staleness = {
    .title = "mean staleness in steps",
    .further = "problem: {loss: none}",
    .record = "1",
    .steps = 2000,
    .replications = 20,
    .measure = staleness_mean,
    .tolerance = 1e-9,
    PREDICTION_LIST(means),
};

static double staleness_largest(const struct sight *sight) {
    double largest = 0;
    for (size_t r = 1; r < sight->result->steps; r++)
        largest = fmax(largest, sight->result->step[r].staleness_max);
    return largest;
}

static const struct prediction largest[] = {
    {"pgc-fr: largest staleness, queue", 3, 0, "pgc-fr, stragglers: 3"},
    {"pgc-cr: largest staleness, queue", 3, 0, "pgc-cr, stragglers: 3"},
};

const struct predictions predictions_stalest = {
    .title = "largest staleness in steps: c - 1",
    .cluster = "late: queue, " WORKERS,
    .further = "problem: {loss: none}",
    .record = "1",
    .steps = 2000,
    .replications = 2,
    .measure = staleness_largest,
    .tolerance = 0,
    PREDICTION_LIST(largest),
};

static double backlog_growth(const struct sight *sight) {
    return (double)sight->result->worker[0].backlog_end / sight->result->run.steps;
}

static const struct prediction growths[] = {
    {"pgc-cr: backlog of a slow worker", .32, 0, "pgc-cr, stragglers: 3"},
};

/* The value is known to two digits. */
const struct predictions predictions_backlog = {
    .title = "tasks per step by which a worker at a fifth of the speed falls behind",
    .cluster = "late: queue, workers: [{speed: 0.2, compute: {type: constant, value: 0.5}, delay: {type: "
               "exponential, mean: 1}}, {count: 11, compute: {type: constant, value: 0.5}, delay: {type: "
               "exponential, mean: 1}}]",
    .further = "problem: {loss: none}",
    .record = "summary",
    .steps = 2000,
    .replications = 20,
    .measure = backlog_growth,
    .tolerance = 5e-3,
    PREDICTION_LIST(growths),
};
