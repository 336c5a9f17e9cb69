#include "optimizer.h"

static double factor(const void *params, uint32_t update) {
    (void)params, (void)update;
    return 1;
}

const struct schedule schedule_constant = {
    .head = {.name = "constant",
             .summary = "1 at every update",
             .source = "fixed step size: Bottou, Curtis and Nocedal, arXiv 1606.04838, section 4"},
    .factor = factor,
};
