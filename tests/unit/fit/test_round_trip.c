/* Every law, drawn 10,000 times from known parameters, is fitted back.
 *
 * Interior parameters: within four standard errors, from the observed information (second differences of the
 * log-likelihood at the estimate). Boundary parameters: the least time beyond its bound, over its mean distance, is
 * exponential of mean 1 (and so for the largest). Mixtures: twice the gain in log-likelihood over the true parameters is
 * chi-squared with a degree per parameter. Each row's false alarm is 6.3e-5 per parameter (four standard errors of a
 * normal law on both sides), 2e-3 over the table, once: seeds are fixed. */
#include "drawn.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

#define DRAWS       10000
#define FALSE_ALARM 6.3e-5

struct trip {
    const char *fitter, *law;
    double theta[FIT_PARAMETERS];
};

static const struct trip interior[] = {
    {"exponential", "{type: exponential, mean: 2.5}", {2.5}},
    {"gamma", "{type: gamma, shape: 0.6, scale: 3}", {0.6, 3}},
    {"gamma", "{type: gamma, shape: 80, scale: 0.01}", {80, 0.01}},
    {"weibull", "{type: weibull, shape: 0.7, scale: 0.2}", {0.7, 0.2}},
    {"weibull", "{type: weibull, shape: 5, scale: 20}", {5, 20}},
    {"lognormal", "{type: lognormal, mu: -1.5, sigma: 0.4}", {-1.5, 0.4}},
};

static double height(const struct fitter *fitter, const struct sample *sample, const double *theta, size_t p,
                     double by_p, size_t q, double by_q) {
    double moved[FIT_PARAMETERS];
    for (size_t a = 0; a < fitter->parameters; a++)
        moved[a] = theta[a];
    moved[p] += by_p;
    moved[q] += by_q;
    return fit_log_likelihood(fitter, moved, sample);
}

/* Standard errors: the roots of the diagonal of the inverse of minus the second derivatives. A step of a thousandth
 * leaves six digits of them. */
static void standard_errors(const struct fitter *fitter, const struct sample *sample, const double *theta,
                            double *error) {
    size_t n = fitter->parameters;
    gsl_matrix *information = gsl_matrix_alloc(n, n);
    for (size_t p = 0; p < n; p++)
        for (size_t q = 0; q < n; q++) {
            double dp = 1e-3 * fmax(fabs(theta[p]), 0.01), dq = 1e-3 * fmax(fabs(theta[q]), 0.01);
            double second =
                height(fitter, sample, theta, p, dp, q, dq) - height(fitter, sample, theta, p, dp, q, -dq) -
                height(fitter, sample, theta, p, -dp, q, dq) + height(fitter, sample, theta, p, -dp, q, -dq);
            gsl_matrix_set(information, p, q, -second / (4 * dp * dq));
        }
    gsl_linalg_cholesky_decomp1(information);
    gsl_linalg_cholesky_invert(information);
    for (size_t p = 0; p < n; p++)
        error[p] = sqrt(gsl_matrix_get(information, p, p));
    gsl_matrix_free(information);
}

Test(round_trip, interior) {
    for (size_t t = 0; t < sizeof interior / sizeof *interior; t++) {
        const struct fitter *fitter = fitter_named(interior[t].fitter);
        struct sample *sample = drawn_sample(interior[t].law, DRAWS, 11 + t);
        double theta[FIT_PARAMETERS], error[FIT_PARAMETERS];
        struct sentence why;
        cr_assert(fitter->estimate(sample, theta, &why), "%s: %s", interior[t].law, why.text);
        standard_errors(fitter, sample, theta, error);
        for (size_t p = 0; p < fitter->parameters; p++) {
            double distance = fabs(theta[p] - interior[t].theta[p]) / error[p];
            cr_expect(le(dbl, distance, 4), "%s: parameter %zu is %g, %.1f standard errors off",
                      interior[t].law, p, theta[p], distance);
        }
        sample_free(sample);
    }
}

/* A distance that is exponential of mean 1: never negative, above -log(alarm) with the probability of the alarm. */
static void expect_exponential(const char *name, double distance) {
    cr_expect(ge(dbl, distance, 0), "%s: %g is on the wrong side", name, distance);
    cr_expect(le(dbl, distance, -log(FALSE_ALARM)), "%s: %g mean distances off", name, distance);
}

/* Relative error of a parameter whose estimate has the relative standard error 1 / sqrt(n). */
static void expect_relative(const char *name, double found, double truth) {
    double distance = fabs(found / truth - 1) * sqrt(DRAWS);
    cr_expect(le(dbl, distance, 4), "%s: %g is %.1f standard errors off", name, found, distance);
}

