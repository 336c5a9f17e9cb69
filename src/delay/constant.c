#include "law.h"
#include <math.h>

struct constant {
    double value_s;
};

static double sample(const void *params, struct occasion occasion) {
    (void)occasion;
    return ((const struct constant *)params)->value_s;
}

static struct moments moments(const void *params) {
    return (struct moments){.mean_s = ((const struct constant *)params)->value_s, .deviation_s = 0};
}

static double quantile(const void *params, double p) {
    (void)p;
    return ((const struct constant *)params)->value_s;
}

static double cdf(const void *params, double seconds) {
    return seconds >= ((const struct constant *)params)->value_s;
}

static double jump(const void *params, double after_s) {
    double value_s = ((const struct constant *)params)->value_s;
    return value_s > after_s ? value_s : HUGE_VAL;
}

static const struct param list[] = {
    {.name = "value",
     .kind = PARAM_SECONDS,
     .offset = offsetof(struct constant, value_s),
     .unit = "s",
     .help = "the time, every time"},
};
static const struct param_table table = {PARAM_TABLE(struct constant, list)};

const struct law law_constant = {
    .head = {.name = "constant",
             .summary = "the same time on every occasion",
             .source = "Feller, An Introduction to Probability Theory and Its Applications II, chapter V: a "
                       "distribution concentrated at one point",
             .params = &table},
    .sample = sample,
    .fixed = true,
    .moments = moments,
    .quantile = quantile,
    .cdf = cdf,
    .jump = jump,
};
