#include "cloned.h"
#include "elementary.h"
#include "law.h"
#include <math.h>

struct pareto {
    double minimum_s, shape;
};

static double quantile(const void *params, double p) {
    const struct pareto *pareto = params;
    return pareto->minimum_s * elementary_pow(1 - p, -1 / pareto->shape);
}

/* The parameters stand in registers, or every value written might change them. */
CLONED static void pareto_quantiles(const struct pareto *pareto, double *value, size_t count) {
    const double minimum_s = pareto->minimum_s, power = -1 / pareto->shape;
    for (size_t q = 0; q < count; q++)
        value[q] = minimum_s * elementary_pow(1 - value[q], power);
}

CLONED static void pareto_quantiles_of_logs(const struct pareto *pareto, double *value, size_t count) {
    const double minimum_s = pareto->minimum_s, power = -1 / pareto->shape;
    for (size_t q = 0; q < count; q++)
        value[q] = minimum_s * elementary_exp(power * value[q]);
}

static void fill(const void *params, double *value, size_t count) {
    pareto_quantiles(params, value, count);
}

static void fill_logs(const void *params, double *value, size_t count) {
    pareto_quantiles_of_logs(params, value, count);
}

static struct moments moments(const void *params) {
    const struct pareto *pareto = params;
    double a = pareto->shape;
    double mean_s = a > 1 ? pareto->minimum_s * a / (a - 1) : HUGE_VAL;
    return (struct moments){.mean_s = mean_s, .deviation_s = a > 2 ? mean_s / sqrt(a * (a - 2)) : HUGE_VAL};
}

static double cdf(const void *params, double seconds) {
    const struct pareto *pareto = params;
    if (seconds < pareto->minimum_s)
        return 0;
    return -expm1(pareto->shape * log(pareto->minimum_s / seconds));
}

static double survival(const void *params, double seconds) {
    const struct pareto *pareto = params;
    return seconds < pareto->minimum_s ? 1 : pow(pareto->minimum_s / seconds, pareto->shape);
}

static const struct param list[] = {
    {.name = "minimum",
     .kind = PARAM_SECONDS,
     .offset = offsetof(struct pareto, minimum_s),
     .above_minimum = true,
     .unit = "s",
     .help = "shortest time"},
    {.name = "shape",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct pareto, shape),
     .minimum = 0.1,
     .maximum = 1000,
     .help = "tail index: at most 1, the mean is infinite; at most 2, the deviation"},
};
static const struct param_table table = {PARAM_TABLE(struct pareto, list)};

const struct law law_pareto = {
    .head = {.name = "pareto",
             .summary = "a power tail from a shortest time on: P(T > t) = (minimum / t)^shape",
             .source = "Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 1, chapter 20",
             .params = &table},
    .moments = moments,
    .quantile = quantile,
    .fill = fill,
    .fill_logs = fill_logs,
    .cdf = cdf,
    .survival = survival,
};
