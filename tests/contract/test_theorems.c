/* What theorems.csv and bounds.csv say of pipelined codes: on a quadratic where all is known, and where each condition
 * fails. */
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 6, STEPS = 100 };

/* A feature of ones, labels 1 and 3 on every worker: F(w) = (w - 2)^2/2 + 1/2 + w^2/4, L = lambda = 3/2, w* = 4/3,
 * F(0) - F* = L w*^2/2 = 4/3; all partitions have the same gradient, so that xi = 0. */
#define CURVATURE 1.5
static const char quadratic_text[] =
    "name: quadratic\n"
    "problem: {loss: linear, l2: 0.5, data: {type: csv, path: quadratic.csv, label: y}}\n"
    "optimizer: {learning_rate: %.17g}\n"
    "stop: {steps: %d}\n"
    "cluster: {workers: [{count: %d, delay: {type: exponential, mean: 1}}]}\n"
    "record: {audit: true}\n"
    "schemes: [{type: %s, stragglers: %d, wait: {type: all}, label: code}]\n";

struct promise {
    const char *scheme, *theorem;
    int stragglers;
    double factor;        /* q at xi = 0: n^2, or n c */
    double share;         /* of the learning rate in its limit */
    const char *exceeded; /* where F first lies above the bound */
};
/* Below the limit a step falls by about 1 - 2 lambda eta per step in F; the bound by 1 - lambda (1 - gamma) limit: at a
 * fifth of the limit it is passed at once. */
static const struct promise promises[] = {
    {"pgc-fr", "Theorem 1", 1, WORKERS *WORKERS, 1, ""},
    {"pgc-fr", "Theorem 1", 2, WORKERS *WORKERS, 1, ""},
    {"pgc-cr", "Theorem 2", 1, WORKERS * 2, 1, ""},
    {"pgc-cr", "Theorem 2", 3, WORKERS * 4, 1, ""},
    {"pgc-fr", "Theorem 1", 1, WORKERS *WORKERS, 0.2, "1"},
    {"pgc-cr", "Theorem 2", 1, WORKERS * 2, 0.2, "1"},
};

/* The distance to the minimum after t updates with every worker heard: each update moves it by the mean of the last c
 * gradients of the loss and by the penalty at the present model. */
static void distances(const struct promise *promise, double rate, double *distance) {
    int copies = promise->stragglers + 1;
    double w[STEPS + 1] = {0};
    for (int t = 0; t < STEPS; t++) {
        double gradient = 0;
        for (int back = 0; back < copies; back++)
            gradient += (w[t > back ? t - back : 0] - 2) / copies;
        w[t + 1] = w[t] - rate * (gradient + 0.5 * w[t]);
    }
    for (int t = 0; t <= STEPS; t++)
        distance[t] = w[t] - 4.0 / 3;
}

/* The largest ratio over the updates of the squares of grad F minus its stale value, or mean of such, to grad F. */
static double staleness(const struct promise *promise, const double *distance) {
    int copies = promise->stragglers + 1;
    double largest = 0;
    for (int t = 0; t < STEPS; t++) {
        double mean = 0, farthest = 0;
        for (int back = 0; back < copies; back++) {
            double apart = distance[t > back ? t - back : 0] - distance[t];
            mean += apart / copies;
            farthest = fmax(farthest, fabs(apart));
        }
        double apart = strcmp(promise->scheme, "pgc-fr") == 0 ? farthest : mean;
        largest = fmax(largest, apart * apart / (distance[t] * distance[t]));
    }
    return largest;
}

static void run_promise(const struct scratch *scratch, const struct promise *promise, double rate) {
    scratch_write_text(scratch, "quadratic.csv", "x,y\n");
    for (int i = 0; i < WORKERS; i++)
        scratch_append(scratch, "quadratic.csv", "1,1\n1,3\n");
    run_scenario(scratch, "out", "1", quadratic_text, rate, STEPS, WORKERS, promise->scheme,
                 promise->stragglers);
}

/* Relative: F is known to a rounding of 1, and excess losses of these runs stay above 1e-8. */
#define TOLERANCE 1e-6

static void expect_bounds(const struct scratch *scratch, const struct promise *promise,
                          double factor_of_step) {
    struct results bounds;
    results_init(&bounds, scratch, "out/bounds.csv");
    cr_assert(eq(sz, bounds.rows, STEPS + 1));
    for (size_t t = 0; t <= STEPS; t++) {
        double excess = results_number(&bounds, t, "excess_loss"),
               bound = results_number(&bounds, t, "bound");
        double wanted = pow(factor_of_step, (double)t) * 4 / 3;
        cr_expect(epsilon_eq(dbl, bound, wanted, wanted * TOLERANCE), "%s %d, step %zu", promise->scheme,
                  promise->stragglers, t);
        if (*promise->exceeded == '\0')
            cr_expect(le(dbl, excess, bound + 1e-15), "%s %d, step %zu", promise->scheme, promise->stragglers,
                      t);
    }
    results_fini(&bounds);
}

