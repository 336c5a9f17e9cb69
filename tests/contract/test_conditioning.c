/* Codes whose decoding is exact on paper say in steps.csv how far rounding leaves them from it. */
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 40 };

static const char text[] = "name: conditioning\n"
                           "problem: {loss: linear, data: {type: synthetic, samples: 512, features: 4}}\n"
                           "optimizer: {learning_rate: 0.01}\n"
                           "stop: {steps: 40}\n"
                           "cluster: {late: cancel, workers: [%s]}\n"
                           "record: {audit: true}\n"
                           "schemes:\n"
                           "  - {type: %s, decode: real, label: real}\n"
                           "  - {type: %s, label: plain}\n";

struct conditioning {
    const char *scheme, *workers;
    double weight; /* the largest weight of a decode is this within a tenth; 0: above `heavy` in some step */
    double heavy;
    double residual; /* the largest of the run is between this and a thousand times as much */
};

/* Adjacent stragglers are the worst for gc-mds: largest weights of about (n/pi)^(s-1) / (2 (s-1)!), and of (n/pi)^s / s!
 * in the complex form; the next terms are smaller by squares of s / n. Residuals are rounding, 1.1e-16, of sums of s + 1
 * products of weights and entries, which are at most 10. For gc-cr some sets of 27 stragglers of 256 take weights above
 * 1e4, and the solving of 27 equations adds its own. */
#define ADJACENT "{count: 4, speed: 0.01, compute: {type: constant, value: 1}}, {count: 60, " EVEN
#define FIVE     "{count: 5, speed: 0.01, compute: {type: constant, value: 1}}, {count: 59, " EVEN
#define EVEN     "compute: {type: constant, value: 1}, delay: {type: exponential, mean: 1}}"
static const struct conditioning conditionings[] = {
    {"gc-cr, stragglers: 27", "{count: 256, " EVEN, 0, 1e4, 1e-11},
    {"gc-mds, stragglers: 5", FIVE, 3588, 0, 1e-13},
    {"gc-mds, stragglers: 4, field: complex", ADJACENT, 7176, 0, 1e-13},
};

static double largest(const double *value) {
    double most = 0;
    for (size_t t = 1; t <= STEPS; t++)
        most = fmax(most, value[t]);
    return most;
}

/* The error of the estimate is sum_p r_p g_p, r = a B - 1, and the rounding of the sums, which is like that of a B. Partial
 * gradients that point one way, as they do early in training, make it at most |r| of the gradient. */
static void expect_told(const struct results *steps, const char *label, const struct conditioning *wanted) {
    double residual[STEPS + 1], weight[STEPS + 1], error[STEPS + 1];
    cr_assert(eq(sz, run_series(steps, label, "0", "decode_residual", residual, STEPS + 1), STEPS + 1));
    run_series(steps, label, "0", "decode_largest", weight, STEPS + 1);
    run_series(steps, label, "0", "gradient_error", error, STEPS + 1);
    for (size_t t = 1; t <= STEPS; t++) {
        cr_expect(lt(dbl, 0, residual[t]), "%s, %s, step %zu", wanted->scheme, label, t);
        cr_expect(le(dbl, error[t], residual[t]), "%s, %s, step %zu", wanted->scheme, label, t);
        if (wanted->weight > 0)
            cr_expect(epsilon_eq(dbl, weight[t], wanted->weight, wanted->weight / 10), "%s, %s, step %zu",
                      wanted->scheme, label, t);
    }
    cr_expect(le(dbl, wanted->heavy, largest(weight)), "%s: %g", wanted->scheme, largest(weight));
    cr_expect(le(dbl, wanted->residual, largest(residual)), "%s: %g", wanted->scheme, largest(residual));
    cr_expect(le(dbl, largest(residual), wanted->residual * 1e3), "%s: %g", wanted->scheme,
              largest(residual));
    /* An estimate that is the full gradient itself errs by less than ten roundings. */
    cr_expect(le(dbl, 10 * 1.1e-16, largest(error)), "%s: %g", wanted->scheme, largest(error));
}

