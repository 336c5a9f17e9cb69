/* Which schemes must train alike, and how fast pipelined codes converge on a quadratic. */
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
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
    "  - {type: isgc-fr, copies: 3, stragglers: 0, decode: real, label: isgc-fr}\n"
    "  - {type: isgc-cr, copies: 3, stragglers: 0, decode: real, label: isgc-cr}\n"
    "  - {type: isgc-cr, copies: 3, stragglers: 0, decode: real, wait: {type: decodable}, label: isgc-cr "
    "decodable}\n"
    "  - {type: isgc-hr, copies: 3, groups: 2, stragglers: 0, decode: real, label: isgc-hr}\n"
    "  - {type: isgc-hr, copies: 3, groups: 2, stragglers: 0, decode: real, wait: {type: decodable}, label: "
    "isgc-hr decodable}\n"
    "  - {type: erasurehead, copies: 3, results: 12, decode: real, label: erasurehead}\n"
    "  - {type: sgc, replication: 3, stragglers: 0, decode: real, label: sgc s=0}\n"
    "  - {type: gc-mds, stragglers: 4, field: complex, decode: real, label: gc-mds complex 4}\n"
    "  - {type: gc-deadline, stragglers: 2, decode: real, label: gc-deadline}\n"
    "  - {type: bgc, density: 12, stragglers: 2, decode: real, label: bgc d=12}\n"
    "  - {type: bibd, blocks: own.csv, stragglers: 0, decode: real, label: bibd own}\n"
    "  - {type: code, matrix: identity.csv, stragglers: 0, decode: real, label: code one-step}\n"
    "  - {type: code, matrix: identity.csv, stragglers: 0, decoder: constant, decode: real, label: code "
    "constant}\n"
    "  - {type: code, matrix: identity.csv, stragglers: 0, decoder: least-squares, decode: real, label: code "
    "least-squares}\n"
    "  - {type: multi-message, copies: 1, decode: real, label: multi-message 1}\n"
    "  - {type: multi-message, copies: 3, decode: real, label: multi-message}\n"
    "  - {type: multi-message, copies: 3, order: staircase, decode: real, label: multi-message staircase}\n"
    "  - {type: multi-message, copies: 3, order: random, decode: real, label: multi-message random}\n"
    "  - {type: sr-sgc, B: 1, W: 2, lambda: 4, mu: 1e6, decode: real, label: sr-sgc}\n"
    "%s";

/* Pipelined codes number their batches differently (model.md section 1), a block design's 9 partitions of 157 samples have
 * other batches than 12, and parts of partitions have none. */
static const char full_text[] =
    "  - {type: pgc-fr, stragglers: 0, decode: real, label: pgc-fr s=0}\n"
    "  - {type: pgc-cr, stragglers: 0, decode: real, label: pgc-cr s=0}\n"
    "  - {type: pgc-cr-naive, stragglers: 0, decode: real, label: naive s=0}\n"
    "  - {type: bibd, stragglers: 0, blocks: affine-plane.csv, decode: real, label: bibd s=0}\n"
    "  - {type: partial-fr, stragglers: 2, pieces: 5, decode: real, label: partial-fr}\n"
    "  - {type: partial-cr, stragglers: 2, pieces: 5, decode: real, label: partial-cr}\n"
    "  - {type: partial-cr, stragglers: 3, pieces: 9, delay_per: message, decode: real, label: partial-cr "
    "apart}\n"
    "  - {type: anytime, seconds: 86400s, decode: real, label: anytime}\n";

struct training {
    const char *loss, *batch, *optimizer;
};
static const struct training trainings[] = {{"logistic", "full", "sgd"},
                                            {"linear", "full", "momentum"},
                                            {"logistic", "full", "adam"},
                                            {"logistic", "4", "nesterov"}};

/* Rounding of 60 steps (at most 60 * 157 additions of 1.1e-16, against losses above 0.1) times the largest decode weight,
 * which is below 100 for this code. */
#define TOLERANCE (60 * 157 * 1.1e-16 * 100 / 0.1)
/* Random codes with up to 4 stragglers of 12 weigh results by thousands. */
#define SEQUENTIAL_TOLERANCE (100 * TOLERANCE)

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

static void write_identities(const struct scratch *scratch) {
    scratch_write_text(scratch, "own.csv", "");
    scratch_write_text(scratch, "identity.csv", "");
    for (int i = 0; i < 12; i++) {
        scratch_append(scratch, "own.csv", "%d\n", i);
        for (int p = 0; p < 12; p++)
            scratch_append(scratch, "identity.csv", p < 11 ? "%d," : "%d\n", p == i);
    }
}

