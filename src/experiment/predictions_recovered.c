/* Partitions that ignore-straggler codes recover, over straggler sets that are all alike. */
#include "prediction.h"
#include <math.h>

#define WORKERS "late: cancel, workers: [{count: 12, delay: {type: exponential, mean: 1}}]"

static double recovered_mean(const struct sight *sight) {
    const struct result *result = sight->result;
    double sum = 0;
    for (size_t r = 1; r < result->steps; r++)
        sum += result->step[r].recovered;
    return sum / ((double)result->steps - 1);
}

static const struct prediction list[] = {
    {"isgc-fr: c = 2, s = 1", 12, 0, "isgc-fr, copies: 2, stragglers: 1"},
    {"isgc-fr: c = 2, s = 2", 11.818182, 0, "isgc-fr, copies: 2, stragglers: 2"},
    {"isgc-fr: c = 2, s = 3", 11.454545, 0, "isgc-fr, copies: 2, stragglers: 3"},
    {"isgc-fr: c = 2, s = 4", 10.909091, 0, "isgc-fr, copies: 2, stragglers: 4"},
    {"isgc-fr: c = 2, s = 6", 9.272727, 0, "isgc-fr, copies: 2, stragglers: 6"},
    {"isgc-fr: c = 2, s = 8", 6.909091, 0, "isgc-fr, copies: 2, stragglers: 8"},
    {"isgc-cr: c = 2, s = 1", 12, 0, "isgc-cr, copies: 2, stragglers: 1"},
    {"isgc-cr: c = 2, s = 2", 10.909091, 0, "isgc-cr, copies: 2, stragglers: 2"},
    {"isgc-cr: c = 2, s = 3", 10.363636, 0, "isgc-cr, copies: 2, stragglers: 3"},
    {"isgc-cr: c = 2, s = 4", 9.696970, 0, "isgc-cr, copies: 2, stragglers: 4"},
    {"isgc-cr: c = 2, s = 6", 8.155844, 0, "isgc-cr, copies: 2, stragglers: 6"},
    {"isgc-cr: c = 2, s = 8", 6.206061, 0, "isgc-cr, copies: 2, stragglers: 8"},
    {"isgc-cr: c = 3, s = 0", 12, 0, "isgc-cr, copies: 3, stragglers: 0"},
    {"isgc-cr: c = 3, s = 1", 12, 0, "isgc-cr, copies: 3, stragglers: 1"},
    {"isgc-cr: c = 3, s = 2", 12, 0, "isgc-cr, copies: 3, stragglers: 2"},
    {"isgc-cr: c = 3, s = 3", 11.127273, 0, "isgc-cr, copies: 3, stragglers: 3"},
    {"isgc-cr: c = 3, s = 4", 10.254545, 0, "isgc-cr, copies: 3, stragglers: 4"},
    {"isgc-cr: c = 3, s = 5", 9.636364, 0, "isgc-cr, copies: 3, stragglers: 5"},
    {"isgc-cr: c = 3, s = 6", 9.136364, 0, "isgc-cr, copies: 3, stragglers: 6"},
};

const struct predictions predictions_recovered = {
    .title = "partitions recovered of 12",
    .cluster = WORKERS,
    .further = "problem: {loss: none}",
    .record = "1",
    .steps = 1000,
    .replications = 20,
    .measure = recovered_mean,
    .tolerance = 6e-7,
    PREDICTION_LIST(list),
};

/* Of the sets that are largest one is drawn, all alike, so no worker is favoured: each is used in recovered / (c n) of the
 * steps, the first too. */
static double first_worker_used(const struct sight *sight) {
    return sight->result->worker[0].participation;
}

static const struct prediction ties[] = {
    {"isgc-cr: worker 0 used, c = 2, s = 2", 10.909091 / 24, 0, "isgc-cr, copies: 2, stragglers: 2"},
    {"isgc-cr: worker 0 used, c = 2, s = 4", 9.696970 / 24, 0, "isgc-cr, copies: 2, stragglers: 4"},
    {"isgc-cr: worker 0 used, c = 3, s = 3", 11.127273 / 36, 0, "isgc-cr, copies: 3, stragglers: 3"},
};

const struct predictions predictions_ties = {
    .title = "share of steps in which a worker is used",
    .cluster = WORKERS,
    .further = "problem: {loss: none}",
    .record = "summary",
    .steps = 1000,
    .replications = 20,
    .measure = first_worker_used,
    .tolerance = 6e-7,
    PREDICTION_LIST(ties),
};

/* With one weight, no noise and plain sgd every step multiplies the error by 1 - eta h_t, where h_t is what the estimate
 * makes of the Hessian h. Straggler sets are independent, so an unbiased estimate leaves in the mean exactly the error that
 * the full gradient leaves; the loss is the square of the error. Partitions of two rows differ much in their Hessians. */
static double error_ratio(const struct sight *sight) {
    return sqrt(sight->result->run.final_loss / sight->reference->run.final_loss);
}

static const struct prediction unbiased[] = {
    {"ignore: unbiased, s = 4", 1, 0, "ignore, stragglers: 4"},
    {"isgc-fr: unbiased, c = 2, s = 4", 1, 0, "isgc-fr, copies: 2, stragglers: 4"},
    {"isgc-cr: unbiased, c = 2, s = 2", 1, 0, "isgc-cr, copies: 2, stragglers: 2"},
    {"isgc-cr: unbiased, c = 3, s = 4", 1, 0, "isgc-cr, copies: 3, stragglers: 4"},
};

const struct predictions predictions_unbiased = {
    .title = "error after 50 steps, relative to the full gradient's",
    .cluster = WORKERS,
    .further = "problem: {loss: linear, data: {type: synthetic, samples: 24, features: 1, label_noise: 0}}\n"
               "optimizer: {learning_rate: 0.01}",
    .reference = "uncoded",
    .record = "summary",
    .steps = 50,
    .replications = 400,
    .measure = error_ratio,
    .tolerance = 1e-12,
    PREDICTION_LIST(unbiased),
};
