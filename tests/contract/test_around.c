/* Around the gradient: clipping, learning rates by workers used, accumulated estimates, compressed messages. */
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAME                                                                                                \
    "name: around\n"                                                                                         \
    "seed: 5\n"                                                                                              \
    "replications: 2\n"                                                                                      \
    "problem: {loss: logistic, l2: 0.01, batch: %s, data: {type: synthetic, samples: 157, features: 9, "     \
    "intercept: true}}\n"                                                                                    \
    "optimizer: {type: momentum, momentum: 0.5, learning_rate: 0.1, compression: %s}\n"                      \
    "stop: {steps: 40}\n"                                                                                    \
    "cluster: {workers: [{count: 12, compute: {type: constant, value: 1}, delay: {type: exponential, "       \
    "mean: 2}}],\n"                                                                                          \
    "          network: {down: {latency: 100ms, bandwidth: 300}, up: {latency: 200ms, bandwidth: 200}}}\n"   \
    "schemes:\n"                                                                                             \
    "  - {type: uncoded, decode: real, label: uncoded}\n"                                                    \
    "  - {type: ignore, stragglers: 4, decode: real, label: ignore queue}\n"                                 \
    "  - {type: ignore, stragglers: 4, late: latest, decode: real, label: ignore latest}\n"                  \
    "  - {type: ignore, stragglers: 4, late: cancel, decode: real, label: ignore cancel}\n"                  \
    "  - {type: gc-fr, stragglers: 2, decode: real}\n"                                                       \
    "  - {type: gc-cr, stragglers: 2, decode: real}\n"                                                       \
    "  - {type: gc-mds, stragglers: 2, field: complex, decode: real}\n"                                      \
    "  - {type: isgc-cr, copies: 2, stragglers: 4, decode: real}\n"                                          \
    "  - {type: pgc-fr, stragglers: 2, decode: real}\n"                                                      \
    "  - {type: pgc-cr, stragglers: 2, decode: real, label: pgc-cr queue}\n"                                 \
    "  - {type: pgc-cr, stragglers: 2, late: latest, decode: real, label: pgc-cr latest}\n"                  \
    "  - {type: pgc-cr, stragglers: 2, late: cancel, decode: real, label: pgc-cr cancel}\n"                  \
    "  - {type: sr-sgc, B: 1, W: 2, lambda: 2, mu: 1, decode: real}\n"                                       \
    "  - {type: multi-message, copies: 3, decode: real}\n"                                                   \
    "  - {type: async, decode: real}\n"                                                                      \
    "  - {type: k-async, k: 3, decode: real}\n"                                                              \
    "  - {type: k-batch-async, k: 20, decode: real}\n"                                                       \
    "  - {type: k-batch-sync, k: 4, decode: real}\n"                                                         \
    "  - {type: ssp, bound: 2, decode: real}\n"                                                              \
    "  - {type: ringmaster, max_age: 6, decode: real}\n"                                                     \
    "  - {type: async, staleness: {type: delay-compensated, lambda: 0.2}, decode: real, label: corrected}\n" \
    "  - {type: adaptive-k, k: 3, decode: real}\n"
/* Cut partitions need full batches. */
#define FULL                                                                                                 \
    "  - {type: m-sgc, B: 1, W: 3, lambda: 2, mu: 1, models: all, decode: real}\n"                           \
    "  - {type: partial-fr, pieces: 4, stragglers: 2, decode: real}\n"                                       \
    "  - {type: anytime, seconds: 3, decode: real}\n"

static void expect_same(const struct scratch *scratch, const char *one, const char *other, const char *file) {
    char name[64];
    snprintf(name, sizeof name, "%s/%s", one, file);
    char *a = scratch_text(scratch, name);
    snprintf(name, sizeof name, "%s/%s", other, file);
    char *b = scratch_text(scratch, name);
    cr_assert(a && b);
    cr_expect(strcmp(a, b) == 0, "%s of %s and %s", file, one, other);
    free(a);
    free(b);
}

static const char *const whole[] = {"{type: topk, fraction: 1}",
                                    "{type: topk, coordinates: 10, error_feedback: true}",
                                    "{type: randk, fraction: 1, error_feedback: true}"};
static const struct { const char *batch, *more; } kinds[] = {{"full", FULL}, {"3", ""}};

