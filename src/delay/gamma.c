#include "bisection.h"
#include "law.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

struct gamma {
    double shape, scale_s;
};

static void ignore_seed(void *state, unsigned long seed) {
    (void)state;
    (void)seed;
}

static unsigned long next_word(void *state) {
    return draw_bits(state) >> 32;
}

static double next_unit(void *state) {
    return draw_unit(state);
}

/* A place in a stream as a generator of GSL: its state is a struct draw, the draw's number the only thing that
 * moves. */
static const gsl_rng_type keyed = {
    .name = "keyed",
    .max = UINT32_MAX,
    .min = 0,
    .size = sizeof(struct draw),
    .set = ignore_seed,
    .get = next_word,
    .get_double = next_unit,
};

static double sample(const void *params, struct occasion occasion) {
    const struct gamma *gamma = params;
    const gsl_rng generator = {.type = &keyed, .state = &occasion.draw};
    return gsl_ran_gamma(&generator, gamma->shape, gamma->scale_s);
}

static struct moments moments(const void *params) {
    const struct gamma *gamma = params;
    return (struct moments){.mean_s = gamma->shape * gamma->scale_s,
                            .deviation_s = sqrt(gamma->shape) * gamma->scale_s};
}

/* So far above the mean that less than exp(-300) of the law is left, where GSL's function can end the program
 * instead of returning 1 (Chernoff: P(X > a + y) <= exp(-y^2 / (2 (a + y))) for a unit scale). */
static bool far_above(double seconds, const struct gamma *gamma) {
    return seconds / gamma->scale_s > gamma->shape + 40 * sqrt(gamma->shape) + 800;
}

static double cdf(const void *params, double seconds) {
    const struct gamma *gamma = params;
    return far_above(seconds, gamma) ? 1 : gsl_cdf_gamma_P(seconds, gamma->shape, gamma->scale_s);
}

static double survival(const void *params, double seconds) {
    const struct gamma *gamma = params;
    return far_above(seconds, gamma) ? 0 : gsl_cdf_gamma_Q(seconds, gamma->shape, gamma->scale_s);
}

/* Not by gsl_cdf_gamma_Pinv, which ends the program where its iteration does not settle. */
static double quantile(const void *params, double p) {
    return bisected_quantile(cdf, params, p);
}

/* From a shape of 1e6 on GSL switches to an expansion that fails away from the mean. */
static const struct param list[] = {
    {.name = "shape",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct gamma, shape),
     .minimum = 1e-3,
     .maximum = 1e5,
     .help = "k: 1 is exponential, larger is steadier"},
    {.name = "scale",
     .kind = PARAM_SECONDS,
     .offset = offsetof(struct gamma, scale_s),
     .above_minimum = true,
     .unit = "s",
     .help = "theta: the mean is shape times scale"},
};
static const struct param_table table = {PARAM_TABLE(struct gamma, list)};

const struct law law_gamma = {
    .head = {.name = "gamma",
             .summary = "a sum of exponential stages: density proportional to t^(shape - 1) exp(-t / scale)",
             .source = "Marsaglia & Tsang, ACM Trans. Math. Softw. 26 (2000)",
             .params = &table},
    .sample = sample,
    .moments = moments,
    .quantile = quantile,
    .cdf = cdf,
    .survival = survival,
};
