/* What goes around the gradient, schemes without a barrier, local steps and staleness rules in one run: recursions on one
 * feature that is always 1 and the squared loss, so that partition i of n pulls w towards the mean of its y; and what cannot
 * meet. */
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
#define RATE      0.2
#define L2        0.1

static double label(int row) {
    return row / (ROWS / 3) * 2 - 1;
}

static double mean_label(int worker, int workers) {
    double sum = 0;
    for (int r = worker * ROWS / workers; r < (worker + 1) * ROWS / workers; r++)
        sum += label(r);
    return sum * workers / ROWS;
}

static double loss_of(double w) {
    double sum = 0;
    for (int r = 0; r < ROWS; r++)
        sum += (w - label(r)) * (w - label(r)) / 2 / ROWS;
    return sum + L2 / 2 * w * w;
}

/* Losses of a run, with what is beside the learning rate, the groups of workers and the scheme. */
static void run_losses(const char *beside, const char *workers, const char *scheme, double *loss) {
    struct scratch scratch;
    struct results steps;
    scratch_init(&scratch);
    scratch_write_text(&scratch, "data.csv", "x,y\n");
    for (int r = 0; r < ROWS; r++)
        scratch_append(&scratch, "data.csv", "1,%g\n", label(r));
    run_scenario(&scratch, "out", "1",
                 "name: together\n"
                 "problem: {loss: linear, l2: %.17g, data: {type: csv, path: data.csv, label: y}}\n"
                 "optimizer: {learning_rate: %.17g%s}\n"
                 "stop: {steps: %d}\n"
                 "cluster: {workers: [%s]}\n"
                 "schemes: [{%s, label: code}]\n",
                 L2, RATE, beside, STEPS, workers, scheme);
    results_init(&steps, &scratch, "out/steps.csv");
    cr_assert(eq(sz, run_series(&steps, "code", "0", "loss", loss, STEPS + 1), STEPS + 1), "%s", scheme);
    results_fini(&steps);
    scratch_fini(&scratch);
}

static double inverse(int age) {
    return age > 1 ? 1.0 / age : 1;
}

static double root(int age) {
    return 1 / sqrt(1 + age);
}

static double same(int age) {
    (void)age;
    return 1;
}

/* Packed, nothing being left out. */
#define KEPT "compression: {type: topk, coordinates: 1, error_feedback: true}"

struct stale_case {
    int workers, accumulate;
    const char *scheme;
    double (*factor)(int age);
    double compensation;
    bool ssp; /* g_p with its share of the penalty, at the version of the push */
    const char *beside;
};
static const struct stale_case stales[] = {
    {3, 1, "type: ssp, bound: 5", same, 0, true},
    {3, 1, "type: ssp, bound: 5, staleness: {type: inverse}", inverse, 0, true},
    {4, 1, "type: ssp, bound: 5, staleness: {type: polynomial}", root, 0, true},
    {3, 1, "type: ssp, bound: 5, staleness: {type: delay-compensated, lambda: 0.4}", same, 0.4, true},
    {4, 2, "type: async, staleness: {type: inverse}", inverse, 0, false},
    {4, 3, "type: async, staleness: {type: polynomial}", root, 0, false},
    {4, 2, "type: async, staleness: {type: delay-compensated, lambda: 0.2}", same, 0.2, false},
    {4, 2, "type: ssp, bound: 5, staleness: {type: inverse}", inverse, 0, true},
    {4, 1, "type: async, staleness: {type: inverse}", inverse, 0, false, ", " KEPT},
    {4, 2, "type: ssp, bound: 5, staleness: {type: polynomial}", root, 0, true, ", " KEPT},
};

/* Equal workers push one after another: push e is of the model when there were min(e, n - 1) pushes fewer. */
static double push(const struct stale_case *stale, const double *w, int e) {
    int update = e / stale->accumulate, behind = e < stale->workers ? e : stale->workers - 1;
    int version = (e - behind) / stale->accumulate;
    double used = w[version], share = stale->ssp ? 1.0 / stale->workers : 1;
    double gradient = share * (used - mean_label(e % stale->workers, stale->workers));
    double moved = stale->factor(update - version) * gradient +
                   stale->compensation * gradient * gradient * (w[update] - used);
    return moved + (stale->ssp ? share * L2 * used : L2 * w[update]);
}

