/* Partitions that ignore-straggler codes recover, over straggler sets that are all alike. */
#include "prediction.h"
#include <math.h>

#define WORKERS "late: cancel, workers: [{count: 12, delay: {type: exponential, mean: 1}}]"
#define ROWS(count)                                                                                          \
    "problem: {loss: linear, data: {type: synthetic, samples: " #count ", features: 1, label_noise: 0}}\n"   \
    "optimizer: {learning_rate: 0.01}"

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
    /* (c1, c2, g) */
    {"isgc-hr: (1, 1, 3), s = 1", 12, 0, "isgc-hr, groups: 3, copies: 2, copies_local: 1, stragglers: 1"},
    {"isgc-hr: (1, 1, 3), s = 2", 11.636364, 0,
     "isgc-hr, groups: 3, copies: 2, copies_local: 1, stragglers: 2"},
    {"isgc-hr: (1, 1, 3), s = 3", 11.018182, 0,
     "isgc-hr, groups: 3, copies: 2, copies_local: 1, stragglers: 3"},
    {"isgc-hr: (1, 1, 3), s = 4", 10.230303, 0,
     "isgc-hr, groups: 3, copies: 2, copies_local: 1, stragglers: 4"},
    {"isgc-hr: (1, 1, 3), s = 5", 9.333333, 0,
     "isgc-hr, groups: 3, copies: 2, copies_local: 1, stragglers: 5"},
    {"isgc-hr: (1, 1, 3), s = 6", 8.363636, 0,
     "isgc-hr, groups: 3, copies: 2, copies_local: 1, stragglers: 6"},
    {"isgc-hr: (1, 1, 3), s = 7", 7.333333, 0,
     "isgc-hr, groups: 3, copies: 2, copies_local: 1, stragglers: 7"},
    {"isgc-hr: (1, 1, 3), s = 8", 6.230303, 0,
     "isgc-hr, groups: 3, copies: 2, copies_local: 1, stragglers: 8"},
    {"isgc-hr: (2, 1, 3), s = 1", 9, 0, "isgc-hr, groups: 3, copies: 3, copies_local: 2, stragglers: 1"},
    {"isgc-hr: (2, 1, 3), s = 2", 9, 0, "isgc-hr, groups: 3, copies: 3, copies_local: 2, stragglers: 2"},
    {"isgc-hr: (2, 1, 3), s = 3", 9, 0, "isgc-hr, groups: 3, copies: 3, copies_local: 2, stragglers: 3"},
    {"isgc-hr: (2, 1, 3), s = 4", 8.981818, 0,
     "isgc-hr, groups: 3, copies: 3, copies_local: 2, stragglers: 4"},
    {"isgc-hr: (2, 1, 3), s = 5", 8.909091, 0,
     "isgc-hr, groups: 3, copies: 3, copies_local: 2, stragglers: 5"},
    {"isgc-hr: (2, 1, 3), s = 6", 8.727273, 0,
     "isgc-hr, groups: 3, copies: 3, copies_local: 2, stragglers: 6"},
    {"isgc-hr: (2, 1, 3), s = 7", 8.363636, 0,
     "isgc-hr, groups: 3, copies: 3, copies_local: 2, stragglers: 7"},
    {"isgc-hr: (2, 1, 3), s = 8", 7.727273, 0,
     "isgc-hr, groups: 3, copies: 3, copies_local: 2, stragglers: 8"},
    /* 12 (1 - C(10, r) / C(12, r)): groups of two from whom nobody was heard are left out */
    {"erasurehead: recovered, r = 4", 6.909091, 0, "erasurehead, copies: 2, results: 4"},
    {"erasurehead: recovered, r = 6", 9.272727, 0, "erasurehead, copies: 2, results: 6"},
    {"erasurehead: recovered, r = 8", 10.909091, 0, "erasurehead, copies: 2, results: 8"},
};

const struct predictions predictions_recovered = {
    .title = "partitions recovered of 12",
    .cluster = WORKERS,
    .further = "problem: {loss: none}",
    .record = "1",
    .steps = 600,
    .replications = 20,
    .measure = recovered_mean,
    .tolerance = 6e-7,
    PREDICTION_LIST(list),
};

/* Of r rows of a partition, which take a second after the delay, the first is done by x with probability
 * 1 - exp(1/r - x). Steps in which nobody did any are no steps, so it is divided by 1 - exp(12 (1/r - x)). */
static const struct prediction rows[] = {
    {"anytime: partitions begun, 1 row each", 6.332383, 0, "anytime, seconds: 1.75s"},
    {"anytime: partitions begun, 2 rows each", 8.561945, 0, "anytime, seconds: 1.75s", NULL, ROWS(24)},
    {"anytime: partitions begun, 4 rows each", 9.322438, 0, "anytime, seconds: 1.75s", NULL, ROWS(48)},
};

const struct predictions predictions_rows = {
    .title = "partitions of 12 of which a row was done",
    .cluster = "late: cancel, workers: [{count: 12, compute: {type: constant, value: 1}, delay: {type: "
               "exponential, mean: 1}}]",
    .further = ROWS(12),
    .record = "1",
    .steps = 50,
    .replications = 40,
    .measure = recovered_mean,
    .tolerance = 6e-7,
    PREDICTION_LIST(rows),
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
    {"sgc: unbiased, d = 3, s = 4", 1, 0, "sgc, replication: 3, stragglers: 4"},
    {"bgc: unbiased, d = 12, s = 4", 1, 0, "bgc, density: 12, stragglers: 4"},
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

static double first_partition_weight(const struct sight *sight) {
    return sight->result->audited->partition[0].weight_mean;
}

static const struct prediction weights[] = {
    {"ignore: weight of partition 0, s = 4", 1, 0, "ignore, stragglers: 4"},
    {"isgc-fr: weight of partition 0, c = 2, s = 4", 1, 0, "isgc-fr, copies: 2, stragglers: 4"},
    {"isgc-cr: weight of partition 0, c = 2, s = 2", 1, 0, "isgc-cr, copies: 2, stragglers: 2"},
    {"sgc: weight of partition 0, d = 3, s = 4", 1, 0, "sgc, replication: 3, stragglers: 4"},
    {"bgc: weight of partition 0, d = 12, s = 4", 1, 0, "bgc, density: 12, stragglers: 4"},
    /* 1 - C(10, 6) / C(12, 6), not scaled; over all sets of responders and all their largest sets */
    {"erasurehead: weight of partition 0, r = 6", 9.272727 / 12, 0, "erasurehead, copies: 2, results: 6"},
    {"isgc-hr: weight of partition 0, (1, 2, 2), s = 4", 0.991751, 0,
     "isgc-hr, groups: 2, copies: 3, copies_local: 1, stragglers: 4"},
};

const struct predictions predictions_weights = {
    .title = "mean weight of a partition in the estimate",
    .cluster = WORKERS,
    .further = ROWS(12),
    .record = "summary, audit: true",
    .steps = 100,
    .replications = 40,
    .measure = first_partition_weight,
    .tolerance = 6e-7,
    PREDICTION_LIST(weights),
};
