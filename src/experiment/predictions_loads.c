/* Seconds per step under the three load rules: compute 1 s, exponential delays of mean 1 s, K of 12, tasks of one and of two
 * partitions. */
#include "prediction.h"

#define WORKERS                                                                                              \
    "late: cancel, workers: [{count: 12, compute: {type: constant, value: 1}, delay: {type: exponential, "   \
    "mean: 1}}]"
#define MULTIPLICATIVE "load: multiplicative, " WORKERS
#define INDEPENDENT    "load: independent, " WORKERS

static const struct prediction list[] = {
    {"ignore: 6 of 12, additive", 1.653211, 0, "ignore, stragglers: 6"},
    {"ignore: 8 of 12, multiplicative", 2.019877, 0, "ignore, stragglers: 4", MULTIPLICATIVE},
    {"ignore: 9 of 12, independent", 2.269877, 0, "ignore, stragglers: 3", INDEPENDENT},
    {"ignore: 10 of 12, additive", 2.603211, 0, "ignore, stragglers: 2"},
    {"ignore: 11 of 12, multiplicative", 3.103211, 0, "ignore, stragglers: 1", MULTIPLICATIVE},
    {"ignore: 12 of 12, independent", 4.103211, 0, "ignore, stragglers: 0", INDEPENDENT},
    {"isgc-fr: 2 copies, 6 of 12, additive", 2.653211, 0, "isgc-fr, copies: 2, stragglers: 6"},
    {"isgc-fr: 2 copies, 8 of 12, additive", 3.019877, 0, "isgc-fr, copies: 2, stragglers: 4"},
    {"isgc-fr: 2 copies, 9 of 12, additive", 3.269877, 0, "isgc-fr, copies: 2, stragglers: 3"},
    {"isgc-fr: 2 copies, 10 of 12, additive", 3.603211, 0, "isgc-fr, copies: 2, stragglers: 2"},
    {"isgc-fr: 2 copies, 11 of 12, additive", 4.103211, 0, "isgc-fr, copies: 2, stragglers: 1"},
    {"isgc-fr: 2 copies, 12 of 12, additive", 5.103211, 0, "isgc-fr, copies: 2, stragglers: 0"},
    {"isgc-fr: 2 copies, 6 of 12, multiplicative", 3.306421, 0, "isgc-fr, copies: 2, stragglers: 6",
     MULTIPLICATIVE},
    {"isgc-fr: 2 copies, 8 of 12, multiplicative", 4.039755, 0, "isgc-fr, copies: 2, stragglers: 4",
     MULTIPLICATIVE},
    {"isgc-fr: 2 copies, 9 of 12, multiplicative", 4.539755, 0, "isgc-fr, copies: 2, stragglers: 3",
     MULTIPLICATIVE},
    {"isgc-fr: 2 copies, 10 of 12, multiplicative", 5.206421, 0, "isgc-fr, copies: 2, stragglers: 2",
     MULTIPLICATIVE},
    {"isgc-fr: 2 copies, 11 of 12, multiplicative", 6.206421, 0, "isgc-fr, copies: 2, stragglers: 1",
     MULTIPLICATIVE},
    {"isgc-fr: 2 copies, 12 of 12, multiplicative", 8.206421, 0, "isgc-fr, copies: 2, stragglers: 0",
     MULTIPLICATIVE},
    {"isgc-fr: 2 copies, 6 of 12, independent", 3.591627, 0, "isgc-fr, copies: 2, stragglers: 6",
     INDEPENDENT},
    {"isgc-fr: 2 copies, 8 of 12, independent", 4.153838, 0, "isgc-fr, copies: 2, stragglers: 4",
     INDEPENDENT},
    {"isgc-fr: 2 copies, 9 of 12, independent", 4.509908, 0, "isgc-fr, copies: 2, stragglers: 3",
     INDEPENDENT},
    {"isgc-fr: 2 copies, 10 of 12, independent", 4.963056, 0, "isgc-fr, copies: 2, stragglers: 2",
     INDEPENDENT},
    {"isgc-fr: 2 copies, 11 of 12, independent", 5.611237, 0, "isgc-fr, copies: 2, stragglers: 1",
     INDEPENDENT},
    {"isgc-fr: 2 copies, 12 of 12, independent", 6.837086, 0, "isgc-fr, copies: 2, stragglers: 0",
     INDEPENDENT},
};

const struct predictions predictions_loads = {
    .title = "seconds per step, load rules",
    .cluster = WORKERS,
    .further = "problem: {loss: none}",
    .record = "summary",
    .steps = 300,
    .replications = 40,
    .measure = measure_step_s,
    .tolerance = 6e-7,
    PREDICTION_LIST(list),
};
