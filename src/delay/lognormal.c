#include "cloned.h"
#include "elementary.h"
#include "law.h"
#include <math.h>

struct lognormal {
    double mu, sigma;
};

static double quantile(const void *params, double p) {
    const struct lognormal *lognormal = params;
    return elementary_exp(lognormal->mu + lognormal->sigma * normal_quantile(p));
}

/* The parameters stand in registers, or every value written might change them. */
CLONED static void exponentials(const struct lognormal *lognormal, double *value, size_t count) {
    const double mu = lognormal->mu, sigma = lognormal->sigma;
    for (size_t q = 0; q < count; q++)
        value[q] = elementary_exp(mu + sigma * value[q]);
}

static void fill(const void *params, double *value, size_t count) {
    normal_quantiles(value, count);
    exponentials(params, value, count);
}

static struct moments moments(const void *params) {
    const struct lognormal *lognormal = params;
    double variance = lognormal->sigma * lognormal->sigma;
    double mean_s = exp(lognormal->mu + variance / 2);
    return (struct moments){.mean_s = mean_s, .deviation_s = mean_s * sqrt(expm1(variance))};
}

static double cdf(const void *params, double seconds) {
    const struct lognormal *lognormal = params;
    return seconds <= 0 ? 0 : erfc((lognormal->mu - log(seconds)) / (lognormal->sigma * sqrt(2))) / 2;
}

static double survival(const void *params, double seconds) {
    const struct lognormal *lognormal = params;
    return seconds <= 0 ? 1 : erfc((log(seconds) - lognormal->mu) / (lognormal->sigma * sqrt(2))) / 2;
}

/* The limits keep every sample and both moments finite: normal quantiles of a stream end at 8.3. */
static const struct param list[] = {
    {.name = "mu",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct lognormal, mu),
     .minimum = -50,
     .maximum = 50,
     .help = "mean of the logarithm of seconds: the median is exp(mu) s"},
    {.name = "sigma",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct lognormal, sigma),
     .minimum = 0,
     .maximum = 10,
     .above_minimum = true,
     .help = "standard deviation of the logarithm of seconds"},
};
static const struct param_table table = {PARAM_TABLE(struct lognormal, list)};

const struct law law_lognormal = {
    .head = {.name = "lognormal",
             .summary = "the logarithm of the time in seconds is normal (mu, sigma)",
             .source = "Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 1, chapter 14; "
                       "normal quantile: Wichura 1988, algorithm AS 241",
             .params = &table},
    .moments = moments,
    .quantile = quantile,
    .fill = fill,
    .cdf = cdf,
    .survival = survival,
};
