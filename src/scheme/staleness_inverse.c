#include "staleness.h"

static double factor(const void *params, uint32_t age) {
    (void)params;
    return age > 1 ? 1.0 / age : 1;
}

const struct staleness staleness_inverse = {
    .head = {.name = "inverse",
             .summary = "a gradient of age tau is multiplied by 1/max(1, tau)",
             .source = "Zhang, Gupta, Lian and Liu, arXiv 1511.05950 (staleness-aware async-SGD)"},
    .factor = factor,
};