static void expect_promise(const struct promise *promise) {
    struct scratch scratch;
    struct results theorems;
    double distance[STEPS + 1], limit = 1 / (CURVATURE * promise->factor), rate = promise->share * limit;
    scratch_init(&scratch);
    run_promise(&scratch, promise, rate);
    distances(promise, rate, distance);
    double gamma = staleness(promise, distance), step = 1 - CURVATURE * (1 - gamma) * limit;
    results_init(&theorems, &scratch, "out/theorems.csv");
    const char *name = promise->scheme;
    cr_assert(eq(sz, theorems.rows, 1));
    cr_expect(eq(str, (char *)results_cell(&theorems, 0, "theorem"), (char *)promise->theorem));
    cr_expect(eq(str, (char *)results_cell(&theorems, 0, "holds"), (char *)"yes"), "%s: %s", name,
              results_cell(&theorems, 0, "reason"));
    cr_expect(eq(str, (char *)results_cell(&theorems, 0, "exceeded_step"), (char *)promise->exceeded), "%s",
              name);
    cr_expect(epsilon_eq(dbl, results_number(&theorems, 0, "smoothness"), CURVATURE, 1e-14), "%s", name);
    cr_expect(epsilon_eq(dbl, results_number(&theorems, 0, "convexity"), CURVATURE, 1e-14), "%s", name);
    cr_expect(le(dbl, results_number(&theorems, 0, "xi"), 1e-12), "%s", name);
    cr_expect(epsilon_eq(dbl, results_number(&theorems, 0, "gamma"), gamma, gamma * TOLERANCE), "%s", name);
    cr_expect(epsilon_eq(dbl, results_number(&theorems, 0, "learning_rate_limit"), limit, limit * 1e-9), "%s",
              name);
    expect_bounds(&scratch, promise, step);
    results_fini(&theorems);
    scratch_fini(&scratch);
}

Test(theorems, where_the_conditions_hold_all_is_as_computed, .timeout = 60) {
    for (size_t p = 0; p < sizeof promises / sizeof *promises; p++)
        expect_promise(&promises[p]);
}

struct failing {
    const char *name, *problem, *optimizer, *reason;
};
#define SAME      "loss: linear, l2: 0.5, data: {type: csv, path: quadratic.csv, label: y}"
#define SYNTHETIC "data: {type: synthetic, samples: 120, features: 4"
static const struct failing failings[] = {
    {"optimizer", SAME, "{type: momentum, learning_rate: 0.001}", "the optimizer is momentum"},
    {"schedule", SAME, "{learning_rate: 0.001, schedule: {type: warmup, steps: 3}}",
     "the schedule is warmup"},
    {"batches", SAME ", batch: 1", "{learning_rate: 0.001}", "batches are not full"},
    {"learning rate", SAME, "{learning_rate: 0.03}", "the learning rate 0.03 is above the limit 0.0185"},
    {"xi", "loss: linear, l2: 0.1, data: {type: synthetic, samples: 12, features: 4}",
     "{learning_rate: 0.001}", "xi = "},
    {"gamma", SAME, "{learning_rate: 0.5}", "gamma = "},
    {"convexity", "loss: logistic, l2: 0, " SYNTHETIC "}", "{learning_rate: 0.01}",
     "F is not strongly convex"},
    {"intercept", "loss: logistic, l2: 0.1, " SYNTHETIC ", intercept: true}", "{learning_rate: 0.01}",
     "F is not strongly convex: l2 does not hold the intercept"},
    {"features", "loss: linear, l2: 0.1, data: {type: synthetic, samples: 24, features: 257}",
     "{learning_rate: 1e-4}", "eigenvalues are found for at most 256 features and these are 257"},
};

Test(theorems, a_condition_that_fails_is_named, .timeout = 60) {
    for (size_t f = 0; f < sizeof failings / sizeof *failings; f++) {
        const struct failing *failing = &failings[f];
        struct scratch scratch;
        struct results theorems;
        scratch_init(&scratch);
        scratch_write_text(&scratch, "quadratic.csv", "x,y\n");
        for (int i = 0; i < WORKERS; i++)
            scratch_append(&scratch, "quadratic.csv", "1,1\n1,3\n");
        run_scenario(&scratch, "out", "1",
                     "name: failing\nproblem: {%s}\noptimizer: %s\nstop: {steps: 20}\n"
                     "cluster: {workers: [{count: %d, delay: {type: exponential, mean: 1}}]}\n"
                     "record: {audit: true}\nschemes: [{type: pgc-fr, stragglers: 1}]\n",
                     failing->problem, failing->optimizer, WORKERS);
        results_init(&theorems, &scratch, "out/theorems.csv");
        const char *reason = results_cell(&theorems, 0, "reason");
        cr_expect(eq(str, (char *)results_cell(&theorems, 0, "holds"), (char *)"no"), "%s", failing->name);
        cr_expect(strstr(reason, failing->reason) != NULL, "%s: wanted '%s', got '%s'", failing->name,
                  failing->reason, reason);
        results_fini(&theorems);
        scratch_fini(&scratch);
    }
}

/* After the run a sentence per scheme that has a theorem, and none of others. */
Test(theorems, the_run_says_whether_they_hold, .timeout = 60) {
    struct scratch scratch;
    scratch_init(&scratch);
    scratch_write_text(
        &scratch, "s.yaml",
        "name: said\nproblem: {loss: logistic, l2: 0.1, data: {type: synthetic, samples: 60, features: 3}}\n"
        "optimizer: {learning_rate: 0.5}\nstop: {steps: 20}\nreplications: 2\n"
        "cluster: {workers: [{count: 6, delay: {type: exponential, mean: 1}}]}\n"
        "record: {audit: true}\nschemes: [{type: uncoded}, {type: pgc-cr, stragglers: 1}]\n");
    const char *const arguments[] = {"run", "s.yaml", NULL};
    struct outcome outcome = scratch_run(&scratch, arguments);
    cr_assert(eq(int, outcome.exit_code, 0), "%s", outcome.err);
    cr_expect(strstr(outcome.out, "pgc-cr: the conditions of Theorem 2 fail in 2 of 2 runs: ") != NULL, "%s",
              outcome.out);
    cr_expect(strstr(outcome.out, "uncoded: ") == NULL, "%s", outcome.out);
    cr_expect(strstr(outcome.out, "gradient error") != NULL, "%s", outcome.out);
    outcome_fini(&outcome);
    scratch_fini(&scratch);
}
