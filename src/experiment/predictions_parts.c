/* Seconds per step where more than the k-th arrival closes it: groups, parts of tasks, deadlines. Twelve workers, a second
 * of compute for each partition and exponential delays of mean 1 s, which are additive. H_k: 1 + 1/2 + … + 1/k. */
#include "prediction.h"

#define WORKERS                                                                                              \
    "late: cancel, workers: [{count: 12, compute: {type: constant, value: 1}, delay: {type: exponential, "   \
    "mean: 1}}]"
#define NO_COMPUTE "late: cancel, workers: [{count: 12, delay: {type: exponential, mean: 1}}]"
#define TWO                                                                                                  \
    "late: cancel, workers: [{count: 2, compute: {type: constant, value: 1}, delay: {type: exponential, "    \
    "mean: 1}}]"
/* The first two workers take `times` as long as the others, and nobody meets a delay. */
#define SLOW(times)                                                                                          \
    "late: cancel, workers: [{count: 2, compute: {type: constant, value: " #times                            \
    "}}, {count: 10, compute: {type: constant, value: 1}}]"

static const struct prediction list[] = {
    /* c + H_12 - H_s, as gc-cr */
    {"gc-mds: s = 1", 4.103211, 0, "gc-mds, stragglers: 1"},
    {"gc-mds: s = 3", 5.269877, 0, "gc-mds, stragglers: 3"},
    {"gc-mds: s = 2, complex", 4.603211, 0, "gc-mds, stragglers: 2, field: complex"},
    /* c + sum over k = 1 … r of P(some group has not answered after k - 1 results) / (13 - k) */
    {"erasurehead: c = 2, r = 4", 2.385354, 0, "erasurehead, copies: 2, results: 4"},
    {"erasurehead: c = 2, r = 6", 2.653211, 0, "erasurehead, copies: 2, results: 6"},
    {"erasurehead: c = 2, r = 8", 2.959848, 0, "erasurehead, copies: 2, results: 8"},
    {"erasurehead: c = 2, r = 10", 3.179545, 0, "erasurehead, copies: 2, results: 10"},
    /* a + H_12 - H_s + E max(d, slowest of s delays): the last s private messages run against the coded ones, which come
     * d = (s + 1) / (P - s) later; a = (P - s - 1) / (P - s) */
    {"partial-cr: s = 1, P = 3", 3.971090, 0, "partial-cr, stragglers: 1, pieces: 3"},
    {"partial-cr: s = 1, P = 4", 3.949961, 0, "partial-cr, stragglers: 1, pieces: 4"},
    {"partial-cr: s = 2, P = 4", 4.024577, 0, "partial-cr, stragglers: 2, pieces: 4"},
    {"partial-fr: s = 2, P = 4", 4.024577, 0, "partial-fr, stragglers: 2, pieces: 4"},
    /* quadrature over both messages, whose delays are independent */
    {"partial-cr: s = 1, P = 3, delays apart", 4.161916, 0,
     "partial-cr, stragglers: 1, pieces: 3, delay_per: message"},
    {"partial-cr: s = 1, P = 4, delays apart", 4.165812, 0,
     "partial-cr, stragglers: 1, pieces: 4, delay_per: message"},
    {"partial-cr: s = 2, P = 4, delays apart", 4.128429, 0,
     "partial-cr, stragglers: 2, pieces: 4, delay_per: message"},
    {"partial-fr: s = 2, P = 4, delays apart", 4.128429, 0,
     "partial-fr, stragglers: 2, pieces: 4, delay_per: message"},
    /* no delay, s workers slower: max(P, times (P - s - 1)) / (P - s) */
    {"partial-cr: two workers 2 times slower", 5 / 3.0, 0, "partial-cr, stragglers: 2, pieces: 5", SLOW(2)},
    {"partial-cr: two workers 3 times slower", 2, 0, "partial-cr, stragglers: 2, pieces: 5", SLOW(3)},
    {"partial-fr: two workers 2 times slower", 5 / 3.0, 0, "partial-fr, stragglers: 2, pieces: 5", SLOW(2)},
    {"partial-fr: two workers 4 times slower", 8 / 3.0, 0, "partial-fr, stragglers: 2, pieces: 5", SLOW(4)},
    /* uncoded; two workers by hand: 1 + 1/2 + E min(delays apart, 1) = 2.5 - 1/e */
    {"multi-message: c = 1", 4.103211, 0, "multi-message, copies: 1"},
    {"multi-message: two workers", 2.132121, 0, "multi-message, copies: 2", TWO},
    /* no two neighbours on the ring missing; H_6 / 2: the faster of each pair */
    {"multi-message: c = 2, no compute", 1.461941, 0, "multi-message, copies: 2", NO_COMPUTE},
    {"multi-message: c = 2, staircase, no compute", 1.225, 0, "multi-message, copies: 2, order: staircase",
     NO_COMPUTE},
    /* quadrature of the probability that all are covered: the trace of a product round the ring, whose factors hold what
     * a worker has sent (both partitions, the first, none) */
    {"multi-message: c = 2, cyclic", 3.013016, 0, "multi-message, copies: 2"},
    {"multi-message: c = 2, staircase", 2.969636, 0, "multi-message, copies: 2, order: staircase"},
    {"multi-message: c = 2, random", 3.142456, 0, "multi-message, copies: 2, order: random"},
    /* 1 + the integral over [0, x - 1] of the probability that some delay is longer */
    {"anytime: 1.75 s", 1.749963, 0, "anytime, seconds: 1.75s"},
    {"anytime: 2.5 s", 2.489337, 0, "anytime, seconds: 2.5s"},
    /* quadrature over the fastest time, of which the deadline is 1 + mu times */
    {"gc-deadline: s = 1, mu = 1", 4.742660, 0, "gc-deadline, stragglers: 1, mu: 1"},
    {"gc-deadline: s = 2, mu = 0.2", 6.078209, 0, "gc-deadline, stragglers: 2, mu: 0.2"},
    {"gc-deadline: s = 3, mu = 0.1", 7.086877, 0, "gc-deadline, stragglers: 3, mu: 0.1"},
    {"gc-deadline: s = 3, mu = 0.1, strict", 7.101114, 0,
     "gc-deadline, stragglers: 3, mu: 0.1, tolerance: strict"},
};

const struct predictions predictions_parts = {
    .title = "seconds per step: groups, parts of tasks, deadlines",
    .cluster = WORKERS,
    .further = "problem: {loss: none}",
    .record = "summary",
    .steps = 250,
    .replications = 40,
    .measure = measure_step_s,
    .tolerance = 6e-7,
    PREDICTION_LIST(list),
};
