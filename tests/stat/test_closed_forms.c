/* Simulated step times against closed forms and independently computed values.
 *
 * Every row runs 40 replications of 1,000 steps, of 500 where late work is cancelled throughout, timing only. Replications
 * are independent, so their mean has the standard error deviation / sqrt(40); a row fails beyond four of them (widened by
 * the error of the value itself, where that is a simulation's). Four standard errors of a t statistic with 39 degrees are
 * a false alarm of 3e-4 a row, about 3 % over the tables, once: seeds are fixed. */
#include "study_of.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

struct form {
    const char *name;
    const char *group;   /* of twelve workers unless it says otherwise */
    const char *scheme;  /* entries of `schemes` */
    const char *cluster; /* further keys of `cluster` */
    double step_s, error_s;
};

#define EXP1    "count: 12, delay: {type: exponential, mean: 1}"
#define COMPUTE "count: 12, compute: {type: constant, value: 1}, delay: {type: exponential, mean: 1}"
#define HALF    "count: 12, compute: {type: constant, value: 0.5}, delay: {type: exponential, mean: 1}"
#define APART   ", delay_per: message"
#define CANCEL  "late: cancel"
#define QUEUE   "late: queue"
#define LATEST  "late: latest"

static const struct form forms[] = {
    /* H_n - H_s: mean of the k-th of n exponential times */
    {"k of 8, k = 1", "count: 8, delay: {type: exponential, mean: 1}", "ignore, stragglers: 7", CANCEL, .125,
     0},
    {"k of 8, k = 4", "count: 8, delay: {type: exponential, mean: 1}", "ignore, stragglers: 4", CANCEL,
     .634524, 0},
    {"k of 8, k = 6", "count: 8, delay: {type: exponential, mean: 1}", "ignore, stragglers: 2", CANCEL,
     1.217857, 0},
    {"k of 8, k = 8", "count: 8, delay: {type: exponential, mean: 1}", "uncoded", CANCEL, 2.717857, 0},
    {"shifted, k = 4", "count: 8, delay: {type: shifted-exponential, shift: 1, mean: 1}",
     "ignore, stragglers: 4", CANCEL, 1.634524, 0},
    /* gradient coding: c + H_12 - H_s, additive; 2 (1 + H_12 - H_1), multiplicative */
    {"gc-cr s = 0", COMPUTE, "gc-cr, stragglers: 0", CANCEL, 4.103211, 0},
    {"gc-cr s = 1", COMPUTE, "gc-cr, stragglers: 1", CANCEL, 4.103211, 0},
    {"gc-cr s = 2", COMPUTE, "gc-cr, stragglers: 2", CANCEL, 4.603211, 0},
    {"gc-cr s = 3", COMPUTE, "gc-cr, stragglers: 3", CANCEL, 5.269877, 0},
    {"gc-cr s = 5", COMPUTE, "gc-cr, stragglers: 5", CANCEL, 6.819877, 0},
    {"gc-cr s = 1, multiplicative", COMPUTE, "gc-cr, stragglers: 1", "late: cancel, load: multiplicative",
     6.206421, 0},
    /* c + H_{n/c} / c: the fastest of each group, the slowest group */
    {"gc-fr s = 1, decodable", COMPUTE, "gc-fr, stragglers: 1, wait: {type: decodable}", CANCEL, 3.225, 0},
    {"gc-fr s = 2, decodable", COMPUTE, "gc-fr, stragglers: 2, wait: {type: decodable}", CANCEL, 3.694444, 0},
    {"gc-fr s = 3, decodable", COMPUTE, "gc-fr, stragglers: 3, wait: {type: decodable}", CANCEL, 4.458333, 0},
    {"gc-fr s = 5, decodable", COMPUTE, "gc-fr, stragglers: 5, wait: {type: decodable}", CANCEL, 6.25, 0},
    /* load rules at c = 1 and c = 2 */
    {"c = 1, K = 6", COMPUTE, "ignore, stragglers: 6", "late: cancel, load: independent", 1.653211, 0},
    {"c = 1, K = 9", COMPUTE, "ignore, stragglers: 3", "late: cancel, load: multiplicative", 2.269877, 0},
    {"c = 1, K = 12", COMPUTE, "ignore, stragglers: 0", CANCEL, 4.103211, 0},
    {"c = 2 additive, K = 8", COMPUTE, "isgc-fr, copies: 2, stragglers: 4", CANCEL, 3.019877, 0},
    {"c = 2 additive, K = 11", COMPUTE, "isgc-fr, copies: 2, stragglers: 1", CANCEL, 4.103211, 0},
    {"c = 2 multiplicative, K = 6", COMPUTE, "isgc-fr, copies: 2, stragglers: 6",
     "late: cancel, load: multiplicative", 3.306421, 0},
    {"c = 2 multiplicative, K = 10", COMPUTE, "isgc-fr, copies: 2, stragglers: 2",
     "late: cancel, load: multiplicative", 5.206421, 0},
    {"c = 2 independent, K = 6", COMPUTE, "isgc-fr, copies: 2, stragglers: 6",
     "late: cancel, load: independent", 3.591627, 0},
    {"c = 2 independent, K = 8", COMPUTE, "isgc-fr, copies: 2, stragglers: 4",
     "late: cancel, load: independent", 4.153838, 0},
    {"c = 2 independent, K = 9", COMPUTE, "isgc-fr, copies: 2, stragglers: 3",
     "late: cancel, load: independent", 4.509908, 0},
    {"c = 2 independent, K = 10", COMPUTE, "isgc-fr, copies: 2, stragglers: 2",
     "late: cancel, load: independent", 4.963056, 0},
    {"c = 2 independent, K = 11", COMPUTE, "isgc-fr, copies: 2, stragglers: 1",
     "late: cancel, load: independent", 5.611237, 0},
    {"c = 2 independent, K = 12", COMPUTE, "isgc-fr, copies: 2, stragglers: 0",
     "late: cancel, load: independent", 6.837086, 0},
    /* late rules: pgc-cr has one partition a step whatever c */
    {"pgc-cr queue", HALF, "pgc-cr, stragglers: 3", QUEUE, 2.20432, .00167},
    {"pgc-cr cancel", HALF, "pgc-cr, stragglers: 3", CANCEL, 1.769877, 0},
    {"pgc-cr latest", HALF, "pgc-cr, stragglers: 3", LATEST, 2.10852, .00162},
    {"ignore K = 6 queue", HALF, "ignore, stragglers: 6", QUEUE, 1.8154, .0016},
    {"ignore K = 6 latest", HALF, "ignore, stragglers: 6", LATEST, 1.5844, .0015},
    {"ignore K = 6 cancel", HALF, "ignore, stragglers: 6", CANCEL, 1.153211, 0},
    {"ignore K = 11 queue", HALF, "ignore, stragglers: 1", QUEUE, 2.8030, .0032},
    {"ignore K = 11 latest", HALF, "ignore, stragglers: 1", LATEST, 2.7813, .0031},
    {"ignore K = 11 cancel", HALF, "ignore, stragglers: 1", CANCEL, 2.603211, 0},
    {"ignore K = 12 queue", HALF, "ignore, stragglers: 0", QUEUE, 3.603211, 0},
    {"ignore K = 12 latest", HALF, "ignore, stragglers: 0", LATEST, 3.603211, 0},
    {"gc-cr queue s = 1", COMPUTE, "gc-cr, stragglers: 1", QUEUE, 4.3051, .0041},
    {"gc-cr queue s = 2", COMPUTE, "gc-cr, stragglers: 2", QUEUE, 4.9362, .0031},
    {"gc-cr queue s = 3", COMPUTE, "gc-cr, stragglers: 3", QUEUE, 5.7054, .0025},
    {"gc-cr queue s = 5", COMPUTE, "gc-cr, stragglers: 5", QUEUE, 7.4151, .0020},
    /* a deadline no one misses is the slowest; one that nobody else meets lasts factor * fastest at least */
    {"deadline in seconds, never met", EXP1,
     "ignore, stragglers: 4, wait: {type: deadline, seconds: 1ms, min: 12}", CANCEL, 3.103211, 0},
};