/* Bit for bit, times included: where all values are kept the whole message is the shorter one. */
Test(around, everything_kept_is_no_compression, .timeout = 60) {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t c = 0; c < sizeof whole / sizeof *whole; c++) {
            struct scratch scratch;
            scratch_init(&scratch);
            run_scenario(&scratch, "plain", "2", FRAME "%s", kinds[k].batch, "{type: none}", kinds[k].more);
            run_scenario(&scratch, "kept", "2", FRAME "%s", kinds[k].batch, whole[c], kinds[k].more);
            expect_same(&scratch, "plain", "kept", "steps.csv");
            expect_same(&scratch, "plain", "kept", "workers.csv");
            scratch_fini(&scratch);
        }
}

static const char *const lossy[] = {"{type: topk, coordinates: 2, error_feedback: true}",
                                    "{type: randk, coordinates: 4}",
                                    "{type: qsgd, levels: 2, error_feedback: true}"};

Test(around, compressed_runs_are_the_same_on_any_number_of_threads, .timeout = 60) {
    for (size_t c = 0; c < sizeof lossy / sizeof *lossy; c++) {
        struct scratch scratch;
        scratch_init(&scratch);
        run_scenario(&scratch, "one", "1", FRAME "%s", "full", lossy[c], FULL);
        run_scenario(&scratch, "four", "4", FRAME "%s", "full", lossy[c], FULL);
        expect_same(&scratch, "one", "four", "steps.csv");
        expect_same(&scratch, "one", "four", "runs.csv");
        scratch_fini(&scratch);
    }
}

static size_t losses_of(const struct scratch *scratch, const char *folder, const char *scheme, double *loss,
                        size_t room) {
    struct results steps;
    char name[64];
    snprintf(name, sizeof name, "%s/steps.csv", folder);
    results_init(&steps, scratch, name);
    size_t count = run_series(&steps, scheme, "0", "loss", loss, room);
    results_fini(&steps);
    return count;
}

/* Three workers with F_i = (1/12) ((a_i . z)^2 + |z|^2 / 4), z = w - (1, 1, 1), a_1 = (-3, 2, 2) and its rotations, start at
 * z = -(1, 1, 1): a known example for top-1 (Beznosikov et al., arXiv 2002.12410, example 1). At z = t (1, 1, 1) the gradient of
 * F_1 is (t/24) (-11, 9, 9), of which -11 is sent, so z becomes t (1 + 11 eta/24) (1, 1, 1): away from the minimum at z = 0. */
static const char opposed_text[] =
    "name: opposed\n"
    "problem: {loss: linear, data: {type: csv, path: opposed.csv, label: y}}\n"
    "optimizer: {learning_rate: 0.05, compression: {type: topk, coordinates: 1, error_feedback: %s}}\n"
    "stop: {steps: %d}\n"
    "cluster: {workers: [{count: 3, compute: {type: constant, value: 1}}]}\n"
    "schemes: [{type: uncoded, label: top}]\n";

static void write_opposed(const struct scratch *scratch) {
    const double root = sqrt(2), half = sqrt(0.5);
    scratch_write_text(scratch, "opposed.csv", "x1,x2,x3,y\n");
    for (int i = 0; i < 3; i++) {
        scratch_append(scratch, "opposed.csv", "%.17g,%.17g,%.17g,%.17g\n", root * (i == 0 ? -3 : 2),
                       root * (i == 1 ? -3 : 2), root * (i == 2 ? -3 : 2), root);
        for (int j = 0; j < 3; j++)
            scratch_append(scratch, "opposed.csv", "%.17g,%.17g,%.17g,%.17g\n", half * (j == 0),
                           half * (j == 1), half * (j == 2), half);
    }
}

/* Losses grow by (1 + 11 eta/24)^2 a step; the three values stay equal but for rounding, which the largest of them, not
 * the average, passes on: 40 steps of 1e-15. */
Test(around, plain_topk_goes_away_from_the_minimum, .timeout = 60) {
    struct scratch scratch;
    double loss[41];
    scratch_init(&scratch);
    write_opposed(&scratch);
    run_scenario(&scratch, "out", "1", opposed_text, "false", 40);
    cr_assert(eq(sz, losses_of(&scratch, "out", "top", loss, 41), 41));
    for (int t = 0; t < 40; t++)
        cr_expect(epsilon_eq(dbl, loss[t + 1] / loss[t], pow(1 + 11 * 0.05 / 24, 2), 1e-13), "step %d", t);
    scratch_fini(&scratch);
}

