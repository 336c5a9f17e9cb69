#include "staleness.h"

struct compensated_params {
    double lambda;
};

static const struct param list[] = {
    {.name = "lambda",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct compensated_params, lambda),
     .minimum = 0,
     .maximum = 1e6,
     .help = "weight of the correction by g*g, which stands for the second derivatives"},
};
static const struct param_table table = {PARAM_TABLE(struct compensated_params, list)};

static double compensation(const void *params) {
    return ((const struct compensated_params *)params)->lambda;
}

const struct staleness staleness_delay_compensated = {
    .head = {.name = "delay-compensated",
             .summary = "a stale gradient g is moved to g + lambda g*g*(w_now - w_used), feature by feature",
             .source = "Zheng et al., arXiv 1609.08326 (DC-ASGD)",
             .params = &table},
    .compensation = compensation,
};
