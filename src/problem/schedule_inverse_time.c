#include "optimizer.h"

struct inverse_time {
    double decay;
};

static const struct param inverse_time_params[] = {
    {.name = "decay",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct inverse_time, decay),
     .above_minimum = true,
     .unit = "per update",
     .help = "the factor is 1/2 after 1/decay updates"},
};
static const struct param_table inverse_time_table = {PARAM_TABLE(struct inverse_time, inverse_time_params)};

static double factor(const void *params, uint32_t update) {
    return 1 / (1 + ((const struct inverse_time *)params)->decay * update);
}

const struct schedule schedule_inverse_time = {
    .head = {.name = "inverse-time",
             .summary = "1 / (1 + decay update), update = 0, 1, ...",
             .source = "Robbins and Monro 1951",
             .params = &inverse_time_table},
    .factor = factor,
};
