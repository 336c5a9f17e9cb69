/* What tasks will take: formulas against samples of the same cluster, and which of the two is used. */
#include "../delay/given_law.h"
#include "made_cluster.h"
#include "outlook.h"
#include "task_sample.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

enum source { FORMULA, SAMPLE };
struct view {
    const char *name, *group[3];
    enum source p99, largest;
};
static const struct view views[] = {
    {"one law",
     {"{count: 10, compute: {type: constant, value: 1s}, delay: {type: gamma, shape: 3, scale: 1s}}"},
     FORMULA,
     FORMULA},
    {"two laws",
     {"{count: 10, speed: 2, compute: {type: uniform, low: 1s, high: 3s}, delay: {type: exponential, "
      "mean: 1s}}"},
     FORMULA,
     FORMULA},
    {"slowness",
     {"{count: 10, delay: {type: exponential, mean: 1s}, slowness: {type: uniform, low: 1s, high: "
      "3s}}"},
     FORMULA,
     FORMULA},
    {"regime",
     {"{count: 10, delay: {type: gamma, shape: 3, scale: 1s}, regime: {p_slow: 0.05, p_recover: 0.2, "
      "slowdown: 5}}"},
     FORMULA,
     FORMULA},
    {"two groups",
     {"{count: 6, delay: {type: gamma, shape: 3, scale: 1s}}",
      "{count: 4, delay: {type: uniform, low: 1s, high: 9s}}"},
     FORMULA,
     FORMULA},
    {"a fixed number straggles",
     {"{count: 10, compute: {type: constant, value: 1s}, delay: {type: exactly, "
      "stragglers: 2, law: {type: gamma, shape: 3, scale: 1s}}}"},
     FORMULA,
     SAMPLE},
};

static void expect_source(struct prospect prospect, enum source wanted, const char *name, const char *what) {
    cr_expect(wanted == SAMPLE ? prospect.sampled > 0 : prospect.sampled == 0, "%s: %s", name, what);
}

/* 20,000 tasks of ten workers that share no draws: the mean within four standard errors; the deviation within 5 % (its
 * relative error is sqrt((kurtosis - 1) / 4 / 20,000), below 1 % for kurtoses below 9); the 99th percentile within 6 %; the
 * largest of 2,000 steps, whose deviation is below its mean, within four times that over sqrt(2,000), 9 %. */
Test(outlook, formulas_agree_with_samples) {
    for (size_t c = 0; c < sizeof views / sizeof *views; c++) {
        const struct view *view = &views[c];
        struct made_cluster made = made_cluster(view->group);
        struct outlook_request request = {.seed = 3, .work = 2};
        struct outlook found = cluster_outlook(&made.spec, &request);
        struct task_sample sample = task_sample_draw(&made.spec, &request);
        double error = found.deviation_s.value / sqrt(sample.tasks);
        cr_expect(le(dbl, fabs(found.mean_s.value - sample.mean_s), 4 * error), "%s: mean", view->name);
        cr_expect(le(dbl, fabs(found.deviation_s.value / sample.deviation_s - 1), .05), "%s: %g, %g",
                  view->name, found.deviation_s.value, sample.deviation_s);
        cr_expect(le(dbl, fabs(found.p99_s.value / sample.p99_s - 1), .06), "%s: p99", view->name);
        cr_expect(le(dbl, fabs(found.largest_s.value / sample.largest_s - 1), .09), "%s: largest",
                  view->name);
        expect_source(found.mean_s, FORMULA, view->name, "mean");
        expect_source(found.p99_s, view->p99, view->name, "p99");
        expect_source(found.largest_s, view->largest, view->name, "largest");
        made_cluster_fini(&made);
    }
}

/* Constant times in a regime are correlated by 1 - p_slow - p_recover exactly; without one by nothing; noise dilutes: with
 * mean m and variance v of the law and d the slow share's variance, by (m^2 d) / (v (d + E[Z]^2) + m^2 d) of it. */
