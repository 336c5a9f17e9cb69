/* Means of order statistics against closed forms, which leave 1e-9 for the quadrature, and against samples. */
#include "../delay/given_law.h"
#include "cluster.h"
#include "made_cluster.h"
#include "order_statistic.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#define EXPONENTIAL "{count: 8, delay: {type: exponential, mean: 2s}}"
#define UNIFORM     "{count: 9, delay: {type: uniform, low: 1s, high: 3s}}"
#define WEIBULL     "{count: 6, delay: {type: weibull, shape: 0.5, scale: 3s}}"

/* Group, k, work, and the mean in closed form. */
struct form {
    const char *name, *group[3];
    uint32_t k;
    double work, mean_s;
};

/* H_n - H_m. */
static double harmonic(int n, int m) {
    double sum = 0;
    for (int j = n; j > m; j--)
        sum += 1.0 / j;
    return sum;
}

/* E of the k-th of n Pareto times of minimum 1: G(n+1) G(n-k+1-1/a) / (G(n-k+1) G(n+1-1/a)). */
static double pareto_mean(int n, int k, double a) {
    return exp(lgamma(n + 1) + lgamma(n - k + 1 - 1 / a) - lgamma(n - k + 1) - lgamma(n + 1 - 1 / a));
}

static double choose(int n, int k) {
    return round(exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)));
}

/* The largest of m exponential times of mean 1 and n of mean 5, by inclusion and exclusion. */
static double two_rates_largest(int m, int n) {
    double sum = 0;
    for (int i = 0; i <= m; i++)
        for (int j = 0; j <= n; j++)
            if (i + j > 0)
                sum += ((i + j) % 2 ? 1 : -1) * choose(m, i) * choose(n, j) / (i + j / 5.0);
    return sum;
}

/* E of the largest of n Weibull times of scale 1. */
static double weibull_largest(int n, double shape) {
    double sum = 0;
    for (int j = 1; j <= n; j++)
        sum += (j % 2 ? 1 : -1) * choose(n, j) * pow(j, -1 / shape);
    return sum * tgamma(1 + 1 / shape);
}

/* E of the largest of two sums of two exponential times of mean 1: each is more than t with (1 + t) exp(-t), so it is 4 minus
 * the integral of the square, 1/2 + 1/2 + 1/4. */
static const struct composed {
    const char *name, *group[3];
    uint32_t k;
    double mean_s;
} composed[] = {
    {"sum of exponential times",
     {"{count: 2, compute: {type: exponential, mean: 1s}, delay: {type: exponential, mean: 1s}}"},
     2,
     4 - 1.25},
    /* The least of three products of uniform times: the integral of P(UV > t)^3 = (1 - t + t log t)^3. */
    {"product of uniform times",
     {"{count: 3, delay: {type: uniform, low: 0s, high: 1s}, slowness: {type: uniform, low: 0s, high: 1s}}"},
     1,
     97 / 1152.0},
    /* Half of the time 1 s and more, else a uniform time, and never more than the other's second. */
    {"jumps and a slope",
     {"{count: 1, compute: {type: mixture, parts: [{weight: 1, type: constant, value: 0s}, {weight: 1, type: "
      "constant, "
      "value: 1s}]}, delay: {type: uniform, low: 0s, high: 1s}}",
      "{count: 1, delay: {type: constant, value: 1s}}"},
     1,
     0.75},
    {"a regime on a sum",
     {"{count: 1, compute: {type: exponential, mean: 1s}, delay: {type: uniform, low: 0s, high: 2s}, regime: "
      "{p_slow: 0.1, "
      "p_recover: 0.3, slowdown: 5}}"},
     1,
     2 * (0.75 + 0.25 * 5)},
    {"a product with a heavy tail",
     {"{count: 1, delay: {type: pareto, minimum: 1s, shape: 1.1}, slowness: {type: exponential, mean: 2s}}"},
     1,
     22},
};

/* 3e-4 of a table; a tail of index 1.1 adds it up over many orders, with the same sign. */
Test(order_statistic, composed_laws) {
    for (size_t f = 0; f < sizeof composed / sizeof *composed; f++) {
        struct made_cluster made = made_cluster(composed[f].group);
        double found = cluster_order_mean(&made.spec, 1, composed[f].k);
        cr_expect(le(dbl, fabs(found - composed[f].mean_s), 3e-4 * composed[f].mean_s),
                  "%s: %.10g, not %.10g", composed[f].name, found, composed[f].mean_s);
        made_cluster_fini(&made);
    }
}

