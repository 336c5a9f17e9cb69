/* The k-th time drawn by itself: its distribution against the binomial sum, and against workers drawn one by one. */
#include "beta_rounds.h"
#include "earliest.h"
#include "made_cluster.h"
#include "steady.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct row {
    const char *group;
    uint32_t workers, k;
    double work, mean_s; /* of the exponential delay */
    double shift_s;
};

static const struct row rows[] = {
    {"{count: 1, delay: {type: exponential, mean: 1s}}", 1, 1, 1, 1, 0},
    {"{count: 8, delay: {type: exponential, mean: 2s}}", 8, 1, 1, 2, 0},
    {"{count: 8, delay: {type: exponential, mean: 1s}}", 8, 4, 1, 1, 0},
    {"{count: 8, delay: {type: exponential, mean: 1s}, compute: {type: constant, value: 2s}}", 8, 8, 3, 1, 6},
    {"{count: 12, delay: {type: shifted-exponential, shift: 1s, mean: 1s}, speed: 2}", 12, 10, 1, 1, 1},
    {"{count: 1000, delay: {type: exponential, mean: 1s}}", 1000, 900, 1, 1, 0},
    {"{count: 100000, delay: {type: exponential, mean: 1s}}", 100000, 3, 1, 1, 0},
};

enum { STEPS = 20000 };

