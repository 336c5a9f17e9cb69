/* Local steps, adaptive k and staleness rules through the program, against recursions small enough to write down: one
 * feature that is always 1 and the squared loss, so that partition i of k pulls w towards the mean of its y. */
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rounding: losses near 1 from a few dozen operations a step on numbers below 10, 40 steps, 2e-16 each. */
#define TOLERANCE 1e-12
#define ROWS      12
#define STEPS     40

/* Row r of ROWS; workers hold equal shares in order. */
static double label(int kind, int r) {
    return kind == 0 ? r % 3 + 1 : r / (ROWS / 3) * 2 - 1;
}

static void write_labels(const struct scratch *scratch, int kind) {
    scratch_write_text(scratch, "data.csv", "x,y\n");
    for (int r = 0; r < ROWS; r++)
        scratch_append(scratch, "data.csv", "1,%g\n", label(kind, r));
}

static double loss_of(int kind, double w, double l2) {
    double sum = 0;
    for (int r = 0; r < ROWS; r++)
        sum += (w - label(kind, r)) * (w - label(kind, r)) / 2 / ROWS;
    return sum + l2 / 2 * w * w;
}

static double mean_label(int kind, int worker, int workers) {
    double sum = 0;
    for (int r = worker * ROWS / workers; r < (worker + 1) * ROWS / workers; r++)
        sum += label(kind, r);
    return sum * workers / ROWS;
}

static void run(const struct scratch *scratch, int workers, double l2, double rate, const char *scheme) {
    run_scenario(scratch, "out", "1",
                 "name: local\n"
                 "problem: {loss: linear, l2: %.17g, data: {type: csv, path: data.csv, label: y}}\n"
                 "optimizer: {learning_rate: %.17g}\n"
                 "stop: {steps: %d}\n"
                 "record: {audit: true}\n"
                 "cluster: {workers: [{count: %d, compute: {type: constant, value: 1}}]}\n"
                 "schemes: [{%s, label: code}]\n",
                 l2, rate, STEPS, workers, scheme);
}

/* One of three equal workers is never heard: of equal times the lowest indices are. */
struct walk_case {
    int steps, stragglers;
    double l2, rate;
};
static const struct walk_case walks[] = {{1, 0, 0, 0.1}, {4, 0, 0, 0.1}, {4, 0, 0.5, 0.1}, {3, 1, 0.2, 0.3}};

static void expect_walks(const struct results *steps, const struct walk_case *walk) {
    double loss[STEPS + 1], spread[STEPS + 1], time[STEPS + 1], w = 0;
    cr_assert(eq(sz, run_series(steps, "code", "0", "loss", loss, STEPS + 1), STEPS + 1));
    run_series(steps, "code", "0", "loss_spread", spread, STEPS + 1);
    run_series(steps, "code", "0", "time_s", time, STEPS + 1);
    for (int t = 0; t <= STEPS; t++) {
        double least = (double)INFINITY, most = -(double)INFINITY, sum = 0;
        cr_assert(epsilon_eq(dbl, loss[t], loss_of(1, w, walk->l2), TOLERANCE), "H = %d, step %d",
                  walk->steps, t);
        for (int i = 0; i < 3 - walk->stragglers; i++) {
            double x = w;
            for (int h = 0; h < walk->steps; h++)
                x -= walk->rate * (x - mean_label(1, i, 3) + walk->l2 * x);
            sum += x;
            least = fmin(least, loss_of(1, x, walk->l2));
            most = fmax(most, loss_of(1, x, walk->l2));
        }
        w = sum / (3 - walk->stragglers);
        if (t < STEPS)
            cr_assert(epsilon_eq(dbl, spread[t + 1], most - least, TOLERANCE), "H = %d, step %d", walk->steps,
                      t);
        cr_assert(eq(dbl, time[t], t * walk->steps), "H = %d, step %d", walk->steps, t);
    }
}

Test(local, the_model_is_the_mean_of_the_walks, .timeout = 30) {
    for (size_t c = 0; c < sizeof walks / sizeof *walks; c++) {
        struct scratch scratch;
        struct results steps;
        char scheme[80];
        scratch_init(&scratch);
        write_labels(&scratch, 1);
        /* Those who are late drop their task, so that time goes by whole walks. */
        snprintf(scheme, sizeof scheme, "type: local, local_steps: %d, stragglers: %d, late: cancel",
                 walks[c].steps, walks[c].stragglers);
        run(&scratch, 3, walks[c].l2, walks[c].rate, scheme);
        results_init(&steps, &scratch, "out/steps.csv");
        expect_walks(&steps, &walks[c]);
        results_fini(&steps);
        scratch_fini(&scratch);
    }
}

