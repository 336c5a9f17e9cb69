/* Slow workers and slow spells, drawn from known parameters, are found again; independent times show neither. */
#include "cluster_fit.h"
#include "drawn.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>

static struct cluster_fit *fitted(const struct drawn_cluster *cluster, enum model model) {
    struct measured_times times = {.workers = cluster->workers,
                                   .rounds = cluster->rounds,
                                   .count = cluster->workers * cluster->rounds,
                                   .value_s = drawn_times(cluster),
                                   .labelled = true};
    struct cluster_fit *fit = cluster_fit_new(
        &times, &(struct cluster_request){
                    .model = model, .bootstrap = {.seed = 1}, .workers = (uint32_t)cluster->workers});
    free(times.value_s);
    return fit;
}

/* Four standard errors: 6.3e-5 a number. */
static void expect_near(const char *name, double found, double truth, double error) {
    double distance = fabs(found - truth) / error;
    cr_expect(le(dbl, distance, 4), "%s: %g, not %g: %.1f standard errors", name, found, truth, distance);
}

Test(dependence, independent_times) {
    struct cluster_fit *fit = fitted(
        &(struct drawn_cluster){.workers = 50, .rounds = 200, .deviation = 0.5, .slowdown = 1, .seed = 1},
        MODEL_SHOWN);
    cr_expect(not(fit->dependence.persistent));
    cr_expect(not(fit->dependence.remembers));
    cr_expect(zero(dbl, fit->slowness_deviation));
    cr_expect(not(fit->spells));
    expect_near("lag-1 correlation", fit->dependence.lag_1, -1.0 / 200, 1 / sqrt(10000));
    cluster_fit_free(fit);
}

/* The deviation of n normal factors is known to 1 / sqrt(2 (n - 1)), a little more with the noise in each. */
Test(dependence, slow_workers) {
    const struct drawn_cluster cluster = {
        .workers = 200, .rounds = 50, .deviation = 0.3, .slowness = 0.4, .slowdown = 1, .seed = 2};
    struct cluster_fit *fit = fitted(&cluster, MODEL_SHOWN);
    cr_expect(fit->dependence.persistent);
    cr_expect(not(fit->spells));
    expect_near("slowness", fit->slowness_deviation, 0.4, 0.4 * (1 + 0.09 / 0.16 / 50) / sqrt(2 * 199));
    cr_expect(eq(str, (char *)fit->chosen->fitter->name, (char *)"lognormal"));
    expect_near("sigma", fit->chosen->theta[1], 0.3 * sqrt(49.0 / 50), 0.3 / sqrt(2 * 200 * 49));
    cr_expect(eq(str, (char *)node_child(fit->slowness, "type")->text, (char *)"lognormal"));
    cluster_fit_free(fit);
}

/* The states are eight deviations apart, so that they are as good as seen: probabilities have the errors of counted
 * changes, the slowdown that of a difference of means. */
static void expect_regime(const struct cluster_fit *fit, const struct drawn_cluster *cluster) {
    double values = (double)(cluster->workers * cluster->rounds);
    double slow = values * cluster->p_slow / (cluster->p_slow + cluster->p_recover), fast = values - slow;
    cr_assert(fit->spells);
    expect_near("p_slow", fit->regime->p_slow, cluster->p_slow,
                sqrt(cluster->p_slow * (1 - cluster->p_slow) / fast));
    expect_near("p_recover", fit->regime->p_recover, cluster->p_recover,
                sqrt(cluster->p_recover * (1 - cluster->p_recover) / slow));
    expect_near("slowdown", log(fit->regime->slowdown), log(cluster->slowdown),
                cluster->deviation * sqrt(1 / fast + 1 / slow));
    expect_near("deviation", fit->regime->deviation, cluster->deviation,
                cluster->deviation / sqrt(2 * values));
}

Test(dependence, spells) {
    const struct drawn_cluster cluster = {.workers = 40,
                                          .rounds = 250,
                                          .deviation = 0.15,
                                          .p_slow = 0.02,
                                          .p_recover = 0.1,
                                          .slowdown = 3.3,
                                          .seed = 3};
    struct cluster_fit *fit = fitted(&cluster, MODEL_SHOWN);
    expect_regime(fit, &cluster);
    cr_expect(zero(dbl, fit->slowness_deviation), "spells alone are no slowness");
    expect_near("sigma", fit->ranking->fitted[0].distance, 0, 1.63 / sqrt(10000) / 4);
    cluster_fit_free(fit);
}

/* Both at once: a worker's own centre costs a degree of freedom in fifty. */
Test(dependence, slow_workers_and_spells) {
    const struct drawn_cluster cluster = {.workers = 60,
                                          .rounds = 400,
                                          .deviation = 0.15,
                                          .slowness = 0.6,
                                          .p_slow = 0.03,
                                          .p_recover = 0.2,
                                          .slowdown = 3.3,
                                          .seed = 4};
    struct cluster_fit *fit = fitted(&cluster, MODEL_SHOWN);
    cr_assert(fit->spells);
    expect_near("slowness", fit->slowness_deviation, 0.6, 0.6 / sqrt(2 * 59));
    expect_regime(fit, &cluster);
    cluster_fit_free(fit);
}

/* States that overlap: the errors are larger than those of counts by what is not seen, at most twofold at two
 * deviations apart. */