Test(outlook, correlation) {
    static const char *const regime[] = {
        "{count: 3, delay: {type: constant, value: 2s}, regime: {p_slow: 0.05, "
        "p_recover: 0.15, slowdown: 5}}",
        NULL};
    static const char *const noisy[] = {
        "{count: 3, delay: {type: exponential, mean: 2s}, regime: {p_slow: 0.05, "
        "p_recover: 0.15, slowdown: 5}}",
        NULL};
    static const char *const none[] = {"{count: 3, delay: {type: exponential, mean: 2s}}", NULL};
    static const char *const still[] = {"{count: 3, delay: {type: constant, value: 2s}}", NULL};
    const double variance = .25 * .75 * 16, mean = 2;
    const struct {
        const char *const *group;
        double value;
    } rows[] = {{regime, .8},
                {noisy, .8 * 4 * variance / (4 * (variance + mean * mean) + 4 * variance)},
                {none, 0},
                {still, NAN}};
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++) {
        struct made_cluster made = made_cluster(rows[c].group);
        struct outlook_request request = {.seed = 3, .work = 1};
        double found = cluster_outlook(&made.spec, &request).correlation.value;
        uint32_t tasks;
        double drawn = task_sample_correlation(&made.spec, &request, &tasks);
        if (isnan(rows[c].value)) {
            cr_expect(isnan(found));
        } else {
            cr_expect(epsilon_eq(dbl, found, rows[c].value, 1e-12), "row %zu", c);
            /* three workers of 6,600 steps; a regime's memory leaves a tenth of them independent: about .03 */
            cr_expect(epsilon_eq(dbl, drawn, rows[c].value, .1), "row %zu: %g", c, drawn);
        }
        made_cluster_fini(&made);
    }
}

/* Groups, and what their outlook must be; a number that a formula does not give is not looked at. */
#define ANY         (-1.0)
#define EXPONENTIAL "delay: {type: exponential, mean: 1s}"
#define TAIL(shape) "{type: pareto, minimum: 1s, shape: " shape "}"
struct limit {
    const char *name, *group[3];
    double mean, deviation, p99, largest;
    bool correlates; /* its correlation is defined */
};
static const struct limit limits[] = {
    {"no mean", {"{count: 4, delay: " TAIL("1") "}"}, INFINITY, INFINITY, 100, INFINITY, false},
    {"no mean, computing too",
     {"{count: 4, delay: " TAIL("0.9") ", compute: {type: exponential, mean: 1s}}"},
     INFINITY,
     INFINITY,
     ANY,
     INFINITY,
     false},
    {"no variance",
     {"{count: 4, delay: " TAIL("2") ", compute: {type: exponential, mean: 1s}}"},
     3,
     INFINITY,
     ANY,
     ANY,
     false},
    {"a slowness without a mean",
     {"{count: 4, " EXPONENTIAL ", slowness: " TAIL("0.9") "}"},
     INFINITY,
     INFINITY,
     ANY,
     INFINITY,
     false},
    {"a slowness without a variance",
     {"{count: 4, " EXPONENTIAL ", slowness: " TAIL("2") "}"},
     2,
     INFINITY,
     ANY,
     ANY,
     false},
    {"a part without a mean",
     {"{count: 4, " EXPONENTIAL ", compute: {type: mixture, parts: [{weight: 9, type: constant, value: 1s}, "
      "{weight: 1, type: pareto, minimum: 1s, shape: 1}]}}"},
     INFINITY,
     INFINITY,
     ANY,
     INFINITY,
     false},
    {"a part of no weight",
     {"{count: 4, delay: {type: mixture, parts: [{weight: 9, type: constant, value: 1s}, {weight: 0, type: "
      "pareto, minimum: 1s, shape: 1}]}}"},
     1,
     0,
     1,
     1,
     false},
    {"a straggler without a mean",
     {"{count: 4, " EXPONENTIAL ", compute: {type: exactly, stragglers: 1, law: " TAIL("1") "}}"},
     INFINITY,
     INFINITY,
     ANY,
     INFINITY,
     false},
    {"a straggler without a variance",
     {"{count: 4, " EXPONENTIAL ", compute: {type: exactly, stragglers: 2, law: " TAIL("2") "}}"},
     2,
     INFINITY,
     ANY,
     ANY,
     false},
    {"a straggler that never answers",
     {"{count: 4, " EXPONENTIAL ", compute: {type: exactly, stragglers: 1, law: {type: never}}}"},
     INFINITY,
     INFINITY,
     INFINITY,
     INFINITY,
     false},
    {"one in a hundred never ends",
     {"{count: 4, " EXPONENTIAL ", compute: {type: mixture, parts: [{weight: 1, type: never}, {weight: 99, "
      "type: exponential, mean: 1s}]}}"},
     INFINITY,
     INFINITY,
     INFINITY,
     INFINITY,
     false},
    {"endlessly slow",
     {"{count: 4, " EXPONENTIAL ", slowness: {type: never}}"},
     INFINITY,
     INFINITY,
     INFINITY,
     INFINITY,
     false},
    {"endlessly slow at nothing", {"{count: 4, slowness: {type: never}}"}, 0, 0, 0, 0, false},
    {"a regime on nothing",
     {"{count: 4, regime: {p_slow: 0.5, p_recover: 1, slowdown: 2}}"},
     0,
     0,
     0,
     0,
     false},
    {"a regime that slows nothing",
     {"{count: 4, delay: {type: constant, value: 2s}, regime: {p_slow: 0.5, p_recover: 1, slowdown: 1}}"},
     2,
     0,
     2,
     2,
     false},
    {"stragglers that take no time",
     {"{count: 4, delay: {type: exactly, stragglers: 2, law: {type: constant, value: 0s}}}"},
     0,
     0,
     0,
     0,
     false},
    {"one group without a mean",
     {"{count: 3, " EXPONENTIAL "}", "{count: 1, delay: " TAIL("1") "}"},
     INFINITY,
     INFINITY,
     ANY,
     INFINITY,
     false},
    {"one group without a variance",
     {"{count: 2, " EXPONENTIAL "}", "{count: 2, delay: " TAIL("2") "}"},
     1.5,
     INFINITY,
     ANY,
     ANY,
     false},
    {"groups that differ by constants alone",
     {"{count: 2, delay: {type: constant, value: 1s}}", "{count: 2, delay: {type: constant, value: 3s}}"},
     2,
     1,
     3,
     3,
     false},
    {"all is well", {"{count: 4, " EXPONENTIAL "}"}, 1, 1, ANY, 25 / 12.0, true},
};