/* The Hessian's eigenvalues are (2 + 1.5)/12 and (50 + 1.5)/12, so at this step size uncompressed descent falls by
 * (1 - 0.05 * 0.29)^2 a step: e^-58 over 2000. Error feedback keeps the rate up to the delay of what is kept, 3 steps: 1e-6 is
 * far above. */
Test(around, error_feedback_finds_the_minimum, .timeout = 60) {
    struct scratch scratch;
    double loss[2001];
    scratch_init(&scratch);
    write_opposed(&scratch);
    run_scenario(&scratch, "out", "1", opposed_text, "true", 2000);
    cr_assert(eq(sz, losses_of(&scratch, "out", "top", loss, 2001), 2001));
    cr_expect(lt(dbl, loss[2000], 1e-6 * loss[0]));
    scratch_fini(&scratch);
}

/* Two workers with one row each: x = (1, 1), y = 1 and x = (3, 2), y = -1; ignore s = 1 under queue. Worker 1 computes its
 * task of round 0, g_1(w_0) = (1.5, 1), too late to be heard: it sends (1.5, 0) and keeps (0, 1). By then the model is
 * w_1 = (eta, 0): of g_0(w_0) = (-.5, -.5) the first value was sent, times n/|R| = 2. In round 1 it is heard with
 * g_1(w_1) + (0, 1) = (2.0625, 1.375) + (0, 1), of which 2.375 is sent, the second value: all numbers are binary fractions. */
Test(around, memory_moves_with_messages_that_are_not_heard, .timeout = 60) {
    static const char text[] =
        "name: unheard\n"
        "problem: {loss: linear, data: {type: csv, path: two.csv, label: y}}\n"
        "optimizer: {learning_rate: 0.125, compression: {type: topk, coordinates: 1, "
        "error_feedback: true}}\n"
        "stop: {steps: 2}\n"
        "cluster: {late: queue, workers: [{count: 2, compute: {type: constant, value: 0}, "
        "delay: {type: trace, path: t.csv}}]}\n"
        "schemes: [{type: ignore, stragglers: 1, label: one}]\n";
    struct scratch scratch;
    double loss[3];
    scratch_init(&scratch);
    scratch_write_text(&scratch, "two.csv", "x1,x2,y\n1,1,1\n3,2,-1\n");
    scratch_write_text(&scratch, "t.csv", "round,worker,seconds\n0,0,1\n0,1,2\n1,0,10\n1,1,1\n");
    run_scenario(&scratch, "out", "1", text);
    cr_assert(eq(sz, losses_of(&scratch, "out", "one", loss, 3), 3));
    double a = 0.125, b = -2 * 2.375 * 0.125;
    cr_expect(eq(dbl, loss[1], (pow(a - 1, 2) + pow(3 * a + 1, 2)) / 4));
    cr_expect(eq(dbl, loss[2], (pow(a + b - 1, 2) + pow(3 * a + 2 * b + 1, 2)) / 4));
    scratch_fini(&scratch);
}

struct carried {
    const char *problem, *optimizer, *scheme;
    double seconds; /* a step */
};
/* A model of 10 values is 80 bytes at 100 a second down; results go up at 50 a second: 80 bytes take 1.6 s. Latencies are
 * 1/4 s, a partition takes 1 s: 1.05 + work + 0.25 + bytes/50. */
#define LEARN "{loss: linear, data: {type: synthetic, samples: 60, features: 10}}"
static const struct carried carried[] = {
    {LEARN, "optimizer: {learning_rate: 0.1}", "{type: uncoded}", 3.9},
    {LEARN, "optimizer: {learning_rate: 0.1, compression: {type: topk, coordinates: 2}}", "{type: uncoded}",
     2.78},
    {LEARN, "optimizer: {learning_rate: 0.1, compression: {type: topk, coordinates: 9}}", "{type: uncoded}",
     3.9},
    {LEARN, "optimizer: {learning_rate: 0.1, compression: {type: randk, fraction: 0.2}}", "{type: uncoded}",
     2.78},
    {LEARN, "optimizer: {learning_rate: 0.1, compression: {type: randk, fraction: 0.1}}", "{type: uncoded}",
     2.62},
    {LEARN, "optimizer: {learning_rate: 0.1, compression: {type: qsgd, levels: 1}}", "{type: uncoded}", 2.52},
    {LEARN, "optimizer: {learning_rate: 0.1, compression: {type: qsgd, levels: 4}}", "{type: uncoded}", 2.56},
    /* two sums, and two partitions of work */
    {LEARN, "optimizer: {learning_rate: 0.1, compression: {type: topk, coordinates: 2}}",
     "{type: gc-mds, stragglers: 1, field: complex}", 1.05 + 2 + 0.25 + 48 / 50.0},
    {"{loss: none, message_bytes: 80}", "", "{type: uncoded}", 3.9},
    {"{loss: none, message_bytes: 80, result_bytes: 24}", "", "{type: uncoded}", 2.78},
};

