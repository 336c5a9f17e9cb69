/* Which schemes must train alike, and how fast pipelined codes converge on a quadratic. */
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>

#define STEPS 61

static const char equal_text[] =
    "name: equal\n"
    "replications: 2\n"
    "problem: {loss: %s, l2: 0.01, batch: %s, data: {type: synthetic, samples: 157, features: 9, intercept: "
    "true}}\n"
    "optimizer: {type: %s, learning_rate: 0.3}\n"
    "stop: {steps: 60}\n"
    "cluster: {workers: [{count: 12, compute: {type: constant, value: 1}, delay: {type: exponential, mean: "
    "1}}]}\n"
    "schemes:\n"
    "  - {type: uncoded, label: reference}\n"
    "  - {type: uncoded, decode: real, label: uncoded}\n"
    "  - {type: gc-fr, stragglers: 2, decode: real, label: gc-fr}\n"
    "  - {type: gc-fr, stragglers: 2, decode: real, wait: {type: decodable}, label: gc-fr decodable}\n"
    "  - {type: gc-cr, stragglers: 2, decode: real, label: gc-cr}\n"
    "  - {type: gc-cr, stragglers: 2, decode: real, wait: {type: all}, label: gc-cr all}\n"
    "  - {type: gc-cr, stragglers: 2, decode: shared, label: gc-cr shared}\n"
    "  - {type: gc-mds, stragglers: 3, decode: real, label: gc-mds}\n"
    "  - {type: gc-mds, stragglers: 3, decode: real, wait: {type: all}, label: gc-mds all}\n"
    "  - {type: gc-mds, stragglers: 2, field: complex, decode: real, label: gc-mds complex}\n"
    "  - {type: ignore, stragglers: 0, decode: real, label: ignore s=0}\n"
    "  - {type: pgc-fr, stragglers: 0, decode: real, label: pgc-fr s=0}\n"
    "  - {type: pgc-cr, stragglers: 0, decode: real, label: pgc-cr s=0}\n"
    "  - {type: pgc-cr-naive, stragglers: 0, decode: real, label: naive s=0}\n"
    "  - {type: isgc-fr, copies: 3, stragglers: 0, decode: real, label: isgc-fr}\n"
    "  - {type: isgc-cr, copies: 3, stragglers: 0, decode: real, label: isgc-cr}\n"
    "  - {type: isgc-cr, copies: 3, stragglers: 0, decode: real, wait: {type: decodable}, label: isgc-cr "
    "decodable}\n"
    "  - {type: isgc-hr, copies: 3, groups: 2, stragglers: 0, decode: real, label: isgc-hr}\n"
    "  - {type: isgc-hr, copies: 3, groups: 2, stragglers: 0, decode: real, wait: {type: decodable}, label: "
    "isgc-hr decodable}\n"
    "  - {type: erasurehead, copies: 3, results: 12, decode: real, label: erasurehead}\n"
    "  - {type: sgc, replication: 3, stragglers: 0, decode: real, label: sgc s=0}\n"
    "  - {type: bibd, stragglers: 0, blocks: %s/scenarios/data/affine-plane-3.csv, decode: real, label: bibd "
    "s=0}\n";

struct training {
    const char *loss, *batch, *optimizer;
};
/* Pipelined codes number their batches differently (model.md section 1), and a block design's 9 partitions of 157 samples
 * have other batches than 12, so with mini-batches they are left out. */
static const struct training trainings[] = {{"logistic", "full", "sgd"},
                                            {"linear", "full", "momentum"},
                                            {"logistic", "full", "adam"},
                                            {"logistic", "4", "nesterov"}};

static const char *const alike[] = {
    "uncoded",    "gc-fr",     "gc-fr decodable",   "gc-cr",          "gc-cr all", "gc-cr shared",
    "ignore s=0", "gc-mds",    "gc-mds all",        "gc-mds complex", "isgc-hr",   "isgc-hr decodable",
    "isgc-fr",    "isgc-cr",   "isgc-cr decodable", "erasurehead",    "sgc s=0",   "pgc-fr s=0",
    "pgc-cr s=0", "naive s=0", "bibd s=0"};

