/* Schemes without a barrier: which of them train as uncoded does, how fast async converges on a quadratic, traces that end. */
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>

#define ROUNDS  40
#define WORKERS 6

static const char equal_text[] = "name: equal\n"
                                 "problem: {loss: %s, l2: 0.05, batch: %s, data: {type: synthetic, samples: "
                                 "157, features: 9, intercept: true}}\n"
                                 "optimizer: {type: %s, learning_rate: 0.3}\n"
                                 "stop: {steps: %d}\n"
                                 "cluster: {workers: [{count: 6, compute: {type: constant, value: 1}, delay: "
                                 "{type: exponential, mean: 1}}]}\n"
                                 "schemes:\n"
                                 "  - {type: %s, label: one}\n";

struct training {
    const char *loss, *batch, *optimizer;
};
static const struct training trainings[] = {{"logistic", "full", "sgd"},
                                            {"linear", "full", "momentum"},
                                            {"logistic", "4", "sgd"},
                                            {"logistic", "4", "adam"}};

static size_t losses_of(const struct training *training, const char *scheme, int steps, double *loss,
                        size_t room) {
    struct scratch scratch;
    struct results results;
    scratch_init(&scratch);
    run_scenario(&scratch, "out", "1", equal_text, training->loss, training->batch, training->optimizer,
                 steps, scheme);
    results_init(&results, &scratch, "out/steps.csv");
    size_t count = run_series(&results, "one", "0", "loss", loss, room);
    results_fini(&results);
    scratch_fini(&scratch);
    return count;
}

/* Rounding of 40 rounds of at most 6 * 157 additions of 1.1e-16 each, against losses above 0.1. */
#define TOLERANCE (ROUNDS * WORKERS * 157 * 1.1e-16 / 0.1)

/* Row t of uncoded is row `stride` * t of the scheme. */
static void expect_alike(const struct training *training, const char *scheme, int stride) {
    static double uncoded[ROUNDS + 1], loss[ROUNDS * WORKERS + 1];
    cr_assert(eq(sz, losses_of(training, "uncoded", ROUNDS, uncoded, ROUNDS + 1), ROUNDS + 1));
    size_t rows = losses_of(training, scheme, ROUNDS * stride, loss, ROUNDS * WORKERS + 1);
    cr_assert(eq(sz, rows, (size_t)(ROUNDS * stride + 1)), "%s", scheme);
    for (int t = 0; t <= ROUNDS; t++)
        cr_assert(le(dbl, fabs(loss[stride * t] / uncoded[t] - 1), TOLERANCE), "%s, %s, %s, batch %s, row %d",
                  scheme, training->loss, training->optimizer, training->batch, t);
}

Test(at_will, waiting_for_all_is_uncoded, .timeout = 60) {
    for (size_t c = 0; c < sizeof trainings / sizeof *trainings; c++) {
        expect_alike(&trainings[c], "k-async, k: 6", 1);
        expect_alike(&trainings[c], "dsag, fresh: 6", 1);
    }
}

/* All n gradients of a clock are of the model at its beginning, and so are their shares of l2 w. */
Test(at_will, ssp_of_bound_0_is_uncoded_in_n_updates, .timeout = 60) {
    for (size_t c = 0; c < sizeof trainings / sizeof *trainings; c++)
        if (trainings[c].optimizer[0] == 's')
            expect_alike(&trainings[c], "ssp, bound: 0", WORKERS);
}

/* A clock is as many updates as there are workers: gradients of equal workers are at most n - 1 old and none is dropped at
 * bound 0. While one of n = 6 at half their speed computes, the five others push ten times: all of its gradients are dropped
 * at bound 0 and none is at bound 1. */
Test(at_will, ssp_drops_by_clocks_of_n_updates, .timeout = 60) {
    static const struct {
        double speed;
        int bound;
        double slow_used;
    } cases[] = {{1, 0, 100}, {0.5, 0, 0}, {0.5, 1, 54}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct scratch scratch;
        struct results workers;
        scratch_init(&scratch);
        run_scenario(
            &scratch, "out", "1",
            "name: clocks\nproblem: {loss: none}\nstop: {steps: 600}\ncluster: {workers: "
            "[{count: 5, compute: {type: constant, value: 1}}, {count: 1, speed: %g, compute: {type: "
            "constant, value: 1}}]}\nschemes: [{type: ssp, bound: %d, on_bound: drop}]\n",
            cases[c].speed, cases[c].bound);
        results_init(&workers, &scratch, "out/workers.csv");
        double used = results_number(&workers, 5, "used");
        cr_expect(eq(dbl, used, cases[c].slow_used), "case %zu: %g", c, used);
        results_fini(&workers);
        scratch_fini(&scratch);
    }
}

