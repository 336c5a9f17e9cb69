/* Seconds per step under the three late rules. Values with an error are of independent simulations. */
#include "prediction.h"

#define HALF                                                                                                 \
    "workers: [{count: 12, compute: {type: constant, value: 0.5}, delay: {type: exponential, mean: 1}}]"
#define WHOLE                                                                                                \
    "workers: [{count: 12, compute: {type: constant, value: 1}, delay: {type: exponential, mean: 1}}]"
#define ONE_SLOW                                                                                             \
    "late: queue, workers: [{speed: 0.2, compute: {type: constant, value: 0.5}, delay: {type: exponential, " \
    "mean: 1}}, {count: 11, compute: {type: constant, value: 0.5}, delay: {type: exponential, mean: 1}}]"
#define QUEUE  "late: queue, " HALF
#define CANCEL "late: cancel, " HALF
#define LATEST "late: latest, " HALF

static const struct prediction list[] = {
    {"pgc-cr: c = 4, queue", 2.20432, .00167, "pgc-cr, stragglers: 3", QUEUE},
    {"pgc-cr: c = 4, cancel", 1.769877, 0, "pgc-cr, stragglers: 3", CANCEL},
    {"pgc-cr: c = 4, latest", 2.10852, .00162, "pgc-cr, stragglers: 3", LATEST},
    {"pgc-cr: c = 4, queue, a slow worker", 2.36911, .00191, "pgc-cr, stragglers: 3", ONE_SLOW},
    {"ignore: 6 of 12, queue", 1.8154, .0016, "ignore, stragglers: 6", QUEUE},
    {"ignore: 6 of 12, latest", 1.5844, .0015, "ignore, stragglers: 6", LATEST},
    {"ignore: 6 of 12, cancel", 1.153211, 0, "ignore, stragglers: 6", CANCEL},
    {"ignore: 11 of 12, queue", 2.8030, .0032, "ignore, stragglers: 1", QUEUE},
    {"ignore: 11 of 12, latest", 2.7813, .0031, "ignore, stragglers: 1", LATEST},
    {"ignore: 11 of 12, cancel", 2.603211, 0, "ignore, stragglers: 1", CANCEL},
    {"ignore: 12 of 12, queue", 3.603211, 0, "ignore, stragglers: 0", QUEUE},
    {"ignore: 12 of 12, latest", 3.603211, 0, "ignore, stragglers: 0", LATEST},
    {"gc-cr: s = 1, queue", 4.3051, .0041, "gc-cr, stragglers: 1"},
    {"gc-cr: s = 2, queue", 4.9362, .0031, "gc-cr, stragglers: 2"},
    {"gc-cr: s = 3, queue", 5.7054, .0025, "gc-cr, stragglers: 3"},
    {"gc-cr: s = 5, queue", 7.4151, .0020, "gc-cr, stragglers: 5"},
};

const struct predictions predictions_late = {
    .title = "seconds per step, late rules",
    .cluster = "late: queue, " WHOLE,
    .further = "problem: {loss: none}",
    .record = "summary",
    .steps = 1000,
    .replications = 40,
    .measure = measure_step_s,
    .tolerance = 6e-7,
    PREDICTION_LIST(list),
};