/* Rounding of 60 steps (at most 60 * 157 additions of 1.1e-16, against losses above 0.1) times the largest decode weight,
 * which is below 100 for this code. */
#define TOLERANCE (60 * 157 * 1.1e-16 * 100 / 0.1)

static void expect_alike(const struct results *steps, const char *scheme, const struct training *training) {
    double reference[STEPS], loss[STEPS];
    for (int r = 0; r < 2; r++) {
        const char *replication = r == 0 ? "0" : "1";
        size_t count = run_series(steps, "reference", replication, "loss", reference, STEPS);
        cr_assert(eq(sz, count, STEPS));
        cr_assert(eq(sz, run_series(steps, scheme, replication, "loss", loss, STEPS), STEPS), "%s", scheme);
        for (size_t t = 0; t < count; t++)
            cr_assert(le(dbl, fabs(loss[t] / reference[t] - 1), TOLERANCE), "%s, %s, batch %s, step %zu",
                      scheme, training->optimizer, training->batch, t);
    }
}

Test(trajectories, exact_schemes_train_alike, .timeout = 60) {
    for (size_t c = 0; c < sizeof trainings / sizeof *trainings; c++) {
        const struct training *training = &trainings[c];
        struct scratch scratch;
        struct results steps;
        size_t schemes = sizeof alike / sizeof *alike - (training->batch[0] == 'f' ? 0 : 4);
        scratch_init(&scratch);
        run_scenario(&scratch, "out", "2", equal_text, training->loss, training->batch, training->optimizer,
                     getenv("LAGGARD_SOURCE"));
        results_init(&steps, &scratch, "out/steps.csv");
        for (size_t a = 0; a < schemes; a++)
            expect_alike(&steps, alike[a], training);
        results_fini(&steps);
        scratch_fini(&scratch);
    }
}

/* One feature that is always 1: F(w) = (1/m) sum (w - y)^2 / 2, Hessian 1, minimum at the mean of y. */
static const char quadratic_text[] =
    "name: quadratic\n"
    "problem: {loss: linear, l2: %.17g, data: {type: csv, path: quadratic.csv, label: y}}\n"
    "optimizer: {learning_rate: %.17g}\n"
    "stop: {steps: %d}\n"
    "cluster: {workers: [{count: 12, delay: {type: exponential, mean: 1}}]}\n"
    "schemes: [{type: %s, stragglers: %d, wait: {type: all}, decode: real, label: code}]\n";

static void write_quadratic(const struct scratch *scratch) {
    scratch_write_text(scratch, "quadratic.csv", "x,y\n");
    for (int r = 0; r < 24; r++)
        scratch_append(scratch, "quadratic.csv", "1,%d\n", r % 5 + 3);
}

static size_t quadratic_losses(const struct scratch *scratch, double *loss, size_t room) {
    struct results steps;
    results_init(&steps, scratch, "out/steps.csv");
    size_t count = run_series(&steps, "code", "0", "loss", loss, room);
    results_fini(&steps);
    return count;
}

/* z^c - (1 - eta l2) z^{c-1} + (eta h/c)(z^{c-1} + … + 1). */
static double characteristic(double z, int c, double eta, double l2) {
    double sum = 0, power = 1;
    for (int j = 0; j < c; j++, power *= z)
        sum += power;
    return power - (1 - eta * l2) * power / z + eta / c * sum;
}

