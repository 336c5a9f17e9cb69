#include "optimizer.h"

struct warmup {
    uint32_t steps;
};

static const struct param warmup_params[] = {
    {.name = "steps",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct warmup, steps),
     .minimum = 1,
     .unit = "updates",
     .help = "updates until the full learning rate"},
};
static const struct param_table warmup_table = {PARAM_TABLE(struct warmup, warmup_params)};

static double factor(const void *params, uint32_t update) {
    const uint32_t steps = ((const struct warmup *)params)->steps;
    return update < steps ? (update + 1.0) / steps : 1;
}

const struct schedule schedule_warmup = {
    .head = {.name = "warmup",
             .summary = "(update + 1) / steps while update < steps, then 1; update = 0, 1, ...",
             .source = "Goyal et al., arXiv 1706.02677",
             .params = &warmup_table},
    .factor = factor,
};