Test(together, staleness_rules_scale_what_the_data_say, .timeout = 60) {
    for (size_t c = 0; c < sizeof stales / sizeof *stales; c++) {
        const struct stale_case *stale = &stales[c];
        double loss[STEPS + 1], w[STEPS + 1] = {0};
        char beside[120], workers[80];
        snprintf(beside, sizeof beside, ", accumulate: %d%s", stale->accumulate,
                 stale->beside ? stale->beside : "");
        snprintf(workers, sizeof workers, "{count: %d, compute: {type: constant, value: 1}}", stale->workers);
        run_losses(beside, workers, stale->scheme, loss);
        for (int t = 0; t < STEPS; t++) {
            double sum = 0;
            for (int e = t * stale->accumulate; e < (t + 1) * stale->accumulate; e++)
                sum += push(stale, w, e);
            w[t + 1] = w[t] - RATE * sum / stale->accumulate;
            cr_assert(epsilon_eq(dbl, loss[t + 1], loss_of(w[t + 1]), TOLERANCE), "row %zu, step %d", c, t);
        }
    }
}

/* Of two workers one takes 1 second and closes every step at version t with a fresh gradient; the other takes 1.43, so that
 * every one of its gradients is old, and never ties. A table is all of the workers, once the second is in it. */
#define SLOW_S 1.43
struct table_case {
    const char *beside, *scheme;
    double (*factor)(int age);
    double compensation;
    bool scaled; /* learning rate by the share of the workers in the estimate */
};
static const struct table_case tables[] = {
    {"", "type: dsag, fresh: 1", same, 0, false},
    {"", "type: dsag, fresh: 1, staleness: {type: inverse}", inverse, 0, false},
    {"", "type: dsag, fresh: 1, staleness: {type: polynomial}", root, 0, false},
    {"", "type: dsag, fresh: 1, staleness: {type: delay-compensated, lambda: 0.3}", same, 0.3, false},
    {", scale_lr: linear", "type: dsag, fresh: 1", same, 0, true},
};

/* The estimate at version t: of the first worker's gradient there and the second's last one. Each is of a half of the rows,
 * so half of what pulls, times n over those in the table. */
static double table_estimate(const struct table_case *table, const double *w, int t) {
    int pushes = (int)((t + 1) / SLOW_S);
    double fresh = w[t] - mean_label(0, 2);
    if (pushes == 0)
        return fresh;
    int version = (int)((pushes - 1) * SLOW_S);
    double old = (w[version] - mean_label(1, 2)) / 2;
    return fresh / 2 + table->factor(t - version) * old +
           table->compensation * old * old * (w[t] - w[version]);
}

Test(together, a_table_of_gradients_ages, .timeout = 60) {
    for (size_t c = 0; c < sizeof tables / sizeof *tables; c++) {
        const struct table_case *table = &tables[c];
        double loss[STEPS + 1], w[STEPS + 1] = {0};
        run_losses(table->beside,
                   "{count: 1, compute: {type: constant, value: 1}}, "
                   "{count: 1, compute: {type: constant, value: 1.43}}",
                   table->scheme, loss);
        for (int t = 0; t < STEPS; t++) {
            double rate = table->scaled && t + 1 < SLOW_S ? RATE / 2 : RATE;
            w[t + 1] = w[t] - rate * (table_estimate(table, w, t) + L2 * w[t]);
            cr_assert(epsilon_eq(dbl, loss[t + 1], loss_of(w[t + 1]), TOLERANCE), "row %zu, step %d", c, t);
        }
    }
}

/* Bit for bit, with messages of earlier models under `queue` and `latest`. */
Test(together, local_steps_with_everything_kept_are_not_compressed, .timeout = 60) {
    static const char *const kept[] = {"{type: topk, fraction: 1, error_feedback: true}",
                                       "{type: randk, fraction: 1}"};
    static const char *const lates[] = {"queue", "latest", "cancel"};
    for (int q = 0; q < 6; q++) {
        struct scratch scratch;
        const char *const compressions[] = {"{type: none}", kept[q / 3]};
        char *steps[2];
        scratch_init(&scratch);
        for (int k = 0; k < 2; k++) {
            const char *const folder = k == 0 ? "plain" : "kept";
            run_scenario(&scratch, folder, "2",
                         "name: together\nseed: 3\nreplications: 2\n"
                         "problem: {loss: logistic, l2: 0.01, batch: %s, data: {type: synthetic, samples: "
                         "157, features: 9, intercept: true}}\n"
                         "optimizer: {learning_rate: 0.1, compression: %s}\n"
                         "stop: {steps: 30}\n"
                         "record: {audit: true}\n"
                         "cluster: {workers: [{count: 12, compute: {type: constant, value: 1}, delay: {type: "
                         "exponential, mean: 2}}]}\n"
                         "schemes: [{type: local, local_steps: 3, stragglers: 4, late: %s}]\n",
                         q % 2 ? "3" : "full", compressions[k], lates[q % 3]);
            steps[k] = scratch_text(&scratch, k == 0 ? "plain/steps.csv" : "kept/steps.csv");
        }
        cr_expect(strcmp(steps[0], steps[1]) == 0, "%s, late: %s", kept[q / 3], lates[q % 3]);
        free(steps[0]);
        free(steps[1]);
        scratch_fini(&scratch);
    }
}