/* A shock of 1 s and an exponential second, every fourth step. In one rack it adds its mean to every order statistic; workers
 * in racks of their own are independent; in between there is no formula. 3e-4 of a table. */
Test(order_statistic, shocks) {
    static const struct {
        const char *name, *group[3];
        uint32_t k;
        double mean_s;
    } rows[] = {
        {"one rack", {"{count: 2, rack: 4, delay: {type: exponential, mean: 2s}}"}, 2, 3 + .25 * 2},
        {"one worker", {"{count: 1, rack: 4, delay: {type: exponential, mean: 2s}}"}, 1, 2 + .25 * 2},
        /* the second worker is never the later one */
        {"racks of one, constant times",
         {"{count: 1, rack: 1, delay: {type: constant, value: 1000s}}",
          "{count: 1, rack: 2, delay: {type: constant, value: 0s}}"},
         2,
         1000.5},
        {"a rack of two and one of one",
         {"{count: 2, rack: 1, delay: {type: constant, value: 1s}}", "{count: 1, rack: 2}"},
         1,
         NAN},
    };
    struct given_law given = given_law("{type: shifted-exponential, shift: 1s, mean: 1s}", 1, NULL);
    struct shock_spec shock = {.25, given.law};
    for (size_t f = 0; f < sizeof rows / sizeof *rows; f++) {
        struct made_cluster made = made_cluster(rows[f].group);
        made.spec.shock = &shock;
        double found = cluster_order_mean(&made.spec, 1, rows[f].k);
        if (isnan(rows[f].mean_s))
            cr_expect(isnan(found), "%s: %g", rows[f].name, found);
        else
            cr_expect(le(dbl, fabs(found - rows[f].mean_s), 3e-4 * rows[f].mean_s), "%s: %.10g", rows[f].name,
                      found);
        made_cluster_fini(&made);
    }
    given_law_fini(&given);
}

static void expect_mean(const struct form *form) {
    struct made_cluster made = made_cluster(form->group);
    double found = cluster_order_mean(&made.spec, form->work, form->k);
    if (isfinite(form->mean_s))
        cr_expect(le(dbl, fabs(found - form->mean_s), 1e-9 * fabs(form->mean_s)), "%s: %.15g, not %.15g",
                  form->name, found, form->mean_s);
    else
        cr_expect(isnan(form->mean_s) ? isnan(found) : found == form->mean_s, "%s: %g", form->name, found);
    made_cluster_fini(&made);
}

