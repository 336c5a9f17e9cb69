#include "cloned.h"
#include "law.h"
#include <math.h>

struct uniform {
    double low_s, high_s;
};

static double quantile(const void *params, double p) {
    const struct uniform *uniform = params;
    return uniform->low_s + p * (uniform->high_s - uniform->low_s);
}

/* The parameters stand in registers, or every value written might change them. */
CLONED static void uniform_quantiles(const struct uniform *uniform, double *value, size_t count) {
    const double low_s = uniform->low_s, width_s = uniform->high_s - uniform->low_s;
    for (size_t q = 0; q < count; q++)
        value[q] = low_s + value[q] * width_s;
}

static void fill(const void *params, double *value, size_t count) {
    uniform_quantiles(params, value, count);
}

static struct moments moments(const void *params) {
    const struct uniform *uniform = params;
    return (struct moments){.mean_s = uniform->low_s + (uniform->high_s - uniform->low_s) / 2,
                            .deviation_s = (uniform->high_s - uniform->low_s) / sqrt(12)};
}

static double cdf(const void *params, double seconds) {
    const struct uniform *uniform = params;
    if (seconds < uniform->low_s)
        return 0;
    if (seconds >= uniform->high_s)
        return 1;
    return (seconds - uniform->low_s) / (uniform->high_s - uniform->low_s);
}

static const char *check(const void *values, struct sentence *why) {
    const struct uniform *uniform = values;
    if (uniform->low_s <= uniform->high_s)
        return NULL;
    sentence_set(why, "high = %.15g s must be at least low = %.15g s", uniform->high_s, uniform->low_s);
    return "high";
}

static const struct param list[] = {
    {.name = "low",
     .kind = PARAM_SECONDS,
     .offset = offsetof(struct uniform, low_s),
     .unit = "s",
     .help = "shortest time"},
    {.name = "high",
     .kind = PARAM_SECONDS,
     .offset = offsetof(struct uniform, high_s),
     .unit = "s",
     .help = "longest time, at least low"},
};
static const struct param_table table = {PARAM_TABLE(struct uniform, list), .check = check};

const struct law law_uniform = {
    .head = {.name = "uniform",
             .summary = "every time between two limits alike",
             .source = "Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 2, chapter 26",
             .params = &table},
    .moments = moments,
    .quantile = quantile,
    .fill = fill,
    .cdf = cdf,
};
