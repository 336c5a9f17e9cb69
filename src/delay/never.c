#include "law.h"
#include <math.h>

static double sample(const void *params, struct occasion occasion) {
    (void)params;
    (void)occasion;
    return HUGE_VAL;
}

static struct moments moments(const void *params) {
    (void)params;
    return (struct moments){.mean_s = HUGE_VAL, .deviation_s = HUGE_VAL};
}

static double quantile(const void *params, double p) {
    (void)params;
    (void)p;
    return HUGE_VAL;
}

static double cdf(const void *params, double seconds) {
    (void)params;
    return seconds == HUGE_VAL;
}

const struct law law_never = {
    .head = {.name = "never",
             .summary = "no answer, ever: a worker that hangs",
             .source = "a crash without recovery: Cristian, Communications of the ACM 34(2), 1991"},
    .sample = sample,
    .moments = moments,
    .quantile = quantile,
    .cdf = cdf,
};
