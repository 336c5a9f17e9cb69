#include "elementary.h"
#include "staleness.h"

struct polynomial_params {
    double exponent; /* a */
};

static const struct param list[] = {
    {.name = "exponent",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct polynomial_params, exponent),
     .fallback = "0.5",
     .minimum = 0,
     .maximum = 100,
     .help = "a of (1 + tau)^-a"},
};
static const struct param_table table = {PARAM_TABLE(struct polynomial_params, list)};

static double factor(const void *params, uint32_t age) {
    const struct polynomial_params *polynomial = params;
    return elementary_pow(1.0 + age, -polynomial->exponent);
}

const struct staleness staleness_polynomial = {
    .head = {.name = "polynomial",
             .summary = "a gradient of age tau is multiplied by (1 + tau)^-exponent",
             .source = "Xie, Koyejo and Gupta, arXiv 1903.03934 (FedAsync)",
             .params = &table},
    .factor = factor,
};
