/* What tasks will take: formulas against samples of the same cluster, and which of the two is used. */
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
     SAMPLE,
     SAMPLE},
    {"slowness",
     {"{count: 10, delay: {type: exponential, mean: 1s}, slowness: {type: uniform, low: 1s, high: "
      "3s}}"},
     SAMPLE,
     SAMPLE},
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
     SAMPLE,
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