/* One feature that is always 1 and the same labels in each of four partitions: n g_p(w) = w - mean of y for all p. Equal
 * workers push in turn, so each gradient is n - 1 updates old: with e the distance to the optimum
 * e_{t+1} = (1 - eta l2) e_t - eta e_{t-n+1}. */
static const char quadratic_text[] =
    "name: quadratic\n"
    "problem: {loss: linear, l2: %.17g, data: {type: csv, path: quadratic.csv, label: y}}\n"
    "optimizer: {learning_rate: %.17g}\n"
    "stop: {steps: 600}\n"
    "cluster: {workers: [{count: 4, delay: {type: constant, value: 1}}]}\n"
    "schemes: [{type: %s, label: one}]\n";

static void quadratic_losses(double l2, double eta, const char *scheme, double loss[601]) {
    struct scratch scratch;
    struct results steps;
    scratch_init(&scratch);
    scratch_write_text(&scratch, "quadratic.csv", "x,y\n");
    for (int r = 0; r < 24; r++)
        scratch_append(&scratch, "quadratic.csv", "1,%d\n", r % 2 + 3);
    run_scenario(&scratch, "out", "1", quadratic_text, l2, eta, scheme);
    results_init(&steps, &scratch, "out/steps.csv");
    cr_assert(eq(sz, run_series(&steps, "one", "0", "loss", loss, 601), 601));
    results_fini(&steps);
    scratch_fini(&scratch);
}

/* The largest root of z^4 - (1 - eta l2) z^3 + eta: for these steps it is real, between 0.8 and 1, where the polynomial
 * rises through 0. */
static double largest_root(double eta, double l2) {
    double low = 0.8, high = 1;
    for (int halving = 0; halving < 60; halving++) {
        double z = (low + high) / 2;
        if (z * z * z * z - (1 - eta * l2) * z * z * z + eta < 0)
            low = z;
        else
            high = z;
    }
    return low;
}

/* F at the optimum (mean 3.5 and variance 1/4 of y): w* = 3.5 / (1 + l2). */
static double least_loss(double l2) {
    double w = 3.5 / (1 + l2);
    return (0.25 + (w - 3.5) * (w - 3.5)) / 2 + l2 / 2 * w * w;
}

/* F - F* falls by z^2 an update once the other roots, below 0.7 in modulus, have died out: over 60 updates from the 60th on,
 * where F - F* is still above 1e-9 and F is exact to 1e-15. */