/* A few roundings of numbers below 40. */
Test(around, fewer_bytes_take_less_time, .timeout = 60) {
    for (size_t c = 0; c < sizeof carried / sizeof *carried; c++) {
        struct scratch scratch;
        struct results runs;
        scratch_init(&scratch);
        run_scenario(
            &scratch, "out", "1",
            "name: carried\nproblem: %s\n%s\nstop: {steps: 8}\n"
            "cluster: {workers: [{count: 4, compute: {type: constant, value: 1}}],\n"
            "  network: {down: {latency: 250ms, bandwidth: 100}, up: {latency: 250ms, bandwidth: 50}}}\n"
            "schemes: [%s]\n",
            carried[c].problem, carried[c].optimizer, carried[c].scheme);
        results_init(&runs, &scratch, "out/runs.csv");
        cr_expect(epsilon_eq(dbl, results_number(&runs, 0, "time_s"), 8 * carried[c].seconds, 1e-13),
                  "row %zu: %s", c, carried[c].optimizer);
        results_fini(&runs);
        scratch_fini(&scratch);
    }
}

#define PLANE                                                                                                \
    "name: plane\n"                                                                                          \
    "problem: {loss: linear, l2: %.17g, batch: %s, data: {type: csv, path: plane.csv, label: y}}\n"          \
    "optimizer: %s\n"                                                                                        \
    "stop: {steps: %d}\n"                                                                                    \
    "cluster: {workers: [{count: 3, compute: {type: constant, value: 1}}, {count: 1, compute: {type: "       \
    "constant, value: 10}}]}\n"                                                                              \
    "schemes: [{type: %s, label: it}]\n"
enum { ROWS = 16 };

static double feature(int r, int j) {
    return (r * (j == 0 ? 3 : 5) % 7 - 3) / 2.0;
}
static double answer(int r) {
    return r % 5 - 1.5;
}

static void write_plane(const struct scratch *scratch) {
    scratch_write_text(scratch, "plane.csv", "x1,x2,y\n");
    for (int r = 0; r < ROWS; r++)
        scratch_append(scratch, "plane.csv", "%.17g,%.17g,%.17g\n", feature(r, 0), feature(r, 1), answer(r));
}

static double plane_loss(const double *w, double l2, double *gradient) {
    double loss = l2 / 2 * (w[0] * w[0] + w[1] * w[1]);
    gradient[0] = l2 * w[0];
    gradient[1] = l2 * w[1];
    for (int r = 0; r < ROWS; r++) {
        double off = w[0] * feature(r, 0) + w[1] * feature(r, 1) - answer(r);
        loss += off * off / 2 / ROWS;
        gradient[0] += off * feature(r, 0) / ROWS;
        gradient[1] += off * feature(r, 1) / ROWS;
    }
    return loss;
}

/* torch.nn.utils.clip_grad_norm_, then torch.optim.SGD with momentum. The gradient at w_0 is longer than the limit, the last
 * ones are shorter. 30 steps of some 50 roundings: 1e-13. */
Test(around, clipping_follows_torch, .timeout = 60) {
    const double limit = 0.3, rate = 0.25, momentum = 0.5, l2 = 0.1;
    struct scratch scratch;
    double loss[31], w[2] = {0}, velocity[2] = {0};
    int clipped = 0;
    scratch_init(&scratch);
    write_plane(&scratch);
    run_scenario(&scratch, "out", "1", PLANE, l2, "full",
                 "{type: momentum, momentum: 0.5, learning_rate: 0.25, clip_norm: 0.3}", 30, "uncoded");
    cr_assert(eq(sz, losses_of(&scratch, "out", "it", loss, 31), 31));
    for (int t = 0; t <= 30; t++) {
        double gradient[2], expected = plane_loss(w, l2, gradient);
        cr_expect(epsilon_eq(dbl, loss[t], expected, 1e-13), "step %d", t);
        double norm = sqrt(gradient[0] * gradient[0] + gradient[1] * gradient[1]);
        double factor = fmin(1, limit / (norm + 1e-6));
        clipped += factor < 1;
        for (int j = 0; j < 2; j++) {
            velocity[j] = momentum * velocity[j] + factor * gradient[j];
            w[j] -= rate * velocity[j];
        }
    }
    cr_expect(lt(int, 0, clipped));
    cr_expect(lt(int, clipped, 31));
    scratch_fini(&scratch);
}