Test(order_statistic, closed_forms) {
    const struct form forms[] = {
        {"exponential, first", {EXPONENTIAL}, 1, 1, 2 * harmonic(8, 7)},
        {"exponential, middle", {EXPONENTIAL}, 4, 1, 2 * harmonic(8, 4)},
        {"exponential, last", {EXPONENTIAL}, 8, 1, 2 * harmonic(8, 0)},
        {"exponential, one of many",
         {"{count: 5000, delay: {type: exponential, mean: 1s}}"},
         1,
         1,
         1 / 5000.0},
        {"exponential, many of many",
         {"{count: 5000, delay: {type: exponential, mean: 1s}}"},
         4900,
         1,
         harmonic(5000, 100)},
        {"exponential of no time", {"{count: 3, delay: {type: exponential, mean: 0s}}"}, 2, 1, 0},
        {"nothing takes time", {"{count: 3}"}, 3, 1, 0},
        {"uniform, first", {UNIFORM}, 1, 1, 1.2},
        {"uniform, last", {UNIFORM}, 9, 1, 2.8},
        {"pareto, first",
         {"{count: 8, delay: {type: pareto, minimum: 1s, shape: 2.5}}"},
         1,
         1,
         pareto_mean(8, 1, 2.5)},
        {"pareto, last",
         {"{count: 8, delay: {type: pareto, minimum: 1s, shape: 2.5}}"},
         8,
         1,
         pareto_mean(8, 8, 2.5)},
        {"pareto, heavy",
         {"{count: 8, delay: {type: pareto, minimum: 1s, shape: 1.1}}"},
         8,
         1,
         pareto_mean(8, 8, 1.1)},
        {"pareto, barely a mean",
         {"{count: 8, delay: {type: pareto, minimum: 1s, shape: 0.51}}"},
         7,
         1,
         pareto_mean(8, 7, 0.51)},
        {"pareto, no mean", {"{count: 8, delay: {type: pareto, minimum: 1s, shape: 0.5}}"}, 7, 1, INFINITY},
        {"pareto, one earlier",
         {"{count: 8, delay: {type: pareto, minimum: 1s, shape: 0.5}}"},
         6,
         1,
         pareto_mean(8, 6, 0.5)},
        {"weibull, first", {WEIBULL}, 1, 1, 3.0 / 36 * 2},
        {"lognormal, one worker", {"{delay: {type: lognormal, mu: 1, sigma: 2}}"}, 1, 1, exp(3)},
        {"gamma, one worker", {"{delay: {type: gamma, shape: 0.3, scale: 5s}}"}, 1, 1, 1.5},
        {"additive",
         {"{count: 4, speed: 0.5, compute: {type: constant, value: 1s}, delay: {type: "
          "exponential, mean: 1s}}"},
         3,
         3,
         6 + harmonic(4, 1)},
        {"random computing",
         {"{count: 4, speed: 0.5, compute: {type: exponential, mean: 1s}, delay: {type: "
          "constant, value: 7s}}"},
         3,
         3,
         7 + 6 * harmonic(4, 1)},
        {"constant slowness",
         {"{count: 4, delay: {type: exponential, mean: 1s}, slowness: {type: constant, "
          "value: 3s}}"},
         4,
         1,
         3 * harmonic(4, 0)},
        {"random slowness",
         {"{count: 4, delay: {type: constant, value: 2s}, slowness: {type: uniform, low: "
          "1s, high: 6s}}"},
         4,
         1,
         10},
        /* the larger of two that are 1 or 3, each alike */
        {"regime",
         {"{count: 2, delay: {type: constant, value: 1s}, regime: {p_slow: 0.1, p_recover: 0.1, "
          "slowdown: 3}}"},
         2,
         1,
         2.5},
        {"two constants",
         {"{count: 3, delay: {type: constant, value: 2s}}", "{count: 2, delay: {type: "
                                                            "constant, value: 5s}}"},
         4,
         1,
         5},
        {"two constants, the earlier",
         {"{count: 3, delay: {type: constant, value: 2s}}", "{count: 2, delay: {type: constant, value: 5s}}"},
         3,
         1,
         2},
        /* the second of three dice that show 1 with 1/4, else 2: 1 when two or three show 1, 10/64 */
        {"atoms",
         {"{count: 3, delay: {type: mixture, parts: [{weight: 1, type: constant, value: 1s}, "
          "{weight: 3, type: constant, value: 2s}]}}"},
         2,
         1,
         2 - 10.0 / 64},
        {"two rates, first",
         {"{count: 3, delay: {type: exponential, mean: 1s}}",
          "{count: 5, delay: {type: exponential, mean: 5s}}"},
         1,
         1,
         1 / (3 + 1.0)},
        {"two rates, last",
         {"{count: 3, delay: {type: exponential, mean: 1s}}",
          "{count: 5, delay: {type: exponential, mean: 5s}}"},
         8,
         1,
         two_rates_largest(3, 5)},
        {"some never answer, enough do",
         {"{count: 3, delay: {type: exponential, mean: 1s}}", "{count: 5, delay: {type: never}}"},
         3,
         1,
         harmonic(3, 0)},
        {"too few ever answer",
         {"{count: 3, delay: {type: exponential, mean: 1s}}", "{count: 5, delay: {type: never}}"},
         4,
         1,
         INFINITY},
        {"some tasks never end",
         {"{count: 3, delay: {type: mixture, parts: [{weight: 1, type: never}, "
          "{weight: 3, type: constant, value: 2s}]}}"},
         1,
         1,
         INFINITY},
        /* sum over j of (-1)^(j+1) C(8,j) j^(-20) times G(21): almost all of it lies between 1e10 and 1e33 */
        {"a very wide law",
         {"{count: 8, delay: {type: weibull, shape: 0.05, scale: 1s}}"},
         8,
         1,
         weibull_largest(8, 0.05)},
        {"a fixed number straggles",
         {"{count: 3, delay: {type: exactly, stragglers: 1, law: {type: "
          "exponential, mean: 1s}}}"},
         1,
         1,
         NAN},
    };
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        expect_mean(&forms[f]);
}

