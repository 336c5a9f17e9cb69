/* Partitions recovered of 12, over straggler sets that are all alike, against counts over all sets. Steps are independent,
 * so a mean over 10,000 of them has the standard error of their deviation; a row fails beyond four, of which 38 rows have
 * a chance of 1 in 400, once: the seed is fixed. Counts are known to six decimals. */
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>

#define STEPS 10000
#define WORST 12

struct recovered {
    const char *scheme;
    double mean[WORST + 1]; /* by stragglers; 0: not known */
};
static const struct recovered counts[] = {
    {"isgc-fr, copies: 2", {0, 12, 11.818182, 11.454545, 10.909091, 0, 9.272727, 0, 6.909091}},
    {"isgc-cr, copies: 2", {0, 12, 10.909091, 10.363636, 9.696970, 0, 8.155844, 0, 6.206061}},
    {"isgc-cr, copies: 3", {12, 12, 12, 11.127273, 10.254545, 9.636364, 9.136364}},
    {"isgc-hr, groups: 3, copies: 2, copies_local: 1",
     {12, 12, 11.636364, 11.018182, 10.230303, 9.333333, 8.363636, 7.333333, 6.230303}},
    {"isgc-hr, groups: 3, copies: 3, copies_local: 2",
     {9, 9, 9, 9, 8.981818, 8.909091, 8.727273, 8.363636, 7.727273}},
    /* 12 (1 - C(10, r) / C(12, r)) with r = 12 - s results */
    {"erasurehead, copies: 2", {12, 12, 0, 0, 10.909091, 0, 9.272727, 0, 6.909091}},
};

static void expect_recovered(const char *scheme, int stragglers, double wanted) {
    static double value[STEPS + 1];
    struct scratch scratch;
    struct results steps;
    double sum = 0, squares = 0;
    bool results = scheme[0] == 'e';
    scratch_init(&scratch);
    run_scenario(&scratch, "out", "1",
                 "name: recovered\nseed: 5\nproblem: {loss: none}\nstop: {steps: %d}\n"
                 "cluster: {late: cancel, workers: [{count: 12, delay: {type: exponential, mean: 1}}]}\n"
                 "schemes: [{type: %s, %s: %d, label: code}]\n",
                 STEPS, scheme, results ? "results" : "stragglers", results ? 12 - stragglers : stragglers);
    results_init(&steps, &scratch, "out/steps.csv");
    cr_assert(eq(sz, run_series(&steps, "code", "0", "recovered", value, STEPS + 1), STEPS + 1));
    for (size_t t = 1; t <= STEPS; t++) {
        sum += value[t] / STEPS;
        squares += value[t] * value[t] / STEPS;
    }
    double error = sqrt(fmax(0, squares - sum * sum) / STEPS);
    cr_expect(le(dbl, fabs(sum - wanted), 4 * error + 6e-7), "%s, %d stragglers: %.6f ± %.6f, not %.6f",
              scheme, stragglers, sum, error, wanted);
    results_fini(&steps);
    scratch_fini(&scratch);
}

Test(recovered, means_over_all_straggler_sets, .timeout = 100) {
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int s = 0; s <= WORST; s++)
            if (counts[c].mean[s] > 0)
                expect_recovered(counts[c].scheme, s, counts[c].mean[s]);
}