/* The affine plane of order 3: its 12 lines of 9 points. */
static const char plane[] =
    "0,1,2\n3,4,5\n6,7,8\n0,3,6\n1,4,7\n2,5,8\n0,4,8\n1,5,6\n2,3,7\n0,5,7\n1,3,8\n2,4,6\n";

Test(trajectories, exact_schemes_train_alike, .timeout = 60) {
    for (size_t c = 0; c < sizeof trainings / sizeof *trainings; c++) {
        const struct training *training = &trainings[c];
        struct scratch scratch;
        struct results steps;
        bool full = training->batch[0] == 'f';
        scratch_init(&scratch);
        write_identities(&scratch);
        scratch_write_text(&scratch, "affine-plane.csv", plane);
        run_scenario(&scratch, "out", "2", equal_text, training->loss, training->batch, training->optimizer,
                     full ? full_text : "");
        results_init(&steps, &scratch, "out/steps.csv");
        size_t schemes = 0;
        for (size_t row = 0; row < steps.rows; row++)
            if (results_number(&steps, row, "step") == 0 && results_number(&steps, row, "replication") == 0) {
                expect_alike(&steps, results_cell(&steps, row, "scheme"), training);
                schemes++;
            }
        cr_expect(eq(sz, schemes, full ? 38 : 30));
        results_fini(&steps);
        scratch_fini(&scratch);
    }
}

/* A sequential code of delay T: with `models: all` job j updates model j mod (T + 1). */
struct in_turn {
    const char *scheme;
    size_t models; /* T + 1 */
};
static const struct in_turn in_turns[] = {{"sr-sgc, B: 1, W: 2, lambda: 4", 2},
                                          {"sr-sgc, B: 2, W: 3, lambda: 4", 3},
                                          {"m-sgc, B: 1, W: 2, lambda: 3", 2},
                                          {"m-sgc, B: 1, W: 3, lambda: 12", 3},
                                          {"m-sgc, B: 2, W: 3, lambda: 4", 4}};

static const char in_turn_text[] =
    "name: turns\n"
    "problem: {loss: logistic, l2: 0.01, data: {type: synthetic, samples: 157, features: 9, intercept: "
    "true}}\n"
    "optimizer: {type: %s, learning_rate: 0.3}\n"
    "stop: {steps: 60}\n"
    "cluster: {workers: [{count: 12, compute: {type: constant, value: 1}, delay: {type: exponential, mean: "
    "1}}]}\n"
    "schemes:\n"
    "  - {type: uncoded, label: reference}\n"
    "  - {type: %s, mu: 0.5, models: all, decode: real, label: code}\n";

/* After j jobs model q was updated ceil((j - q) / M) times, as uncoded training would; the loss is the models' mean. */
static double loss_of_models(const double *reference, size_t jobs, size_t models) {
    double sum = 0;
    for (size_t q = 0; q < models; q++)
        sum += reference[(jobs + models - 1 - q) / models];
    return sum / models;
}

static void expect_in_turn(const struct in_turn *in_turn, const char *optimizer) {
    struct scratch scratch;
    struct results steps;
    double reference[STEPS], loss[STEPS];
    scratch_init(&scratch);
    run_scenario(&scratch, "out", "1", in_turn_text, optimizer, in_turn->scheme);
    results_init(&steps, &scratch, "out/steps.csv");
    cr_assert(eq(sz, run_series(&steps, "reference", "0", "loss", reference, STEPS), STEPS));
    cr_assert(eq(sz, run_series(&steps, "code", "0", "loss", loss, STEPS), STEPS), "%s", in_turn->scheme);
    for (size_t t = 0; t < STEPS; t++)
        cr_assert(
            le(dbl, fabs(loss[t] / loss_of_models(reference, t, in_turn->models) - 1), SEQUENTIAL_TOLERANCE),
            "%s, %s, row %zu", in_turn->scheme, optimizer, t);
    results_fini(&steps);
    scratch_fini(&scratch);
}

