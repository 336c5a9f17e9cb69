#include "cloned.h"
#include "elementary.h"
#include "law.h"
#include <math.h>

struct shifted {
    double shift_s, mean_s;
};

static double quantile(const void *params, double p) {
    const struct shifted *shifted = params;
    return shifted->shift_s + shifted->mean_s * -elementary_log(1 - p);
}

/* The parameters stand in registers, or every value written might change them. */
CLONED static void shifted_exponential_quantiles(const struct shifted *shifted, double *value, size_t count) {
    const double shift_s = shifted->shift_s, mean_s = shifted->mean_s;
    for (size_t q = 0; q < count; q++)
        value[q] = shift_s + mean_s * -elementary_log(1 - value[q]);
}

CLONED static void shifted_exponential_quantiles_of_logs(const struct shifted *shifted, double *value,
                                                         size_t count) {
    const double shift_s = shifted->shift_s, mean_s = shifted->mean_s;
    for (size_t q = 0; q < count; q++)
        value[q] = shift_s + mean_s * -value[q];
}

static void fill(const void *params, double *value, size_t count) {
    shifted_exponential_quantiles(params, value, count);
}

static void fill_logs(const void *params, double *value, size_t count) {
    shifted_exponential_quantiles_of_logs(params, value, count);
}

static struct moments moments(const void *params) {
    const struct shifted *shifted = params;
    return (struct moments){.mean_s = shifted->shift_s + shifted->mean_s, .deviation_s = shifted->mean_s};
}

static double cdf(const void *params, double seconds) {
    const struct shifted *shifted = params;
    double beyond = seconds - shifted->shift_s;
    if (beyond < 0)
        return 0;
    return shifted->mean_s > 0 ? -expm1(-beyond / shifted->mean_s) : 1;
}

static double survival(const void *params, double seconds) {
    const struct shifted *shifted = params;
    double beyond = seconds - shifted->shift_s;
    if (beyond < 0)
        return 1;
    return shifted->mean_s > 0 ? exp(-beyond / shifted->mean_s) : 0;
}

static const struct param list[] = {
    {.name = "shift",
     .kind = PARAM_SECONDS,
     .offset = offsetof(struct shifted, shift_s),
     .unit = "s",
     .help = "shortest time"},
    {.name = "mean",
     .kind = PARAM_SECONDS,
     .offset = offsetof(struct shifted, mean_s),
     .unit = "s",
     .help = "mean of the exponential part that is added"},
};
static const struct param_table table = {PARAM_TABLE(struct shifted, list)};

const struct law law_shifted_exponential = {
    .head = {.name = "shifted-exponential",
             .summary = "a shortest time and an exponential part: P(T > shift + t) = exp(-t / mean)",
             .source = "Lee et al., IEEE Trans. Inf. Theory 64 (2018)",
             .params = &table},
    .moments = moments,
    .quantile = quantile,
    .fill = fill,
    .fill_logs = fill_logs,
    .cdf = cdf,
    .survival = survival,
};
