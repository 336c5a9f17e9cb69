/* What the late rules do to pipelined codes: staleness, use and backlog against independently computed values
 * (n = 12, c = 4, s = 3, count 9, compute 0.5 s and an exponential delay of mean 1 s, free warm-up). */
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define REPLICATIONS 20
#define STEPS        2000

static const char text[] = "name: late\n"
                           "seed: 3\n"
                           "replications: 20\n"
                           "problem: {loss: none}\n"
                           "stop: {steps: 2000}\n"
                           "cluster: {workers: [{count: 1, speed: %g, compute: {type: constant, value: 0.5}, "
                           "delay: {type: exponential, mean: 1}},\n"
                           "                    {count: 11, compute: {type: constant, value: 0.5}, delay: "
                           "{type: exponential, mean: 1}}]}\n"
                           "schemes: [{type: pgc-cr, stragglers: 3, late: %s, label: code}]\n";

struct staleness {
    const char *late;
    double mean, error, at_least, at_most; /* error: of the value itself; of the largest, over all steps */
};
/* Under queue every used message holds the versions t, …, t - 3: exactly 1.5, never above 3. */
static const struct staleness stalenesses[] = {
    {"queue", 1.5, 0, 3, 3},
    {"cancel", 2.5, 0, 20, 1e9},
    {"latest", 1.57770, .00041, 8, 1e9},
};

/* Mean over the steps from 50 on, when the first messages' clamping to w_0 is over; its standard error from the spread of
 * the replications' means. */
static void measure(const struct results *steps, double *mean, double *error, double *largest) {
    static double value[STEPS + 1];
    double sum = 0, squares = 0;
    *largest = 0;
    for (int r = 0; r < REPLICATIONS; r++) {
        char replication[8];
        snprintf(replication, sizeof replication, "%d", r);
        double total = 0;
        size_t count = run_series(steps, "code", replication, "staleness_mean", value, STEPS + 1);
        cr_assert(eq(sz, count, STEPS + 1));
        for (size_t t = 50; t < count; t++)
            total += value[t] / (double)(count - 50);
        sum += total;
        squares += total * total;
        run_series(steps, "code", replication, "staleness_max", value, STEPS + 1);
        for (size_t t = 1; t < count; t++)
            *largest = fmax(*largest, value[t]);
    }
    *mean = sum / REPLICATIONS;
    *error = sqrt(fmax(0, squares / REPLICATIONS - *mean * *mean) / (REPLICATIONS - 1));
}

/* Four standard errors, or exactly where nothing is random; 6e-5 of a false alarm a row with a fixed seed. */
Test(late_rules, staleness, .timeout = 60) {
    for (size_t c = 0; c < sizeof stalenesses / sizeof *stalenesses; c++) {
        const struct staleness *wanted = &stalenesses[c];
        struct scratch scratch;
        struct results steps;
        double mean, error, largest;
        scratch_init(&scratch);
        run_scenario(&scratch, "out", "2", text, 1.0, wanted->late);
        results_init(&steps, &scratch, "out/steps.csv");
        measure(&steps, &mean, &error, &largest);
        cr_expect(le(dbl, fabs(mean - wanted->mean), 4 * hypot(error, wanted->error) + 1e-9),
                  "%s: %g ± %g, not %g", wanted->late, mean, error, wanted->mean);
        cr_expect(ge(dbl, largest, wanted->at_least), "%s: %g", wanted->late, largest);
        cr_expect(le(dbl, largest, wanted->at_most), "%s: %g", wanted->late, largest);
        results_fini(&steps);
        scratch_fini(&scratch);
    }
}

/* Worker 0 at a fifth of the speed, queue: 2.36911 ± .00191 s a step, never used after the start, a backlog that grows by
 * .32 a step, and staleness that still looks healthy. */
Test(late_rules, a_slow_worker_is_never_heard, .timeout = 60) {
    struct scratch scratch;
    struct results runs, workers;
    scratch_init(&scratch);
    run_scenario(&scratch, "out", "2", text, 0.2, "queue");
    results_init(&runs, &scratch, "out/runs.csv");
    results_init(&workers, &scratch, "out/workers.csv");
    double sum = 0, squares = 0;
    for (size_t r = 0; r < REPLICATIONS; r++) {
        double step_s = results_number(&runs, r, "step_mean_s");
        sum += step_s;
        squares += step_s * step_s;
        size_t slow = r * 12, next = r * 12 + 5;
        cr_expect(le(dbl, results_number(&workers, slow, "participation"), 0.01));
        cr_expect(epsilon_eq(dbl, results_number(&workers, slow, "backlog_end") / STEPS, .32, .02));
        cr_expect(ge(dbl, results_number(&workers, slow, "backlog_max"),
                     results_number(&workers, slow, "backlog_end")));
        cr_expect(epsilon_eq(dbl, results_number(&workers, next, "participation"), 9.0 / 11, .04));
        cr_expect(eq(dbl, results_number(&workers, next, "skipped"), 0));
    }
    double mean = sum / REPLICATIONS;
    double error = sqrt((squares / REPLICATIONS - mean * mean) / (REPLICATIONS - 1));
    cr_expect(le(dbl, fabs(mean - 2.36911), 4 * hypot(error, .00191)), "%g ± %g", mean, error);
    results_fini(&runs);
    results_fini(&workers);
    scratch_fini(&scratch);
}