static const struct form code_forms[] = {
    /* codes of windows, like gc-cr: c + H_12 - H_s */
    {"gc-mds s = 1", COMPUTE, "gc-mds, stragglers: 1", CANCEL, 4.103211, 0},
    {"gc-mds s = 5", COMPUTE, "gc-mds, stragglers: 5", CANCEL, 6.819877, 0},
    {"gc-mds s = 2, complex", COMPUTE, "gc-mds, stragglers: 2, field: complex", CANCEL, 4.603211, 0},
    {"isgc-cr c = 3, K = 8", COMPUTE, "isgc-cr, copies: 3, stragglers: 4", CANCEL, 4.019877, 0},
    {"isgc-hr (1, 2, 2), K = 8", COMPUTE, "isgc-hr, copies: 3, copies_local: 1, groups: 2, stragglers: 4",
     CANCEL, 4.019877, 0},
    {"bgc of 12, K = 8", COMPUTE, "bgc, density: 12, stragglers: 4", CANCEL, 13.019877, 0},
    {"sgc d = 3, K = 8", COMPUTE, "sgc, replication: 3, stragglers: 4", CANCEL, 4.019877, 0},
    /* groups of two: until r results or one of each group, of independent simulations */
    {"erasurehead r = 4", COMPUTE, "erasurehead, copies: 2, results: 4", CANCEL, 2.38523, .00019},
    {"erasurehead r = 6", COMPUTE, "erasurehead, copies: 2, results: 6", CANCEL, 2.65320, .00027},
    {"erasurehead r = 8", COMPUTE, "erasurehead, copies: 2, results: 8", CANCEL, 2.95953, .00038},
    /* private and coded messages, one delay for both or one each, of independent simulations */
    {"partial-cr s = 1, P = 3", COMPUTE, "partial-cr, stragglers: 1, pieces: 3", CANCEL, 3.97085, .00076},
    {"partial-cr s = 1, P = 4", COMPUTE, "partial-cr, stragglers: 1, pieces: 4", CANCEL, 3.94959, .00082},
    {"partial-cr s = 2, P = 4", COMPUTE, "partial-cr, stragglers: 2, pieces: 4", CANCEL, 4.02397, .00071},
    {"partial-fr s = 1, P = 3", COMPUTE, "partial-fr, stragglers: 1, pieces: 3", CANCEL, 3.97085, .00076},
    {"partial-fr s = 1, P = 4", COMPUTE, "partial-fr, stragglers: 1, pieces: 4", CANCEL, 3.94959, .00082},
    {"partial-fr s = 2, P = 4", COMPUTE, "partial-fr, stragglers: 2, pieces: 4", CANCEL, 4.02397, .00071},
    {"partial-cr s = 1, P = 3, apart", COMPUTE, "partial-cr, stragglers: 1, pieces: 3" APART, CANCEL, 4.16161,
     .00073},
    {"partial-cr s = 1, P = 4, apart", COMPUTE, "partial-cr, stragglers: 1, pieces: 4" APART, CANCEL, 4.16542,
     .00076},
    {"partial-cr s = 2, P = 4, apart", COMPUTE, "partial-cr, stragglers: 2, pieces: 4" APART, CANCEL, 4.12804,
     .00068},
    {"partial-fr s = 1, P = 3, apart", COMPUTE, "partial-fr, stragglers: 1, pieces: 3" APART, CANCEL, 4.16161,
     .00073},
    {"partial-fr s = 1, P = 4, apart", COMPUTE, "partial-fr, stragglers: 1, pieces: 4" APART, CANCEL, 4.16542,
     .00076},
    {"partial-fr s = 2, P = 4, apart", COMPUTE, "partial-fr, stragglers: 2, pieces: 4" APART, CANCEL, 4.12804,
     .00068},
    /* a worker of each ring neighbour pair; 1 + 1/2 + (1 - 1/e); quadrature of the chance that all are covered */
    {"multi-message c = 1", COMPUTE, "multi-message, copies: 1", CANCEL, 4.103211, 0},
    {"multi-message c = 2, no compute", EXP1, "multi-message, copies: 2", CANCEL, 1.461941, 0},
    {"multi-message, pairs, no compute", EXP1, "multi-message, copies: 2, order: staircase", CANCEL, 1.225,
     0},
    {"multi-message, two workers",
     "count: 2, compute: {type: constant, value: 1}, delay: {type: exponential, mean: 1}",
     "multi-message, copies: 2", CANCEL, 2.132121, 0},
    {"multi-message, two in any order",
     "count: 2, compute: {type: constant, value: 1}, delay: {type: exponential, mean: 1}",
     "multi-message, copies: 2, order: random", CANCEL, 2.316060, 0},
    {"multi-message c = 2", COMPUTE, "multi-message, copies: 2", CANCEL, 3.013016, 0},
    {"multi-message c = 2, random", COMPUTE, "multi-message, copies: 2, order: random", CANCEL, 3.142456, 0},
    /* quadrature over the fastest time */
    {"gc-deadline s = 1, mu = 1", COMPUTE, "gc-deadline, stragglers: 1, mu: 1", CANCEL, 4.742660, 0},
    {"gc-deadline s = 3, mu = 0.1", COMPUTE, "gc-deadline, stragglers: 3, mu: 0.1", CANCEL, 7.086877, 0},
    {"gc-deadline s = 3, mu = 0.1, strict", COMPUTE, "gc-deadline, stragglers: 3, mu: 0.1, tolerance: strict",
     CANCEL, 7.101114, 0},
    {"anytime 2.5 s", COMPUTE, "anytime, seconds: 2.5s", CANCEL, 2.489337, 0},
};

