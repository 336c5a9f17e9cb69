#include "cloned.h"
#include "elementary.h"
#include "law.h"
#include <math.h>

struct weibull {
    double shape, scale_s;
};

static double quantile(const void *params, double p) {
    const struct weibull *weibull = params;
    return weibull->scale_s * elementary_pow(-elementary_log(1 - p), 1 / weibull->shape);
}

/* With X = (T / scale)^shape exponential, E[T^m] = scale^m Gamma(1 + m / shape). The variance is written with
 * expm1 because the two gammas nearly cancel for large shapes. */
/* The parameters stand in registers, or every value written might change them. */
CLONED static void weibull_quantiles(const struct weibull *weibull, double *value, size_t count) {
    const double scale_s = weibull->scale_s, power = 1 / weibull->shape;
    for (size_t q = 0; q < count; q++)
        value[q] = scale_s * elementary_pow(-elementary_log(1 - value[q]), power);
}

CLONED static void weibull_quantiles_of_logs(const struct weibull *weibull, double *value, size_t count) {
    const double scale_s = weibull->scale_s, power = 1 / weibull->shape;
    for (size_t q = 0; q < count; q++)
        value[q] = scale_s * elementary_pow(-value[q], power);
}

static void fill(const void *params, double *value, size_t count) {
    weibull_quantiles(params, value, count);
}

static void fill_logs(const void *params, double *value, size_t count) {
    weibull_quantiles_of_logs(params, value, count);
}

static struct moments moments(const void *params) {
    const struct weibull *weibull = params;
    double log_first = lgamma(1 + 1 / weibull->shape), log_second = lgamma(1 + 2 / weibull->shape);
    double mean_s = weibull->scale_s * exp(log_first);
    return (struct moments){.mean_s = mean_s,
                            .deviation_s = mean_s * sqrt(expm1(log_second - 2 * log_first))};
}

static double cdf(const void *params, double seconds) {
    const struct weibull *weibull = params;
    return seconds <= 0 ? 0 : -expm1(-pow(seconds / weibull->scale_s, weibull->shape));
}

static double survival(const void *params, double seconds) {
    const struct weibull *weibull = params;
    return seconds <= 0 ? 1 : exp(-pow(seconds / weibull->scale_s, weibull->shape));
}

static const struct param list[] = {
    {.name = "shape",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct weibull, shape),
     .minimum = 0.05,
     .maximum = 1000,
     .help = "k: below 1 a heavy tail, 1 exponential, above 1 steadier"},
    {.name = "scale",
     .kind = PARAM_SECONDS,
     .offset = offsetof(struct weibull, scale_s),
     .above_minimum = true,
     .unit = "s",
     .help = "the time that a share of 1 - 1/e stays within"},
};
static const struct param_table table = {PARAM_TABLE(struct weibull, list)};

const struct law law_weibull = {
    .head = {.name = "weibull",
             .summary = "stretched exponential: P(T > t) = exp(-(t / scale)^shape)",
             .source = "Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 1, chapter 21",
             .params = &table},
    .moments = moments,
    .quantile = quantile,
    .fill = fill,
    .fill_logs = fill_logs,
    .cdf = cdf,
    .survival = survival,
};
