/* How schemes train: which must follow uncoded training, and how pipelined codes converge on a quadratic. */
#include "prediction.h"
#include <math.h>
#include <string.h>

#define WORKERS                                                                                              \
    "workers: [{count: 12, compute: {type: constant, value: 1}, delay: {type: exponential, mean: 1}}]"
#define DATA     "l2: 0.01, data: {type: synthetic, samples: 157, features: 9, intercept: true}}\n"
#define MOMENTUM "problem: {loss: linear, " DATA "optimizer: {type: momentum, learning_rate: 0.3}"
#define ADAM     "problem: {loss: logistic, " DATA "optimizer: {type: adam, learning_rate: 0.3}"
#define BATCHES  "problem: {loss: logistic, batch: 4, " DATA "optimizer: {type: nesterov, learning_rate: 0.3}"

static double largest_difference(const struct sight *sight) {
    const struct result *result = sight->result, *reference = sight->reference;
    double largest = result->steps == reference->steps ? 0 : (double)INFINITY;
    for (size_t r = 0; r < result->steps && r < reference->steps; r++)
        largest = fmax(largest, fabs(result->step[r].loss / reference->step[r].loss - 1));
    return largest;
}

static const struct prediction trajectories[] = {
    {"uncoded: decoded as it is", 0, 0, "uncoded, decode: real"},
    {"gc-fr: as uncoded", 0, 0, "gc-fr, stragglers: 2, decode: real"},
    {"gc-fr: as uncoded, decodable", 0, 0, "gc-fr, stragglers: 2, decode: real, wait: {type: decodable}"},
    {"gc-fr: as uncoded, momentum", 0, 0, "gc-fr, stragglers: 2, decode: real", NULL, MOMENTUM},
    {"gc-cr: as uncoded", 0, 0, "gc-cr, stragglers: 2, decode: real"},
    {"gc-cr: as uncoded, all waited for", 0, 0, "gc-cr, stragglers: 2, decode: real, wait: {type: all}"},
    {"gc-cr: as uncoded, momentum", 0, 0, "gc-cr, stragglers: 2, decode: real", NULL, MOMENTUM},
    {"gc-cr: as uncoded, adam", 0, 0, "gc-cr, stragglers: 2, decode: real", NULL, ADAM},
    {"gc-cr: as uncoded, batches, nesterov", 0, 0, "gc-cr, stragglers: 2, decode: real", NULL, BATCHES},
    {"ignore: as uncoded, s = 0", 0, 0, "ignore, stragglers: 0, decode: real"},
    {"local: as uncoded, H = 1", 0, 0, "local, local_steps: 1, decode: real"},
    {"pgc-fr: as uncoded, s = 0", 0, 0, "pgc-fr, stragglers: 0, decode: real"},
    {"pgc-cr: as uncoded, s = 0", 0, 0, "pgc-cr, stragglers: 0, decode: real"},
    {"pgc-cr-naive: as uncoded, s = 0", 0, 0, "pgc-cr-naive, stragglers: 0, decode: real"},
    {"isgc-fr: as uncoded, s = 0", 0, 0, "isgc-fr, copies: 3, stragglers: 0, decode: real"},
    {"isgc-cr: as uncoded, s = 0", 0, 0, "isgc-cr, copies: 3, stragglers: 0, decode: real"},
    {"gc-mds: as uncoded, s = 3", 0, 0, "gc-mds, stragglers: 3, decode: real"},
    {"gc-mds: as uncoded, complex", 0, 0, "gc-mds, stragglers: 2, field: complex, decode: real"},
    {"gc-deadline: as uncoded", 0, 0, "gc-deadline, stragglers: 2, decode: real"},
    {"isgc-hr: as uncoded, s = 0", 0, 0, "isgc-hr, copies: 3, groups: 2, stragglers: 0, decode: real"},
    {"sgc: as uncoded, s = 0", 0, 0, "sgc, replication: 3, stragglers: 0, decode: real"},
    {"bgc: as uncoded, d = 12", 0, 0, "bgc, density: 12, stragglers: 2, decode: real"},
    {"erasurehead: as uncoded, r = 12", 0, 0, "erasurehead, copies: 3, results: 12, decode: real"},
    {"multi-message: as uncoded", 0, 0, "multi-message, copies: 3, decode: real"},
    {"partial-fr: as uncoded", 0, 0, "partial-fr, stragglers: 2, pieces: 5, decode: real"},
    {"partial-cr: as uncoded", 0, 0, "partial-cr, stragglers: 2, pieces: 5, decode: real"},
    {"anytime: as uncoded, a day", 0, 0, "anytime, seconds: 86400s, decode: real"},
};

/* 60 steps of at most 157 additions, each rounded by 1.1e-16, times the largest decode weight of this code, below 100,
 * against losses above 0.1. */
const struct predictions predictions_trajectories = {
    .title = "largest relative difference of the loss to uncoded training, 60 steps",
    .cluster = WORKERS,
    .further = "problem: {loss: logistic, " DATA "optimizer: {learning_rate: 0.3}",
    .reference = "uncoded",
    .record = "1",
    .steps = 60,
    .replications = 2,
    .measure = largest_difference,
    .tolerance = 60 * 157 * 1.1e-16 * 100 / 0.1,
    PREDICTION_LIST(trajectories),
};

