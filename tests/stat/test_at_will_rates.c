/* Rates and staleness of schemes without a barrier in the long run, n = 8: closed forms, and independently simulated values
 * with their errors.
 *
 * A row is the mean of 20 replications; it fails beyond four standard errors of them, joined with that of the value. Student's
 * t with 19 degrees of freedom is beyond 4 with probability 8e-4: of the 28 numbers below one is with a chance of 1 in 45,
 * once, as the seed is fixed. */
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>

#define REPLICATIONS 20
#define UPDATES      1500
#define START        400 /* updates until what all workers began together is forgotten */

#define EXPONENTIAL "exponential, mean: 1"
#define SHIFTED     "shifted-exponential, shift: 1, mean: 1"
#define PARETO      "pareto, minimum: 1, shape: 2.5"

/* Staleness: a task sees n E[X]/(K E[X]) updates by Little's law, of which its own makes one in K. */
static const struct {
    const char *scheme, *delay;
    double update_s, error; /* seconds per update */
    double staleness;       /* NAN: not known */
} rows[] = {
    {"async", EXPONENTIAL, .125, 0, 7},
    {"async", SHIFTED, .25, 0, 7},
    {"ringmaster, max_age: 1000000", SHIFTED, .25, 0, 7},
    {"k-async, k: 1", EXPONENTIAL, .125, 0, 7},
    {"k-async, k: 4", EXPONENTIAL, .634524, 0, NAN},
    {"k-async, k: 8", EXPONENTIAL, 2.717857, 0, 0},
    {"k-async, k: 4", SHIFTED, 1.240511, .000110, NAN},
    {"k-async, k: 8", SHIFTED, 3.717857, 0, 0},
    {"k-batch-async, k: 4", EXPONENTIAL, .5, 0, 1.75},
    {"k-batch-async, k: 8", SHIFTED, 2, 0, .875},
    {"k-batch-async, k: 4", PARETO, .833333, 0, 1.75},
    {"k-batch-sync, k: 4", EXPONENTIAL, .5, 0, 0},
    {"k-batch-sync, k: 4", SHIFTED, 1.631235, 0, 0},
    {"ssp, bound: 0", EXPONENTIAL, 1 / 2.943495, 0, NAN},
    {"ssp, bound: 0", SHIFTED, 1 / 2.151777, 0, NAN},
    {"ssp, bound: 1", EXPONENTIAL, 1 / 4.462954, 0, NAN},
    {"ssp, bound: 1", SHIFTED, 1 / 3.1162, .0008 / (3.1162 * 3.1162), NAN},
};

struct sample {
    double sum, squares;
};

static void sample_add(struct sample *sample, double value) {
    sample->sum += value;
    sample->squares += value * value;
}

/* Rounding of printed values and of sums of 1,100 times. */
static void expect_mean(const struct sample *sample, size_t row, double wanted, double error) {
    double mean = sample->sum / REPLICATIONS;
    double own = sqrt(fmax(0, sample->squares / REPLICATIONS - mean * mean) / (REPLICATIONS - 1));
    cr_expect(le(dbl, fabs(mean - wanted), 4 * hypot(own, error) + 1e-6), "%s, %s: %.6f ± %.6f, not %.6f",
              rows[row].scheme, rows[row].delay, mean, own, wanted);
}

static void measure(const struct results *steps, size_t row) {
    static double time_s[UPDATES + 1], staleness[UPDATES + 1];
    struct sample seconds = {0}, ages = {0};
    for (int r = 0; r < REPLICATIONS; r++) {
        char replication[8];
        double sum = 0;
        snprintf(replication, sizeof replication, "%d", r);
        cr_assert(eq(sz, run_series(steps, "one", replication, "time_s", time_s, UPDATES + 1), UPDATES + 1));
        run_series(steps, "one", replication, "staleness_mean", staleness, UPDATES + 1);
        for (size_t t = START + 1; t <= UPDATES; t++)
            sum += staleness[t];
        sample_add(&seconds, (time_s[UPDATES] - time_s[START]) / (UPDATES - START));
        sample_add(&ages, sum / (UPDATES - START));
    }
    expect_mean(&seconds, row, rows[row].update_s, rows[row].error);
    if (!isnan(rows[row].staleness))
        expect_mean(&ages, row, rows[row].staleness, 0);
}

Test(at_will, rates_and_staleness_in_the_long_run, .timeout = 100) {
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct scratch scratch;
        struct results steps;
        scratch_init(&scratch);
        run_scenario(
            &scratch, "out", "2",
            "name: rates\nseed: 9\nreplications: %d\nproblem: {loss: none}\nstop: {steps: %d}\n"
            "cluster: {workers: [{count: 8, delay: {type: %s}}]}\nschemes: [{type: %s, label: one}]\n",
            REPLICATIONS, UPDATES, rows[row].delay, rows[row].scheme);
        results_init(&steps, &scratch, "out/steps.csv");
        measure(&steps, row);
        results_fini(&steps);
        scratch_fini(&scratch);
    }
}