static void fitted(const char *fitter, const char *law, uint64_t seed, double *theta) {
    struct sample *sample = drawn_sample(law, DRAWS, seed);
    struct sentence why;
    cr_assert(fitter_named(fitter)->estimate(sample, theta, &why), "%s: %s", law, why.text);
    sample_free(sample);
}

Test(round_trip, boundaries) {
    double theta[FIT_PARAMETERS];
    fitted("shifted-exponential", "{type: shifted-exponential, shift: 3, mean: 0.5}", 21, theta);
    expect_exponential("shift", DRAWS * (theta[0] - 3) / 0.5);
    expect_relative("mean beyond the shift", theta[1], 0.5);
    fitted("uniform", "{type: uniform, low: 2, high: 7}", 22, theta);
    expect_exponential("low", DRAWS * (theta[0] - 2) / 5);
    expect_exponential("high", DRAWS * (7 - theta[1]) / 5);
    fitted("pareto", "{type: pareto, minimum: 0.3, shape: 2.5}", 23, theta);
    expect_exponential("minimum", DRAWS * 2.5 * log(theta[0] / 0.3));
    expect_relative("shape", theta[1], 2.5);
    fitted("constant", "{type: constant, value: 1.25}", 24, theta);
    cr_expect(ieee_ulp_eq(dbl, theta[0], 1.25, 0));
}

static const struct trip mixtures[] = {
    {"two exponentials",
     "{type: mixture, parts: [{weight: 0.8, type: exponential, mean: 1}, {weight: 0.2, type: exponential, "
     "mean: "
     "9}]}",
     {0.8, 1, 9}},
    {"two lognormals",
     "{type: mixture, parts: [{weight: 0.9, type: lognormal, mu: 0, sigma: 0.2}, {weight: 0.1, type: "
     "lognormal, "
     "mu: 1, sigma: 0.6}]}",
     {0.9, 0, 0.2, 1, 0.6}},
    /* parts that overlap so far that only their likelihood is known well */
    {"two lognormals",
     "{type: mixture, parts: [{weight: 0.5, type: lognormal, mu: 0, sigma: 0.5}, {weight: 0.5, type: "
     "lognormal, "
     "mu: 0.6, sigma: 0.5}]}",
     {0.5, 0, 0.5, 0.6, 0.5}},
};

Test(round_trip, mixtures) {
    for (size_t t = 0; t < sizeof mixtures / sizeof *mixtures; t++) {
        const struct fitter *fitter = fitter_named(mixtures[t].fitter);
        struct sample *sample = drawn_sample(mixtures[t].law, DRAWS, 31 + t);
        double theta[FIT_PARAMETERS];
        struct sentence why;
        cr_assert(fitter->estimate(sample, theta, &why), "%s: %s", mixtures[t].law, why.text);
        double gain = 2 * (fit_log_likelihood(fitter, theta, sample) -
                           fit_log_likelihood(fitter, mixtures[t].theta, sample));
        cr_expect(ge(dbl, gain, 0), "%s: less likely than the truth by %g", mixtures[t].law, -gain);
        cr_expect(le(dbl, gain, gsl_cdf_chisq_Qinv(FALSE_ALARM, (double)fitter->parameters)),
                  "%s: more likely than the truth by %g", mixtures[t].law, gain);
        sample_free(sample);
    }
}

/* A maximum: no step of a tenth of a standard error from the estimate, in any one parameter, goes up. */
static void expect_top(const struct trip *trip, uint64_t seed) {
    const struct fitter *fitter = fitter_named(trip->fitter);
    struct sample *sample = drawn_sample(trip->law, DRAWS, seed);
    double theta[FIT_PARAMETERS], error[FIT_PARAMETERS];
    struct sentence why;
    cr_assert(fitter->estimate(sample, theta, &why), "%s: %s", trip->law, why.text);
    standard_errors(fitter, sample, theta, error);
    double top = fit_log_likelihood(fitter, theta, sample);
    for (size_t p = 0; p < fitter->parameters; p++)
        for (int sign = -1; sign <= 1; sign += 2)
            cr_expect(lt(dbl, height(fitter, sample, theta, p, sign * error[p] / 10, p, 0), top),
                      "%s: parameter %zu may go %s", trip->law, p, sign < 0 ? "down" : "up");
    sample_free(sample);
}

Test(round_trip, estimates_stand_on_the_top) {
    for (size_t t = 0; t < sizeof interior / sizeof *interior; t++)
        expect_top(&interior[t], 41 + t);
    for (size_t t = 0; t < sizeof mixtures / sizeof *mixtures; t++)
        expect_top(&mixtures[t], 51 + t);
}