/* Single steps of all workers are uncoded, with mini-batches too: the same bits. */
Test(local, one_step_of_all_is_uncoded, .timeout = 30) {
    static const char *const decodes[] = {"shared", "real"};
    static const char *const batches[] = {"full", "4"};
    for (int q = 0; q < 4; q++) {
        struct scratch scratch;
        struct results steps;
        double loss[STEPS + 1], wanted[STEPS + 1];
        scratch_init(&scratch);
        run_scenario(&scratch, "out", "1",
                     "name: local\n"
                     "problem: {loss: logistic, l2: 0.01, batch: %s, data: {type: synthetic, samples: 157, "
                     "features: 9, intercept: true}}\n"
                     "optimizer: {learning_rate: 0.3, schedule: {type: inverse-time, decay: 0.1}}\n"
                     "stop: {steps: %d}\n"
                     "cluster: {workers: [{count: 12, delay: {type: exponential, mean: 1}}]}\n"
                     "schemes:\n"
                     "  - {type: uncoded, decode: %s, label: uncoded}\n"
                     "  - {type: local, local_steps: 1, decode: %s, label: local}\n",
                     batches[q / 2], STEPS, decodes[q % 2], decodes[q % 2]);
        results_init(&steps, &scratch, "out/steps.csv");
        run_series(&steps, "uncoded", "0", "loss", wanted, STEPS + 1);
        cr_assert(eq(sz, run_series(&steps, "local", "0", "loss", loss, STEPS + 1), STEPS + 1));
        for (int t = 0; t <= STEPS; t++)
            cr_assert(eq(dbl, loss[t], wanted[t]), "batch %s, decode %s, step %d", batches[q / 2],
                      decodes[q % 2], t);
        results_fini(&steps);
        scratch_fini(&scratch);
    }
}

/* Every step of 1.5 goes beyond the goal by half of the way, so every gradient turns against the one before: k rises
 * with the first update after each burn-in of 5. */
Test(adaptive_k, rises_by_its_test, .timeout = 30) {
    struct scratch scratch;
    struct results steps;
    double responders[STEPS + 1];
    scratch_init(&scratch);
    write_labels(&scratch, 0);
    run(&scratch, 4, 0, 1.5, "type: adaptive-k, k: 1, burn_in: 5, threshold: 2, increment: 1");
    results_init(&steps, &scratch, "out/steps.csv");
    cr_assert(eq(sz, run_series(&steps, "code", "0", "responders", responders, STEPS + 1), STEPS + 1));
    for (int t = 1; t <= STEPS; t++)
        cr_expect(eq(dbl, responders[t], fmin(4, 1 + (t - 1) / 6)), "row %d", t);
    results_fini(&steps);
    scratch_fini(&scratch);
}

struct stale_case {
    int workers;
    const char *rule;
    double factor, compensation; /* at the age of workers - 1 */
};
static const struct stale_case stales[] = {
    {1, "{type: inverse}", 1, 0},
    {2, "{type: none}", 1, 0},
    {2, "{type: inverse}", 1, 0},
    {2, "{type: polynomial, exponent: 1}", 0.5, 0},
    {3, "{type: inverse}", 0.5, 0},
    {4, "{type: inverse}", 1.0 / 3, 0},
    {3, "{type: polynomial}", 0.57735026918962576, 0},
    {3, "{type: delay-compensated, lambda: 0.4}", 1, 0.4},
    {4, "{type: delay-compensated, lambda: 0.2}", 1, 0.2},
};

static double factor_at(const struct stale_case *stale, int age) {
    if (strstr(stale->rule, "inverse"))
        return age > 1 ? 1.0 / age : 1;
    if (strstr(stale->rule, "polynomial"))
        return pow(1 + age, strstr(stale->rule, "exponent") ? -1 : -0.5);
    return 1;
}

/* Equal workers push one after another: the age of a push is t at first, then n - 1. The penalty is of the present w. */
static void expect_stale(const struct results *steps, const struct stale_case *stale) {
    double loss[STEPS + 1], spread[STEPS + 1], w[STEPS + 1] = {0};
    cr_assert(eq(sz, run_series(steps, "code", "0", "loss", loss, STEPS + 1), STEPS + 1));
    run_series(steps, "code", "0", "loss_spread", spread, STEPS + 1);
    for (int t = 0; t < STEPS; t++) {
        int age = t < stale->workers ? t : stale->workers - 1;
        double used = w[t - age], gradient = used - mean_label(0, t % stale->workers, stale->workers);
        double factor = factor_at(stale, age);
        gradient = factor * gradient + stale->compensation * gradient * gradient * (w[t] - used);
        w[t + 1] = w[t] - 0.2 * (gradient + 0.1 * w[t]);
        cr_assert(epsilon_eq(dbl, loss[t + 1], loss_of(0, w[t + 1], 0.1), TOLERANCE), "n = %d, %s, step %d",
                  stale->workers, stale->rule, t);
    }
    if (stale->workers == 1)
        return;
    /* Workers were sent the models of the last n versions, one each. */
    for (int t = 2 * stale->workers; t < STEPS; t++) {
        double least = (double)INFINITY, most = -(double)INFINITY;
        for (int age = 0; age < stale->workers; age++) {
            least = fmin(least, loss_of(0, w[t - age], 0.1));
            most = fmax(most, loss_of(0, w[t - age], 0.1));
        }
        cr_assert(epsilon_eq(dbl, spread[t + 1], most - least, TOLERANCE), "n = %d, %s, step %d",
                  stale->workers, stale->rule, t);
    }
}