/* Formulas, to rounding and the quadrature's 1e-10. What is infinite is so by a formula, never by a sample. */
static void expect_limit(const struct limit *limit, const char *what, struct prospect found, double wanted) {
    if (wanted == ANY)
        return;
    cr_expect(found.sampled == 0, "%s: %s is sampled", limit->name, what);
    if (isinf(wanted))
        cr_expect(isinf(found.value), "%s: %s is %g", limit->name, what, found.value);
    else
        cr_expect(epsilon_eq(dbl, found.value, wanted, 1e-8), "%s: %s is %g", limit->name, what, found.value);
}

Test(outlook, what_does_not_exist) {
    for (size_t c = 0; c < sizeof limits / sizeof *limits; c++) {
        struct made_cluster made = made_cluster(limits[c].group);
        struct outlook found = cluster_outlook(&made.spec, &(struct outlook_request){.seed = 3, .work = 1});
        expect_limit(&limits[c], "mean", found.mean_s, limits[c].mean);
        expect_limit(&limits[c], "deviation", found.deviation_s, limits[c].deviation);
        expect_limit(&limits[c], "p99", found.p99_s, limits[c].p99);
        expect_limit(&limits[c], "largest", found.largest_s, limits[c].largest);
        cr_expect(isnan(found.correlation.value) == !limits[c].correlates, "%s: correlation is %g",
                  limits[c].name, found.correlation.value);
        made_cluster_fini(&made);
    }
}

/* A shock without a mean counts where it can strike, with a probability and in a rack. */
Test(outlook, shocks_without_a_mean) {
    static const char *const in_rack[] = {"{count: 4, rack: 0, " EXPONENTIAL "}", NULL};
    static const char *const in_none[] = {"{count: 4, " EXPONENTIAL "}", NULL};
    const struct {
        const char *name, *const *group;
        double probability, mean;
    } rows[] = {
        {"strikes", in_rack, .1, INFINITY}, {"never strikes", in_rack, 0, 1}, {"no rack", in_none, .1, 1}};
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++) {
        struct made_cluster made = made_cluster(rows[c].group);
        struct given_law given = given_law(TAIL("1"), 1, NULL);
        struct shock_spec shock = {rows[c].probability, given.law};
        made.spec.shock = &shock;
        struct outlook found = cluster_outlook(&made.spec, &(struct outlook_request){.seed = 3, .work = 1});
        struct limit limit = {.name = rows[c].name};
        expect_limit(&limit, "mean", found.mean_s, rows[c].mean);
        expect_limit(&limit, "largest", found.largest_s, isinf(rows[c].mean) ? INFINITY : 25 / 12.0);
        cr_expect(isnan(found.correlation.value) == (isinf(rows[c].mean) != 0), "%s", rows[c].name);
        given_law_fini(&given);
        made_cluster_fini(&made);
    }
}
