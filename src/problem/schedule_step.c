#include "optimizer.h"
#include "power.h"

struct stairs {
    uint32_t every;
    double factor;
};

static const struct param stairs_params[] = {
    {.name = "every",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct stairs, every),
     .minimum = 1,
     .unit = "updates",
     .help = "updates from one stair to the next"},
    {.name = "factor",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct stairs, factor),
     .maximum = 1,
     .above_minimum = true,
     .help = "what a stair multiplies by"},
};
static const struct param_table stairs_table = {PARAM_TABLE(struct stairs, stairs_params)};

static double factor(const void *params, uint32_t update) {
    const struct stairs *stairs = params;
    return whole_power(stairs->factor, update / stairs->every);
}

const struct schedule schedule_step = {
    .head = {.name = "step",
             .summary = "factor^floor(update / every), update = 0, 1, ...",
             .source = "torch.optim.lr_scheduler.StepLR",
             .params = &stairs_table},
    .factor = factor,
};