Test(staleness, rules_scale_and_correct_stale_pushes, .timeout = 30) {
    for (size_t c = 0; c < sizeof stales / sizeof *stales; c++) {
        struct scratch scratch;
        struct results steps;
        char scheme[120];
        double factor = factor_at(&stales[c], stales[c].workers - 1);
        cr_assert(epsilon_eq(dbl, factor, stales[c].factor, 1e-15), "row %zu", c);
        scratch_init(&scratch);
        write_labels(&scratch, 0);
        snprintf(scheme, sizeof scheme, "type: async, staleness: %s", stales[c].rule);
        run(&scratch, stales[c].workers, 0.1, 0.2, scheme);
        results_init(&steps, &scratch, "out/steps.csv");
        expect_stale(&steps, &stales[c]);
        results_fini(&steps);
        scratch_fini(&scratch);
    }
}

/* Of equal workers all pushes but the first few are n - 1 old. Schemes that never use an old
 * gradient leave no row, and a study of such schemes no file. */
Test(staleness, used_gradients_are_counted_by_age, .timeout = 30) {
    struct scratch scratch;
    scratch_init(&scratch);
    write_labels(&scratch, 0);
    run(&scratch, 3, 0, 0.1, "type: async");
    char *text = scratch_text(&scratch, "out/staleness.csv");
    cr_expect_str_eq(text, "point,scheme,replication,staleness,count\n0,code,0,0,1\n0,code,0,1,1\n"
                           "0,code,0,2,38\n");
    free(text);
    scratch_fini(&scratch);
    scratch_init(&scratch);
    write_labels(&scratch, 0);
    run(&scratch, 3, 0, 0.1, "type: ignore, stragglers: 1");
    text = scratch_text(&scratch, "out/staleness.csv");
    cr_expect(eq(ptr, text, NULL));
    scratch_fini(&scratch);
}

struct refusal {
    const char *loss, *rest, *scheme, *why;
};
static const struct refusal refusals[] = {
    {"linear, data: {type: synthetic, samples: 60, features: 3}",
     "optimizer: {type: momentum, learning_rate: 0.1}", "{type: local, local_steps: 2}",
     "local has workers take steps of their own, which is defined for optimizer.type: sgd without"},
    {"none", "", "{type: adaptive-k}", "adaptive-k watches the gradients, so problem.loss must not be none"},
    {"none", "", "{type: local, local_steps: 2, stragglers: 4}", "stragglers = 4 must be below workers = 4"},
};

Test(local, refuses_what_has_no_meaning, .timeout = 30) {
    for (size_t c = 0; c < sizeof refusals / sizeof *refusals; c++) {
        struct scratch scratch;
        char text[600];
        scratch_init(&scratch);
        snprintf(text, sizeof text,
                 "name: refused\nproblem: {loss: %s}\n%s\nstop: {steps: 5}\n"
                 "cluster: {workers: [{count: 4, compute: {type: constant, value: 1}}]}\nschemes: [%s]\n",
                 refusals[c].loss, refusals[c].rest, refusals[c].scheme);
        scratch_write_text(&scratch, "scenario.yaml", text);
        struct outcome outcome = scratch_run(&scratch, (const char *const[]){"check", "scenario.yaml", NULL});
        cr_expect(eq(int, outcome.exit_code, 2), "row %zu", c);
        cr_expect(strstr(outcome.err, refusals[c].why) != NULL, "row %zu: %s", c, outcome.err);
        outcome_fini(&outcome);
        scratch_fini(&scratch);
    }
}

/* A worker that takes four times as long is used a quarter as often: of 9 pushes in 4 seconds it has one. Where two results
 * close a round it is never heard. */
Test(staleness, a_warning_says_what_fixed_shards_do, .timeout = 30) {
    struct scratch scratch;
    scratch_init(&scratch);
    scratch_write_text(
        &scratch, "scenario.yaml",
        "name: biased\nproblem: {loss: none}\nstop: {steps: 900}\n"
        "cluster: {workers: [{count: 2, compute: {type: constant, value: 1}}, "
        "{count: 1, compute: {type: constant, value: 4}}]}\n"
        "schemes: [{type: async}, {type: ignore, stragglers: 1, late: cancel}, {type: uncoded}]\n");
    struct outcome outcome = scratch_run(&scratch, (const char *const[]){"run", "scenario.yaml", NULL});
    cr_expect(eq(int, outcome.exit_code, 0));
    cr_expect(strstr(outcome.err,
                     "async: partition 0 weighs 1.3 times its share and partition 2 0.33 times") != NULL,
              "%s", outcome.err);
    cr_expect(strstr(outcome.err, "ignore: partition 0 weighs 1.5 times its share and partition 2 0 times") !=
                  NULL,
              "%s", outcome.err);
    cr_expect(strstr(outcome.err, "uncoded") == NULL, "%s", outcome.err);
    outcome_fini(&outcome);
    scratch_fini(&scratch);
}