/* k = 1 of workers whose laws differ in kind, where no closed form is at hand. */
static const struct form samples[] = {
    {"gamma", {"{count: 12, delay: {type: gamma, shape: 2.5, scale: 1s}}"}, 9, 1, 0},
    {"gamma below 1", {"{count: 12, delay: {type: gamma, shape: 0.2, scale: 1s}}"}, 3, 1, 0},
    {"weibull", {"{count: 12, delay: {type: weibull, shape: 0.7, scale: 2s}}"}, 12, 1, 0},
    {"lognormal", {"{count: 12, delay: {type: lognormal, mu: 0, sigma: 1}}"}, 11, 1, 0},
    {"mixture",
     {"{count: 12, delay: {type: mixture, parts: [{weight: 9, type: exponential, mean: 1s}, "
      "{weight: 1, type: lognormal, mu: 2, sigma: 0.5}]}}"},
     11,
     1,
     0},
    {"mixture with an atom",
     {"{count: 12, compute: {type: constant, value: 1s}, delay: {type: mixture, parts: "
      "[{weight: 9, type: constant, value: 0s}, {weight: 1, type: uniform, low: 2s, "
      "high: 4s}]}}"},
     11,
     2,
     0},
    {"two groups",
     {"{count: 7, delay: {type: gamma, shape: 4, scale: 0.5s}}",
      "{count: 5, speed: 0.3, compute: {type: weibull, shape: 2, scale: 1s}}"},
     8,
     1,
     0},
    {"regime",
     {"{count: 7, delay: {type: gamma, shape: 4, scale: 0.5s}, regime: {p_slow: 0.2, p_recover: 0.3, "
      "slowdown: 4}}",
      "{count: 5, delay: {type: exponential, mean: 1s}}"},
     10,
     1,
     0},
};

#define DRAWS 20000

/* Four standard errors: 6e-5 of a false alarm a row, once, as seeds are fixed. */
Test(order_statistic, samples) {
    for (size_t c = 0; c < sizeof samples / sizeof *samples; c++) {
        struct made_cluster made = made_cluster(samples[c].group);
        double sum = 0, squares = 0, seconds[12];
        for (uint32_t r = 0; r < DRAWS; r++) {
            struct cluster *cluster =
                cluster_new(&made.spec, &(struct cluster_run){.seed = 5, .replication = r});
            for (uint32_t i = 0; i < made.spec.workers; i++)
                seconds[i] = cluster_task_seconds(cluster, i, 0, samples[c].work);
            gsl_sort(seconds, 1, made.spec.workers);
            sum += seconds[samples[c].k - 1];
            squares += seconds[samples[c].k - 1] * seconds[samples[c].k - 1];
            cluster_free(cluster);
        }
        double mean = sum / DRAWS, error = sqrt((squares / DRAWS - mean * mean) / DRAWS);
        double found = cluster_order_mean(&made.spec, samples[c].work, samples[c].k);
        cr_expect(le(dbl, fabs(found - mean), 4 * error), "%s: %g, drawn %g +- %g", samples[c].name, found,
                  mean, error);
        made_cluster_fini(&made);
    }
}

/* As many equally likely times as measurements of a long trace: j / N, j = 1 … N. */
#define MEASURED 100000.0

static double grid_cdf(const void *params, double seconds) {
    (void)params;
    return fmax(0, fmin(floor(seconds * MEASURED), MEASURED)) / MEASURED;
}
static double grid_quantile(const void *params, double p) {
    (void)params;
    return ceil(p * MEASURED) / MEASURED;
}
static double grid_jump(const void *params, double after_s) {
    (void)params;
    double next = floor(after_s * MEASURED);
    while (next / MEASURED <= after_s)
        next++;
    return next > MEASURED ? INFINITY : next / MEASURED;
}
static struct moments grid_moments(const void *params) {
    (void)params;
    return (struct moments){.mean_s = 0.5, .deviation_s = 0.3};
}
static const struct law grid = {.head = {.name = "grid"},
                                .cdf = grid_cdf,
                                .quantile = grid_quantile,
                                .jump = grid_jump,
                                .moments = grid_moments};

/* E of the largest of n: the sum over j of (1 - (j / N)^n) / N. Jumps are not told apart here, which leaves 1e-5. */
Test(order_statistic, many_measured_times) {
    const struct picked law = {&grid.head, NULL};
    const struct task_law task = {.law = &law, .scale = 1, .slowdown = 1};
    const uint32_t count = 100;
    double mean = 0;
    for (int j = 0; j < MEASURED; j++)
        mean += (1 - pow(j / MEASURED, count)) / MEASURED;
    double found = order_statistic_mean(&(struct crowd){1, &task, &count}, count);
    cr_expect(le(dbl, fabs(found - mean), 1e-5 * mean), "%.10g, not %.10g", found, mean);
}