/* A message is corrected as it was sent, whatever partitions it holds: where all values are kept, as without compression, bit
 * for bit. Two of five workers leave, one joins. */
Test(together, corrected_messages_with_everything_kept_are_not_compressed, .timeout = 60) {
    static const char *const kept[] = {"{type: none}", "{type: topk, fraction: 1, error_feedback: true}"};
    struct scratch scratch;
    char *steps[2];
    scratch_init(&scratch);
    for (size_t q = 0; q < 2; q++) {
        run_scenario(
            &scratch, q == 0 ? "plain" : "kept", "1",
            "name: corrected\nproblem: {loss: logistic, l2: 0.1, data: {type: synthetic, samples: 60, "
            "features: 4}}\noptimizer: {learning_rate: 0.1, compression: %s}\nstop: {steps: 120}\n"
            "cluster: {workers: [{count: 2, delay: {type: exponential, mean: 1}}, {count: 2, leaves: 5, "
            "delay: "
            "{type: exponential, mean: 1}}, {count: 1, joins: 3, delay: {type: exponential, mean: 1}}]}\n"
            "schemes:\n"
            "  - {type: async, on_leave: reassigned, staleness: {type: delay-compensated, lambda: 0.3}}\n"
            "  - {type: k-batch-async, k: 2, on_leave: reassigned, staleness: {type: delay-compensated, "
            "lambda: 0.3}}\n"
            "  - {type: ssp, bound: 3, staleness: {type: delay-compensated, lambda: 0.3}}\n",
            kept[q]);
        steps[q] = scratch_text(&scratch, q == 0 ? "plain/steps.csv" : "kept/steps.csv");
    }
    cr_expect(strcmp(steps[0], steps[1]) == 0);
    free(steps[0]);
    free(steps[1]);
    scratch_fini(&scratch);
}

static const struct {
    const char *optimizer, *scheme, *why;
} refused[] = {
    {"compression: {type: topk, coordinates: 2}", "type: dsag, fresh: 2",
     "schemes[0].type: dsag lets a gradient stand in its table until the next one takes its place"},
    {"compression: {type: topk, coordinates: 2}", "type: pgc-cr, stragglers: 1, staleness: {type: inverse}",
     "schemes[0].staleness: a message of pgc-cr holds gradients of several ages"},
    {"clip_norm: 1", "type: local, local_steps: 2", "optimizer.type: sgd without clip_norm"},
    {"scale_lr: linear", "type: local, local_steps: 2", "optimizer.type: sgd without clip_norm"},
    {"accumulate: 2", "type: local, local_steps: 2", "optimizer.type: sgd without clip_norm"},
};

Test(together, what_cannot_meet_is_refused, .timeout = 30) {
    for (size_t c = 0; c < sizeof refused / sizeof *refused; c++) {
        struct scratch scratch;
        char text[600];
        scratch_init(&scratch);
        snprintf(text, sizeof text,
                 "name: refused\n"
                 "problem: {loss: linear, data: {type: synthetic, samples: 60, features: 3}}\n"
                 "optimizer: {learning_rate: 0.1, %s}\nstop: {steps: 5}\n"
                 "cluster: {workers: [{count: 4, compute: {type: constant, value: 1}}]}\nschemes: [{%s}]\n",
                 refused[c].optimizer, refused[c].scheme);
        scratch_write_text(&scratch, "scenario.yaml", text);
        struct outcome outcome = scratch_run(&scratch, (const char *const[]){"check", "scenario.yaml", NULL});
        cr_expect(eq(int, outcome.exit_code, 2), "row %zu", c);
        cr_expect(strstr(outcome.err, "scenario.yaml:6:") && strstr(outcome.err, refused[c].why),
                  "row %zu: %s", c, outcome.err);
        outcome_fini(&outcome);
        scratch_fini(&scratch);
    }
}