Test(conditioning, residuals_and_weights_are_told, .timeout = 60) {
    for (size_t c = 0; c < sizeof conditionings / sizeof *conditionings; c++) {
        const struct conditioning *wanted = &conditionings[c];
        struct scratch scratch;
        struct results steps;
        scratch_init(&scratch);
        run_scenario(&scratch, "out", "1", text, wanted->workers, wanted->scheme, wanted->scheme);
        results_init(&steps, &scratch, "out/steps.csv");
        expect_told(&steps, "real", wanted);
        expect_told(&steps, "plain", wanted);
        results_fini(&steps);
        scratch_fini(&scratch);
    }
}

/* Twenty-seven silent neighbours of 256 need weights of about (256/pi)^26 / (2 26!) = 1e23 from gc-mds, so that the
 * residual is 1e-16 of products up to 1e30: nothing of that step is exact, whatever `decode` says. Without them, and with
 * five, it is exact and equals gc-cr. */
static const char doubtful[] =
    "name: doubtful\n"
    "problem: {loss: logistic, data: {type: synthetic, samples: 512, features: 4}}\n"
    "optimizer: {learning_rate: 0.5}\n"
    "stop: {steps: 3}\n"
    "cluster:\n"
    "  late: cancel\n"
    "  workers: [{count: 27, compute: {type: constant, value: 9}}, {count: 229, compute: {type: constant, "
    "value: 1}}]\n"
    "schemes:\n"
    "  - {type: gc-cr, stragglers: 27}\n"
    "  - {type: gc-mds, stragglers: 5, label: few}\n"
    "  - {type: gc-mds, stragglers: 27, wait: {type: all}, label: spread}\n"
    "  - {type: gc-mds, stragglers: 27, label: many}\n"
    "  - {type: gc-mds, stragglers: 27, decode: real, label: real}\n";

Test(conditioning, exactness_is_claimed_only_where_the_decode_is_good, .timeout = 60) {
    struct scratch scratch;
    struct results runs;
    scratch_init(&scratch);
    run_scenario(&scratch, "out", "1", "%s", doubtful);
    results_init(&runs, &scratch, "out/runs.csv");
    const char *exact = results_cell(&runs, 0, "final_loss");
    static const char *const status[] = {"steps", "steps", "steps", "diverged", "diverged"};
    for (size_t r = 0; r < 5; r++) {
        const char *label = results_cell(&runs, r, "scheme");
        cr_expect(eq(str, (char *)results_cell(&runs, r, "status"), (char *)status[r]), "%s", label);
        bool same = strcmp(results_cell(&runs, r, "final_loss"), exact) == 0;
        cr_expect(eq(int, same, r < 3), "%s", label);
    }
    results_fini(&runs);
    scratch_fini(&scratch);
}

/* Before the run what may happen, after the table what did: in one pipe in that order. */
Test(conditioning, a_bad_decode_is_told_before_and_after, .timeout = 60) {
    struct scratch scratch;
    char command[512];
    scratch_init(&scratch);
    scratch_write_text(&scratch, "s.yaml", doubtful);
    snprintf(command, sizeof command, "cd %s && { '%s' check s.yaml && '%s' run s.yaml; } >all.txt 2>&1",
             scratch.path, getenv("LAGGARD_BIN"), getenv("LAGGARD_BIN"));
    cr_assert(eq(int, system(command), 0));
    char *all = scratch_text(&scratch, "all.txt"), *at = all;
    static const char *const told[] = {"results would go to",
                                       "warning: many: with 27 neighbouring workers of 256 silent",
                                       "warning: many: with 27 neighbouring workers of 256 silent",
                                       "final loss",
                                       "relative: ",
                                       "warning: many: diverged by update 1, whose decode has a residual of ",
                                       "results in "};
    for (size_t q = 0; q < sizeof told / sizeof *told; q++) {
        char *found = strstr(at, told[q]);
        cr_expect(found != NULL, "'%s' is not in its place:\n%s", told[q], all);
        at = found ? found + 1 : at;
    }
    cr_expect(strstr(all, "warning: few") == NULL, "%s", all);
    free(all);
    scratch_fini(&scratch);
}
