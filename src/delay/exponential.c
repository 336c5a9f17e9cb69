#include "cloned.h"
#include "elementary.h"
#include "law.h"
#include <math.h>

struct exponential {
    double mean_s;
};

static double quantile(const void *params, double p) {
    const struct exponential *exponential = params;
    return exponential->mean_s * -elementary_log(1 - p);
}

/* The parameters stand in registers, or every value written might change them. */
CLONED static void exponential_quantiles(const struct exponential *exponential, double *value, size_t count) {
    const double mean_s = exponential->mean_s;
    for (size_t q = 0; q < count; q++)
        value[q] = mean_s * -elementary_log(1 - value[q]);
}

CLONED static void exponential_quantiles_of_logs(const struct exponential *exponential, double *value,
                                                 size_t count) {
    const double mean_s = exponential->mean_s;
    for (size_t q = 0; q < count; q++)
        value[q] = mean_s * -value[q];
}

static void fill(const void *params, double *value, size_t count) {
    exponential_quantiles(params, value, count);
}

static void fill_logs(const void *params, double *value, size_t count) {
    exponential_quantiles_of_logs(params, value, count);
}

static struct moments moments(const void *params) {
    const struct exponential *exponential = params;
    return (struct moments){.mean_s = exponential->mean_s, .deviation_s = exponential->mean_s};
}

static double cdf(const void *params, double seconds) {
    const struct exponential *exponential = params;
    if (seconds < 0)
        return 0;
    /* A mean of 0, the end of a sweep, is no time at all. */
    return exponential->mean_s > 0 ? -expm1(-seconds / exponential->mean_s) : 1;
}

static double survival(const void *params, double seconds) {
    const struct exponential *exponential = params;
    if (seconds < 0)
        return 1;
    return exponential->mean_s > 0 ? exp(-seconds / exponential->mean_s) : 0;
}

static const struct param list[] = {
    {.name = "mean",
     .kind = PARAM_SECONDS,
     .offset = offsetof(struct exponential, mean_s),
     .unit = "s",
     .help = "mean time, also its standard deviation"},
};
static const struct param_table table = {PARAM_TABLE(struct exponential, list)};

const struct law law_exponential = {
    .head = {.name = "exponential",
             .summary = "without memory: P(T > t) = exp(-t / mean)",
             .source = "Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 1, chapter 19",
             .params = &table},
    .moments = moments,
    .quantile = quantile,
    .fill = fill,
    .fill_logs = fill_logs,
    .cdf = cdf,
    .survival = survival,
};