static const char text[] = "replications: 40\n"
                           "seed: 2\n"
                           "problem: {loss: none}\n"
                           "stop: {steps: %u}\n"
                           "cluster: {%s, workers: [{%s}]}\n"
                           "schemes: [{type: %s}]\n";

static void expect_step_times(const struct form *form, size_t count, unsigned steps) {
    for (size_t f = 0; f < count; f++) {
        struct study *study = study_of(text, steps, form[f].cluster, form[f].group, form[f].scheme);
        size_t summaries;
        struct estimate found = study_summaries(study, &summaries)->measure[MEASURE_STEP_MEAN];
        double error_s = hypot(found.deviation / sqrt((double)found.count), form[f].error_s);
        double distance = fabs(found.mean - form[f].step_s) / error_s;
        cr_expect(le(dbl, distance, 4), "%s: %.6f s, not %.6f: %.1f standard errors", form[f].name,
                  found.mean, form[f].step_s, distance);
        study_free(study);
    }
}

Test(closed_forms, step_times, .timeout = 100) {
    expect_step_times(forms, sizeof forms / sizeof *forms, 1000);
}

Test(closed_forms, step_times_of_codes, .timeout = 100) {
    expect_step_times(code_forms, sizeof code_forms / sizeof *code_forms, 500);
}