/* Losses of the two runs, step by step, and the seconds that the second takes to the first's. */
static void expect_alike(const struct scratch *scratch, const char *what, double tolerance, double seconds) {
    double one[41], other[41];
    size_t count = losses_of(scratch, "one", "it", one, 41);
    cr_assert(eq(sz, losses_of(scratch, "other", "it", other, 41), count), "%s", what);
    cr_assert(lt(sz, 1, count));
    for (size_t t = 0; t < count; t++)
        cr_expect(epsilon_eq(dbl, other[t], one[t], tolerance), "%s: step %zu", what, t);
    struct results a, b;
    results_init(&a, scratch, "one/runs.csv");
    results_init(&b, scratch, "other/runs.csv");
    cr_expect(
        epsilon_eq(dbl, results_number(&b, 0, "time_s") / results_number(&a, 0, "time_s"), seconds, 1e-12),
        "%s", what);
    cr_expect(eq(dbl, results_number(&b, 0, "steps"), results_number(&a, 0, "steps")), "%s", what);
    results_fini(&a);
    results_fini(&b);
}

struct pair {
    const char *what, *batch, *optimizer, *scheme;
    const char *other_batch, *other_optimizer, *other_scheme;
    double tolerance, seconds;
};
#define WARMUP "schedule: {type: warmup, steps: 20}"
static const struct pair pairs[] = {
    /* a whole number of equal gradients has their mean: exact for 2, rounded for 3 */
    {"two equal estimates", "full", "{learning_rate: 0.25}", "uncoded", "full",
     "{learning_rate: 0.25, accumulate: 2}", "uncoded", 0, 2},
    {"three equal estimates", "full", "{type: adam, learning_rate: 0.25, " WARMUP "}", "uncoded", "full",
     "{type: adam, learning_rate: 0.25, accumulate: 3, " WARMUP "}", "uncoded", 1e-12, 3},
    /* the two batches of an epoch hold the 4 rows of each partition, in whatever order */
    {"an epoch", "full", "{type: momentum, learning_rate: 0.125, clip_norm: 1}", "uncoded", "2",
     "{type: momentum, learning_rate: 0.125, clip_norm: 1, accumulate: 2}", "uncoded", 1e-12, 2},
    {"an epoch of single rows", "full", "{learning_rate: 0.125, " WARMUP "}", "uncoded", "1",
     "{learning_rate: 0.125, accumulate: 4, " WARMUP "}", "uncoded", 1e-12, 4},
    /* three of four workers are used, the fourth is ten times as slow */
    {"three quarters of the workers", "full", "{learning_rate: 0.1875}",
     "ignore, stragglers: 1, late: cancel", "full", "{learning_rate: 0.25, scale_lr: linear}",
     "ignore, stragglers: 1, late: cancel", 0, 1},
    {"all workers", "full", "{learning_rate: 0.25}", "uncoded", "full",
     "{learning_rate: 0.25, scale_lr: linear}", "uncoded", 0, 1},
    {"one worker at a time", "full", "{learning_rate: 0.0625}", "async", "full",
     "{learning_rate: 0.25, scale_lr: linear}", "async", 0, 1},
    {"the mean share of the workers", "full", "{learning_rate: 0.1875}",
     "ignore, stragglers: 1, late: cancel", "full", "{learning_rate: 0.25, scale_lr: linear, accumulate: 2}",
     "ignore, stragglers: 1, late: cancel", 0, 2},
};

/* 40 steps of a contraction round the mean of some 20 numbers below 10 in other orders: 1e-12, where not exact. */
Test(around, what_must_train_alike, .timeout = 60) {
    for (size_t c = 0; c < sizeof pairs / sizeof *pairs; c++) {
        const struct pair *pair = &pairs[c];
        struct scratch scratch;
        scratch_init(&scratch);
        write_plane(&scratch);
        run_scenario(&scratch, "one", "1", PLANE, 0.1, pair->batch, pair->optimizer, 40, pair->scheme);
        run_scenario(&scratch, "other", "1", PLANE, 0.1, pair->other_batch, pair->other_optimizer, 40,
                     pair->other_scheme);
        expect_alike(&scratch, pair->what, pair->tolerance, pair->seconds);
        scratch_fini(&scratch);
    }
}