Test(dependence, spells_that_overlap) {
    const struct drawn_cluster cluster = {.workers = 40,
                                          .rounds = 500,
                                          .deviation = 0.3,
                                          .p_slow = 0.05,
                                          .p_recover = 0.1,
                                          .slowdown = 2,
                                          .seed = 5};
    struct cluster_fit *fit = fitted(&cluster, MODEL_SHOWN);
    cr_assert(fit->spells);
    expect_near("p_slow", fit->regime->p_slow, 0.05, 2 * sqrt(0.05 * 0.95 / (20000 * 2.0 / 3)));
    expect_near("p_recover", fit->regime->p_recover, 0.1, 2 * sqrt(0.1 * 0.9 / (20000 / 3.0)));
    expect_near("slowdown", log(fit->regime->slowdown), log(2), 2 * 0.3 * sqrt(4.5 / 20000));
    cluster_fit_free(fit);
}

/* A fifth of the cells missing changes no estimate beyond its error. */
Test(dependence, missing_cells) {
    const struct drawn_cluster cluster = {.workers = 40,
                                          .rounds = 250,
                                          .deviation = 0.15,
                                          .p_slow = 0.02,
                                          .p_recover = 0.1,
                                          .slowdown = 3.3,
                                          .seed = 6};
    double *value = drawn_times(&cluster), *row = malloc(10000 * sizeof *row);
    for (size_t c = 0; c < 10000; c++)
        row[c % 40 * 250 + c / 40] = c % 5 == 2 ? (double)NAN : log(value[c]);
    struct log_matrix matrix = {40, 250, row};
    struct regime_fit *fit = regime_fit_new(&matrix, CENTRE_COMMON);
    cr_expect(fit->shown);
    expect_near("p_slow", fit->p_slow, 0.02, 1.2 * sqrt(0.02 * 0.98 / (10000 * 0.1 / 0.12)));
    expect_near("p_recover", fit->p_recover, 0.1, 1.2 * sqrt(0.1 * 0.9 / (10000 * 0.02 / 0.12)));
    regime_fit_free(fit);
    free(value);
    free(row);
}

/* Constant speeds: all variance is between workers, and a correlation of what does not vary is none. Factors carry the
 * rounding of logarithms alone. */
Test(dependence, constant_speeds) {
    double value_s[40];
    for (size_t c = 0; c < 40; c++)
        value_s[c] = 0.1 * (double)(c % 4 + 1);
    struct measured_times times = {
        .workers = 4, .rounds = 10, .count = 40, .value_s = value_s, .labelled = true};
    struct cluster_fit *fit =
        cluster_fit_new(&times, &(struct cluster_request){.bootstrap = {.seed = 1}, .workers = 4});
    cr_expect(fit->dependence.steady);
    cr_expect(fit->dependence.persistent);
    cr_expect(epsilon_eq(dbl, fit->dependence.share, 1, 0));
    cr_expect(isnan(fit->dependence.lag_1));
    cr_expect(eq(str, (char *)fit->chosen->fitter->name, (char *)"constant"));
    for (size_t i = 0; i < 4; i++)
        cr_expect(epsilon_eq(dbl, fit->factor[i] * fit->chosen->theta[0], value_s[i], 1e-12), "worker %zu",
                  i);
    cluster_fit_free(fit);
}

/* No variation at all, in a number of rounds whose sum of a tenth would be off by 1e-11. */
Test(dependence, equal_times) {
    size_t count = 200000;
    double *value_s = malloc(count * sizeof *value_s);
    for (size_t c = 0; c < count; c++)
        value_s[c] = 0.1;
    struct measured_times times = {
        .workers = 2, .rounds = count / 2, .count = count, .value_s = value_s, .labelled = true};
    struct cluster_fit *fit =
        cluster_fit_new(&times, &(struct cluster_request){.bootstrap = {.seed = 1}, .workers = 2});
    cr_expect(fit->dependence.steady);
    cr_expect(not(fit->dependence.persistent));
    cr_expect(isnan(fit->dependence.share));
    cr_expect(isnan(fit->dependence.lag_1));
    cluster_fit_free(fit);
    free(value_s);
}

/* A factor of the round, of the same deviation as each time's own: half the variance is common, known to
 * sqrt(2 / rounds) of itself, and independent times show none. */
Test(dependence, common_rounds) {
    const struct drawn_cluster own = {
        .workers = 20, .rounds = 400, .deviation = 0.3, .slowdown = 1, .seed = 8};
    const struct drawn_cluster round = {
        .workers = 1, .rounds = 400, .deviation = 0.3, .slowdown = 1, .seed = 9};
    double *value_s = drawn_times(&own), *factor = drawn_times(&round);
    struct log_matrix matrix = {.workers = 20, .rounds = 400, .value = malloc(8000 * sizeof(double))};
    for (size_t c = 0; c < 8000; c++)
        matrix.value[c] = log(value_s[c % 400 * 20 + c / 400]);
    struct dependence independent = dependence_of(&matrix);
    cr_expect(not(independent.shared));
    for (size_t c = 0; c < 8000; c++)
        matrix.value[c] += log(factor[c % 400]);
    struct dependence common = dependence_of(&matrix);
    cr_expect(common.shared);
    expect_near("common", common.common, 0.5, 0.25 * sqrt(2.0 / 399 + 2.0 / 7581));
    free(value_s);
    free(factor);
    free(matrix.value);
}
