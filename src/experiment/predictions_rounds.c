/* Seconds of nine jobs of codes that close a round at 1 + mu = 2 times its fastest time, counted by hand. Four workers, a
 * second for each partition, no delays; the first, or the first two, are three times as slow. */
#include "prediction.h"

#define GROUP(count, seconds) "{count: " #count ", compute: {type: constant, value: " #seconds "}}"
#define EQUAL                 "late: cancel, workers: [" GROUP(4, 1) "]"
#define ONE_SLOW              "late: cancel, workers: [" GROUP(1, 3) ", " GROUP(3, 1) "]"
#define TWO_SLOW              "late: cancel, workers: [" GROUP(2, 3) ", " GROUP(2, 1) "]"

static double seconds_in_all(const struct sight *sight) {
    return sight->result->run.time_s;
}

static const struct prediction list[] = {
    /* A task of c = 2 partitions: rounds of 2 s when all are alike; the deadline is at 4 s, the slow are done at 6 s. */
    {"gc-deadline: rounds of equals", 9 * 2, 0, "gc-deadline, stragglers: 1", EQUAL},
    {"gc-deadline: rounds, one slow", 9 * 4, 0, "gc-deadline, stragglers: 1"},
    {"gc-deadline: rounds, one slow, strict", 9 * 6, 0, "gc-deadline, stragglers: 1, tolerance: strict"},
    {"gc-deadline: rounds, one slow, mu = 0", 9 * 2, 0, "gc-deadline, stragglers: 1, mu: 0"},
    {"gc-deadline: rounds, one slow, mu = 3", 9 * 6, 0, "gc-deadline, stragglers: 1, mu: 3"},
    {"gc-deadline: rounds, two slow", 9 * 6, 0, "gc-deadline, stragglers: 1", TWO_SLOW},
    /* s = 1, c = 2. One straggler of a round is within s, and round 9 is over before it begins. */
    {"sr-sgc: rounds of equals", 9 * 2, 0, "sr-sgc, B: 1, W: 2, lambda: 2", EQUAL},
    {"sr-sgc: rounds, one slow", 9 * 4, 0, "sr-sgc, B: 1, W: 2, lambda: 2"},
    /* Both may straggle in every second round; the next one redoes a job, so there are ten. */
    {"sr-sgc: rounds, two slow", 5 * 4 + 5 * 6, 0, "sr-sgc, B: 1, W: 2, lambda: 2", TWO_SLOW},
    /* Ten rounds of two chunks of 2/3 of a partition; of two chunks of one when nothing is coded. */
    {"m-sgc: rounds of equals", 10 * 4 / 3.0, 0, "m-sgc, B: 1, W: 2, lambda: 1", EQUAL},
    {"m-sgc: rounds of equals, nothing coded", 10 * 2, 0, "m-sgc, B: 1, W: 2, lambda: 4", EQUAL},
    /* The slow one may straggle in every second round: 8/3 s, and 4 s when it is waited for. */
    {"m-sgc: rounds, one slow", 5 * 8 / 3.0 + 5 * 4, 0, "m-sgc, B: 1, W: 2, lambda: 1"},
    {"m-sgc: rounds, two slow", 10 * 4, 0, "m-sgc, B: 1, W: 2, lambda: 1", TWO_SLOW},
};

const struct predictions predictions_rounds = {
    .title = "seconds of nine jobs in rounds with a deadline",
    .cluster = ONE_SLOW,
    .further = "problem: {loss: none}",
    .record = "summary",
    .steps = 9,
    .replications = 1,
    .measure = seconds_in_all,
    .tolerance = 1e-12 * 54, /* rounding of ten additions */
    PREDICTION_LIST(list),
};