Test(trajectories, models_in_turn_train_as_one_each, .timeout = 60) {
    static const char *const optimizers[] = {"sgd", "momentum", "adam"};
    for (size_t c = 0; c < sizeof in_turns / sizeof *in_turns; c++)
        for (size_t o = 0; o < sizeof optimizers / sizeof *optimizers; o++)
            expect_in_turn(&in_turns[c], optimizers[o]);
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
Test(trajectories, pipelined_codes_decay_as_the_largest_root, .timeout = 60) {
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
Test(trajectories, pipelined_codes_are_stable_up_to_the_edge, .timeout = 60) {
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

/* With coded chunks a job of m-sgc is complete T = W - 2 + B rounds after it began and not before, so one model takes gradients of T updates ago; the
 * penalty is of now. Rounding of 60 steps of 24 additions, times weights up to thousands. */
static const char stale_text[] =
    "name: stale\n"
    "problem: {loss: linear, l2: 0.1, data: {type: csv, path: quadratic.csv, label: y}}\n"
    "optimizer: {learning_rate: 0.2}\n"
    "stop: {steps: 60}\n"
    "cluster: {workers: [{count: 12, compute: {type: constant, value: 1}, delay: {type: exponential, mean: "
    "1}}]}\n"
    "schemes: [{type: %s, mu: 0.5, decode: real, label: code}]\n";

/* F after each of 60 updates whose gradients are `delay` updates old. */
static void stale_losses(size_t delay, double loss[STEPS]) {
    double w[STEPS] = {0}, mean = 0, square = 0;
    for (int r = 0; r < 24; r++) {
        mean += (r % 5 + 3) / 24.0;
        square += (r % 5 + 3) * (r % 5 + 3) / 24.0;
    }
    for (size_t t = 0; t < STEPS; t++) {
        if (t > 0)
            w[t] = w[t - 1] - 0.2 * (w[t - 1 > delay ? t - 1 - delay : 0] - mean + 0.1 * w[t - 1]);
        loss[t] = (square - 2 * w[t] * mean + w[t] * w[t]) / 2 + 0.05 * w[t] * w[t];
    }
}

Test(trajectories, one_model_takes_gradients_of_earlier_updates, .timeout = 60) {
    static const struct in_turn codes[] = {{"m-sgc, B: 1, W: 2, lambda: 3", 2},
                                           {"m-sgc, B: 1, W: 4, lambda: 2", 4},
                                           {"m-sgc, B: 2, W: 3, lambda: 4", 4}};
    for (size_t c = 0; c < sizeof codes / sizeof *codes; c++) {
        struct scratch scratch;
        double loss[STEPS], expected[STEPS];
        scratch_init(&scratch);
        write_quadratic(&scratch);
        run_scenario(&scratch, "out", "1", stale_text, codes[c].scheme);
        cr_assert(eq(sz, quadratic_losses(&scratch, loss, STEPS), STEPS));
        stale_losses(codes[c].models - 1, expected);
        for (size_t t = 0; t < STEPS; t++)
            cr_assert(epsilon_eq(dbl, loss[t], expected[t], 1e-9), "%s, row %zu", codes[c].scheme, t);
        scratch_fini(&scratch);
    }
}

/* The source paper (arXiv 2607.20739, section V.A): decoding stale messages with the coefficients of gradient coding
 * diverges at n = 12, c = 6 where the mean of the stored sums converges. */
Test(trajectories, naive_decoding_diverges, .timeout = 60) {
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

static void losses_in(const struct scratch *scratch, const char *precision, double loss[STEPS]) {
    struct results steps;
    run_scenario(scratch, precision, "1",
                 "name: precision\n"
                 "problem: {loss: logistic, l2: 0.001, precision: %s, data: {type: synthetic, samples: 3000, "
                 "features: 17}}\n"
                 "optimizer: {learning_rate: 0.5}\n"
                 "stop: {steps: 60}\n"
                 "cluster: {workers: [{count: 12, delay: {type: exponential, mean: 1}}]}\n"
                 "schemes: [{type: ignore, stragglers: 3, label: one}]\n",
                 precision);
    char file[32];
    snprintf(file, sizeof file, "%s/steps.csv", precision);
    results_init(&steps, scratch, file);
    cr_assert(eq(sz, run_series(&steps, "one", "0", "loss", loss, STEPS), STEPS));
    results_fini(&steps);
}

/* Each row's loss errs by some roundings to 24 bits of a score and of the data, 2^-24 sqrt(17) = 2.5e-7 relatively, and the
 * mean over rows by less; descent forgets what the gradients err by. */
Test(trajectories, single_precision_stays_near, .timeout = 60) {
    struct scratch scratch;
    double single[STEPS], twice[STEPS];
    scratch_init(&scratch);
    losses_in(&scratch, "f64", twice);
    losses_in(&scratch, "f32", single);
    size_t same = 0;
    for (size_t t = 0; t < STEPS; t++) {
        cr_expect(epsilon_eq(dbl, single[t], twice[t], 2.5e-7 * twice[t]), "row %zu", t);
        same += single[t] == twice[t];
    }
    cr_expect(lt(sz, same, STEPS / 2), "single precision is another arithmetic");
    scratch_fini(&scratch);
}