static int ascending(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* Kolmogorov and Smirnov: P(sqrt(N) D > 2.5) is below 8e-6 for each of seven rows; the seed is fixed. */
Test(beta_rounds, kth_times_follow_their_law) {
    for (size_t q = 0; q < sizeof rows / sizeof *rows; q++) {
        const char *groups[4] = {rows[q].group};
        struct made_cluster made = made_cluster(groups);
        struct sentence why;
        cr_assert(beta_rounds_refuses(&made.spec, rows[q].work, &why) == false, "%s: %s", rows[q].group,
                  why.text);
        struct cluster_run run = {.seed = 5, .replication = 1};
        struct beta_rounds *beta = beta_rounds_new(&made.spec, &run, rows[q].work, rows[q].k);
        double *kth = memory_zeroed(STEPS, sizeof *kth), apart = 0;
        beta_rounds_find(beta, 0, STEPS, kth);
        qsort(kth, STEPS, sizeof *kth, ascending);
        for (int t = 0; t < STEPS; t++) {
            double one = -expm1(-(kth[t] - rows[q].shift_s) / rows[q].mean_s);
            /* At least k of n are there by then: the regularised incomplete beta function. */
            double p = gsl_cdf_beta_P(one, rows[q].k, rows[q].workers - rows[q].k + 1);
            apart = fmax(apart, fmax(fabs(p - (double)t / STEPS), fabs(p - (t + 1.0) / STEPS)));
        }
        cr_expect(apart * sqrt(STEPS) < 2.5, "%s, %u of %u: %g", rows[q].group, rows[q].k, rows[q].workers,
                  apart * sqrt(STEPS));
        free(kth);
        beta_rounds_free(beta);
        made_cluster_fini(&made);
    }
}

/* Steps are the same whichever are drawn with them, and are not correlated: five standard errors, 1/sqrt(N) each. */
Test(beta_rounds, steps_are_keyed_and_independent) {
    const char *groups[4] = {"{count: 20, delay: {type: uniform, low: 0s, high: 1s}}"};
    struct made_cluster made = made_cluster(groups);
    struct cluster_run run = {.seed = 5};
    struct beta_rounds *beta = beta_rounds_new(&made.spec, &run, 1, 1);
    double *kth = memory_zeroed(STEPS, sizeof *kth), some[300], product = 0, square = 0;
    beta_rounds_find(beta, 0, STEPS, kth);
    beta_rounds_find(beta, 777, 300, some);
    for (int t = 0; t < 300; t++)
        cr_assert(some[t] == kth[777 + t], "step %d", 777 + t);
    for (int t = 1; t < STEPS; t++) {
        product += (kth[t] - 1.0 / 21) * (kth[t - 1] - 1.0 / 21);
        square += (kth[t] - 1.0 / 21) * (kth[t] - 1.0 / 21);
    }
    cr_expect(fabs(product / square) < 5 / sqrt(STEPS), "%g", product / square);
    free(kth);
    beta_rounds_free(beta);
    made_cluster_fini(&made);
}

/* Means of laws of every shape by the two ways, five standard errors of their difference apart at most. */
Test(beta_rounds, workers_drawn_one_by_one_agree) {
    static const char *const laws[] = {
        "{type: weibull, shape: 0.7, scale: 1s}",
        "{type: lognormal, mu: 0, sigma: 1}",
        "{type: gamma, shape: 2, scale: 1s}",
        "{type: uniform, low: 1s, high: 3s}",
        ("{type: mixture, parts: [{weight: 1, type: constant, value: 1s}, {weight: 2, type: "
         "exponential, mean: 1s}]}"),
        "{type: constant, value: 2s}"};
    enum { FEW = 4000, WORKERS = 10, K = 7 };
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
        char text[256];
        snprintf(text, sizeof text, "{count: %d, delay: %s}", WORKERS, laws[l]);
        const char *groups[4] = {text};
        struct made_cluster made = made_cluster(groups);
        struct cluster_run run = {.seed = 5};
        struct beta_rounds *beta = beta_rounds_new(&made.spec, &run, 1, K);
        struct steady *steady = steady_new(&made.spec, &run, 1);
        struct earliest *earliest = earliest_new(WORKERS, K);
        double *seconds = memory_zeroed((size_t)FEW * WORKERS, sizeof *seconds);
        double *kth[2], next[FEW], mean[2] = {0}, square[2] = {0};
        for (int way = 0; way < 2; way++)
            kth[way] = memory_zeroed(FEW, sizeof(double));
        beta_rounds_find(beta, 0, FEW, kth[0]);
        steady_seconds(steady, 0, FEW, seconds);
        earliest_find(earliest, &(struct value_rows){seconds, FEW, WORKERS}, kth[1], next);
        for (int way = 0; way < 2; way++) {
            for (int t = 0; t < FEW; t++) {
                mean[way] += kth[way][t] / FEW;
                square[way] += kth[way][t] * kth[way][t] / FEW;
            }
            free(kth[way]);
        }
        double error = sqrt(fmax(0, square[0] - mean[0] * mean[0] + square[1] - mean[1] * mean[1]) / FEW);
        cr_expect(fabs(mean[0] - mean[1]) <= 5 * error + 1e-12, "%s: %g and %g, error %g", laws[l], mean[0],
                  mean[1], error);
        free(seconds);
        earliest_free(earliest);
        steady_free(steady);
        beta_rounds_free(beta);
        made_cluster_fini(&made);
    }
}

struct refused {
    const char *group, *reason;
};
static const struct refused refusals[] = {
    {"{count: 3, regime: {p_slow: 0.1, p_recover: 0.5, slowdown: 3}}", "regimes"},
    {"{count: 3, slowness: {type: exponential, mean: 1s}}", "differ"},
    {"{count: 3, delay: {type: exactly, stragglers: 1, law: {type: constant, value: 1s}}}",
     "depend on each other"},
    {"{count: 3, delay: {type: exponential, mean: 1s}, compute: {type: exponential, mean: 1s}}",
     "closed form"},
};

Test(beta_rounds, what_is_not_exact_is_refused) {
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        const char *groups[4] = {refusals[k].group};
        struct made_cluster made = made_cluster(groups);
        struct sentence why = {""};
        cr_expect(beta_rounds_refuses(&made.spec, 1, &why) && strstr(why.text, refusals[k].reason), "%s: %s",
                  refusals[k].group, why.text);
        made_cluster_fini(&made);
    }
}