Test(at_will, async_decays_as_its_delayed_recursion, .timeout = 60) {
    static const double cases[][2] = {{.05, 0}, {.03, 0}, {.05, .5}, {.08, .1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        static double loss[601];
        double eta = cases[c][0], l2 = cases[c][1], least = least_loss(l2);
        quadratic_losses(l2, eta, "async", loss);
        double rate = pow((loss[120] - least) / (loss[60] - least), 1.0 / 120);
        cr_expect(epsilon_eq(dbl, rate, largest_root(eta, l2), 1e-5), "eta %g, l2 %g: %.9f, not %.9f", eta,
                  l2, rate, largest_root(eta, l2));
    }
}

/* With a delay of d updates it is stable up to eta = 2 sin(pi / (2 (2 d + 1))): 0.445 for d = 3. */
Test(at_will, async_is_stable_up_to_its_largest_step, .timeout = 60) {
    static double below[601], above[601];
    double edge = 2 * sin(acos(-1) / 14);
    quadratic_losses(0, .98 * edge, "async", below);
    quadratic_losses(0, 1.02 * edge, "async", above);
    cr_expect(lt(dbl, below[600] - .125, (below[300] - .125) / 2));
    cr_expect(lt(dbl, 2 * (above[300] - .125), above[600] - .125));
}

static void each_staleness(const char *scheme, double most) {
    struct scratch scratch;
    struct results steps;
    double oldest[401];
    scratch_init(&scratch);
    run_scenario(&scratch, "out", "1",
                 "name: oldest\nproblem: {loss: none}\nstop: {steps: 400}\n"
                 "cluster: {workers: [{count: 8, delay: {type: exponential, mean: 1}}]}\n"
                 "schemes: [{type: %s, label: one}]\n",
                 scheme);
    results_init(&steps, &scratch, "out/steps.csv");
    size_t rows = run_series(&steps, "one", "0", "staleness_max", oldest, 401);
    double largest = 0;
    for (size_t t = 1; t < rows; t++)
        largest = fmax(largest, oldest[t]);
    cr_expect(eq(sz, rows, 401), "%s", scheme);
    cr_expect(eq(dbl, largest, most), "%s: %g", scheme, largest);
    results_fini(&steps);
    scratch_fini(&scratch);
}

/* Of 400 gradients some are as old as may be: at bound 0 each of the n pushes of a clock is one update older than the last,
 * and `drop` counts n updates as a clock. */
Test(at_will, gradients_are_not_older_than_allowed, .timeout = 60) {
    each_staleness("ringmaster, max_age: 0", 0);
    each_staleness("ringmaster, max_age: 5", 5);
    each_staleness("k-batch-sync, k: 4", 0);
    each_staleness("ssp, bound: 0", 7);
    each_staleness("ssp, bound: 0, on_bound: drop", 7);
    each_staleness("ssp, bound: 1, on_bound: drop", 15);
}

/* A model takes a second to the worker, which needs it for its first task after an update only. */
Test(at_will, a_worker_keeps_the_model_until_it_moves, .timeout = 60) {
    static const struct {
        const char *scheme;
        double step_s;
    } cases[] = {{"async", 2}, {"k-batch-sync, k: 3", 4}, {"k-batch-async, k: 3", 4}, {"ssp, bound: 2", 2}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct scratch scratch;
        struct results runs;
        scratch_init(&scratch);
        run_scenario(
            &scratch, "out", "1",
            "name: kept\nproblem: {loss: none}\nstop: {steps: 5}\n"
            "cluster: {network: {down: {latency: 1s}}, workers: [{count: 1, delay: {type: constant, value: "
            "1}}]}\nschemes: [{type: %s}]\n",
            cases[c].scheme);
        results_init(&runs, &scratch, "out/runs.csv");
        cr_expect(eq(dbl, results_number(&runs, 0, "time_s"), 5 * cases[c].step_s), "%s", cases[c].scheme);
        results_fini(&runs);
        scratch_fini(&scratch);
    }
}

/* Worker 1 has no measurement of round 1, so it does its third task after the first; both end at 3 s, which the run outlasts
 * by nothing, as round 3 is wanted. */
Test(at_will, a_trace_with_a_gap_ends_the_run, .timeout = 60) {
    struct scratch scratch;
    struct results steps, runs, workers;
    double time_s[6];
    static const double wanted[] = {0, 1, 2, 2, 3, 3};
    scratch_init(&scratch);
    scratch_write_text(&scratch, "t.csv", "round,worker,seconds\n0,0,1\n0,1,2\n1,0,1\n2,0,1\n2,1,1\n");
    run_scenario(
        &scratch, "out", "1",
        "name: gap\nproblem: {loss: none}\nstop: {steps: 100}\n"
        "cluster: {workers: [{count: 2, delay: {type: trace, path: t.csv, missing: skip, beyond: stop}}]}\n"
        "schemes: [{type: async, label: one}]\n");
    results_init(&steps, &scratch, "out/steps.csv");
    results_init(&runs, &scratch, "out/runs.csv");
    results_init(&workers, &scratch, "out/workers.csv");
    cr_assert(eq(sz, run_series(&steps, "one", "0", "time_s", time_s, 6), 6));
    for (size_t t = 0; t < 6; t++)
        cr_expect(eq(dbl, time_s[t], wanted[t]), "row %zu", t);
    cr_expect(eq(str, (char *)results_cell(&runs, 0, "status"), (char *)"trace_end"));
    cr_expect(eq(dbl, results_number(&workers, 1, "skipped"), 1));
    results_fini(&steps);
    results_fini(&runs);
    results_fini(&workers);
    scratch_fini(&scratch);
}