/* The largest real root below 1, for step sizes small enough that it is the largest in modulus. */
static double largest_root(int c, double eta, double l2) {
    double low = 0.8, high = 1;
    for (int halving = 0; halving < 60; halving++) {
        double middle = (low + high) / 2;
        if (characteristic(middle, c, eta, l2) < 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct decay {
    const char *scheme;
    int c;
    double eta, l2;
};
static const struct decay decays[] = {
    {"pgc-cr", 2, 0.05, 0}, {"pgc-cr", 3, 0.05, 0},   {"pgc-cr", 4, 0.05, 0},
    {"pgc-fr", 3, 0.05, 0}, {"pgc-cr", 3, 0.05, 0.5}, {"pgc-cr", 1, 0.05, 0},
};

/* F - F* falls by z^2 a step once the other roots have died out: the ratio over steps 100 to 140, where F - F* is
 * between 1e-3 and 1e-8 of F, so that rounding (1e-16 of F) leaves 1e-8. */
Test(trajectories, pipelined_codes_decay_as_the_largest_root, .timeout = 30) {
    for (size_t c = 0; c < sizeof decays / sizeof *decays; c++) {
        const struct decay *decay = &decays[c];
        struct scratch scratch;
        double loss[2001];
        scratch_init(&scratch);
        write_quadratic(&scratch);
        run_scenario(&scratch, "out", "1", quadratic_text, decay->l2, decay->eta, 2000, decay->scheme,
                     decay->c - 1);
        cr_assert(eq(sz, quadratic_losses(&scratch, loss, 2001), 2001));
        double best = loss[2000];
        double rate = pow((loss[100] - best) / (loss[60] - best), 1.0 / 80);
        cr_expect(epsilon_eq(dbl, rate, largest_root(decay->c, decay->eta, decay->l2), 1e-6),
                  "%s, c = %d, l2 = %g", decay->scheme, decay->c, decay->l2);
        scratch_fini(&scratch);
    }
}

struct edge {
    int c;
    double eta; /* largest stable step size */
};
static const struct edge edges[] = {{1, 2}, {2, 2}, {3, 1.5}, {4, 1.17157287525381}};

/* At 1 % below the edge the error falls, at 1 % above it grows. */
Test(trajectories, pipelined_codes_are_stable_up_to_the_edge, .timeout = 30) {
    for (size_t c = 0; c < sizeof edges / sizeof *edges; c++)
        for (int side = -1; side <= 1; side += 2) {
            struct scratch scratch;
            double loss[2001];
            scratch_init(&scratch);
            write_quadratic(&scratch);
            run_scenario(&scratch, "out", "1", quadratic_text, 0.0, edges[c].eta * (1 + 0.01 * side), 1000,
                         "pgc-cr", edges[c].c - 1);
            size_t count = quadratic_losses(&scratch, loss, 2001);
            cr_assert(ge(sz, count, 100));
            double early = 0, late = 0;
            for (size_t t = 0; t < 20; t++) {
                early = fmax(early, loss[50 + t]);
                late = fmax(late, loss[count - 20 + t]);
            }
            cr_expect(side < 0 ? late < early : late > early);
            scratch_fini(&scratch);
        }
}

/* The source paper (arXiv 2607.20739, section V.A): decoding stale messages with the coefficients of gradient coding
 * diverges at n = 12, c = 6 where the mean of the stored sums converges. */
Test(trajectories, naive_decoding_diverges, .timeout = 30) {
    struct scratch scratch;
    struct results runs;
    scratch_init(&scratch);
    run_scenario(&scratch, "out", "1",
                 "name: naive\n"
                 "problem: {loss: linear, l2: 0.001, data: {type: synthetic, samples: 600, features: 10}}\n"
                 "optimizer: {learning_rate: 0.1}\n"
                 "stop: {steps: 2000}\n"
                 "cluster: {workers: [{count: 12, delay: {type: exponential, mean: 1}}]}\n"
                 "schemes:\n"
                 "  - {type: pgc-cr-naive, stragglers: 5, label: naive}\n"
                 "  - {type: pgc-cr, stragglers: 5, label: mean}\n");
    results_init(&runs, &scratch, "out/runs.csv");
    cr_expect_str_eq(results_cell(&runs, run_row(&runs, "naive", "0"), "status"), "diverged");
    cr_expect_str_eq(results_cell(&runs, run_row(&runs, "mean", "0"), "status"), "steps");
    results_fini(&runs);
    scratch_fini(&scratch);
}
