/* Seconds per step where the fastest of fresh tasks close it: order statistics of exponential and other times. */
#include "prediction.h"

#define EXPONENTIAL "late: cancel, workers: [{count: 8, delay: {type: exponential, mean: 1}}]"
#define SHIFTED     "late: cancel, workers: [{count: 8, delay: {type: shifted-exponential, shift: 1, mean: 1}}]"
#define COMPUTE                                                                                              \
    "workers: [{count: 12, compute: {type: constant, value: 1}, delay: {type: exponential, mean: 1}}]"
#define MULTIPLIED "late: cancel, load: multiplicative, " COMPUTE

static const struct prediction list[] = {
    /* H_n - H_{n-K}: the K-th of n exponential times */
    {"ignore: 1 of 8, exponential", .125, 0, "ignore, stragglers: 7", EXPONENTIAL},
    {"ignore: 4 of 8, exponential", .634524, 0, "ignore, stragglers: 4", EXPONENTIAL},
    {"ignore: 6 of 8, exponential", 1.217857, 0, "ignore, stragglers: 2", EXPONENTIAL},
    {"ignore: 8 of 8, exponential", 2.717857, 0, "ignore, stragglers: 0", EXPONENTIAL},
    {"ignore: 1 of 8, shifted exponential", 1.125, 0, "ignore, stragglers: 7", SHIFTED},
    {"ignore: 4 of 8, shifted exponential", 1.634524, 0, "ignore, stragglers: 4", SHIFTED},
    {"ignore: 8 of 8, shifted exponential", 3.717857, 0, "ignore, stragglers: 0", SHIFTED},
    /* c + H_12 - H_s, additive; c (1 + H_12 - H_s), multiplicative */
    {"gc-cr: s = 0", 4.103211, 0, "gc-cr, stragglers: 0"},
    {"gc-cr: s = 1", 4.103211, 0, "gc-cr, stragglers: 1"},
    {"gc-cr: s = 2", 4.603211, 0, "gc-cr, stragglers: 2"},
    {"gc-cr: s = 3", 5.269877, 0, "gc-cr, stragglers: 3"},
    {"gc-cr: s = 5", 6.819877, 0, "gc-cr, stragglers: 5"},
    {"gc-cr: s = 1, multiplicative", 6.206421, 0, "gc-cr, stragglers: 1", MULTIPLIED},
    /* h + H_12 - H_s: h local steps and one delay */
    {"local: 3 steps, s = 0", 6.103211, 0, "local, local_steps: 3"},
    {"local: 10 steps, s = 3", 11.269877, 0, "local, local_steps: 10, stragglers: 3"},
    /* c + H_{n/c} / c: the fastest of each group, the slowest group */
    {"gc-fr: s = 1, decodable", 3.225, 0, "gc-fr, stragglers: 1, wait: {type: decodable}"},
    {"gc-fr: s = 2, decodable", 3.694444, 0, "gc-fr, stragglers: 2, wait: {type: decodable}"},
    {"gc-fr: s = 3, decodable", 4.458333, 0, "gc-fr, stragglers: 3, wait: {type: decodable}"},
    {"gc-fr: s = 5, decodable", 6.25, 0, "gc-fr, stragglers: 5, wait: {type: decodable}"},
};

const struct predictions predictions_steps = {
    .title = "seconds per step, late: cancel",
    .cluster = "late: cancel, " COMPUTE,
    .further = "problem: {loss: none}",
    .record = "summary",
    .steps = 600,
    .replications = 40,
    .measure = measure_step_s,
    .tolerance = 6e-7,
    PREDICTION_LIST(list),
};