/* A feature that is always 0, an intercept that is 1: F(b) = mean of (b - y)^2 / 2, a Hessian of 1, the same in every
 * partition, and a least loss of half the variance of y. */
#define QUADRATIC                                                                                            \
    "problem: {loss: linear, data: {type: synthetic, samples: 24, features: 1, sparsity: 0.999, intercept: " \
    "true, label_noise: 1}}\n"

static double least_loss(const struct sight *sight) {
    const struct dataset *data = sight->scenario->objective.data;
    double mean = 0, variance = 0;
    for (uint32_t r = 0; r < data->samples; r++)
        mean += data->label[r] / data->samples;
    for (uint32_t r = 0; r < data->samples; r++)
        variance += (data->label[r] - mean) * (data->label[r] - mean) / data->samples;
    return variance / 2;
}

/* Of the squared error, over the steps of a window. */
static double squares_from(const struct sight *sight, size_t first, size_t steps) {
    double sum = 0, least = least_loss(sight);
    for (size_t r = first; r < first + steps; r++)
        sum += sight->result->step[r].loss - least;
    return sum;
}

/* From step 60 to step 100 the squared error falls from 1e-3 to 1e-5 of the loss, whose rounding leaves 1e-11 of it. */
static double decay(const struct sight *sight) {
    return pow(squares_from(sight, 100, 1) / squares_from(sight, 60, 1), 1.0 / 80);
}

/* The largest roots of z^c - z^(c-1) + (0.05 / c) (z^(c-1) + ... + 1). */
static const struct prediction decays[] = {
    {"pgc-cr: decay, c = 1", 0.9500000000, 0, "pgc-cr, stragglers: 0, wait: {type: all}, decode: real"},
    {"pgc-cr: decay, c = 2", 0.9486466686, 0, "pgc-cr, stragglers: 1, wait: {type: all}, decode: real"},
    {"pgc-cr: decay, c = 3", 0.9471586597, 0, "pgc-cr, stragglers: 2, wait: {type: all}, decode: real"},
    {"pgc-cr: decay, c = 4", 0.9455092023, 0, "pgc-cr, stragglers: 3, wait: {type: all}, decode: real"},
    {"pgc-fr: decay, c = 3", 0.9471586597, 0, "pgc-fr, stragglers: 2, wait: {type: all}, decode: real"},
    /* (1 - 0.05)^H; down to 1e-9 of the loss, whose rounding leaves 1e-7 of it */
    {"local: decay, H = 2", 0.9025, 0, "local, local_steps: 2"},
};

const struct predictions predictions_decay = {
    .title = "error per step on a quadratic, eta h = 0.05",
    .cluster = WORKERS,
    .further = QUADRATIC "optimizer: {learning_rate: 0.05}",
    .record = "1",
    .steps = 120,
    .replications = 1,
    .measure = decay,
    .tolerance = 1e-6,
    PREDICTION_LIST(decays),
};

/* At the edge of stability the error swings for ever. Over windows of 400 steps that lie 1,000 apart a swing of any period
 * is even to 1 in 400, which leaves 1e-6 of the growth per step. */
static double growth(const struct sight *sight) {
    return pow(squares_from(sight, 1500, 400) / squares_from(sight, 500, 400), 1.0 / 2000);
}

/* eta h = c (1 - cos(pi / c)). */
static const struct prediction edges[] = {
    {"pgc-cr: edge, c = 2", 1, 0, "pgc-cr, stragglers: 1, wait: {type: all}, decode: real", NULL,
     QUADRATIC "optimizer: {learning_rate: 2}"},
    {"pgc-cr: edge, c = 3", 1, 0, "pgc-cr, stragglers: 2, wait: {type: all}, decode: real", NULL,
     QUADRATIC "optimizer: {learning_rate: 1.5}"},
    {"pgc-cr: edge, c = 4", 1, 0, "pgc-cr, stragglers: 3, wait: {type: all}, decode: real", NULL,
     QUADRATIC "optimizer: {learning_rate: 1.1715728752538099}"},
};

const struct predictions predictions_edge = {
    .title = "error per step at the largest stable step size",
    .cluster = WORKERS,
    .record = "1",
    .steps = 2000,
    .replications = 1,
    .measure = growth,
    .tolerance = 1e-5,
    PREDICTION_LIST(edges),
};

static double diverged(const struct sight *sight) {
    return strcmp(sight->result->run.status, status_name(STATUS_DIVERGED)) == 0;
}

static const struct prediction naive[] = {
    {"pgc-cr-naive: diverges, c = 6", 1, 0, "pgc-cr-naive, stragglers: 5"},
    {"pgc-cr: does not diverge, c = 6", 0, 0, "pgc-cr, stragglers: 5"},
};

/* Source: Su and Li, arXiv 2607.20739, section V.A. */
const struct predictions predictions_naive = {
    .title = "runs that diverge",
    .cluster = "workers: [{count: 12, delay: {type: exponential, mean: 1}}]",
    .further = "problem: {loss: linear, l2: 0.001, data: {type: synthetic, samples: 600, features: 10}}\n"
               "optimizer: {learning_rate: 0.1}",
    .record = "summary",
    .steps = 2000,
    .replications = 2,
    .measure = diverged,
    .tolerance = 0,
    PREDICTION_LIST(naive),
};
