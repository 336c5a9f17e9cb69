#include "optimizer.h"

struct cosine {
    uint32_t steps;
};

static const struct param cosine_params[] = {
    {.name = "steps",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct cosine, steps),
     .minimum = 1,
     .unit = "updates",
     .help = "updates until the learning rate is 0, where it stays"},
};
static const struct param_table cosine_table = {PARAM_TABLE(struct cosine, cosine_params)};

/* sin(x)^2 for 0 <= x <= pi/4 by Taylor to x^17 (next term below 1e-19): libm's bits differ between processors. */
static double sine_square(double x) {
    const double z = x * x;
    double series = 1.0 / 355687428096000;
    series = __builtin_fma(series, z, -1.0 / 1307674368000);
    series = __builtin_fma(series, z, 1.0 / 6227020800);
    series = __builtin_fma(series, z, -1.0 / 39916800);
    series = __builtin_fma(series, z, 1.0 / 362880);
    series = __builtin_fma(series, z, -1.0 / 5040);
    series = __builtin_fma(series, z, 1.0 / 120);
    series = __builtin_fma(series, z, -1.0 / 6);
    const double sine = __builtin_fma(series * z, x, x);
    return sine * sine;
}

/* (1 + cos(pi f)) / 2 = cos(pi f / 2)^2, f = update / steps. */
static double factor(const void *params, uint32_t update) {
    const double half_pi = 0x1.921fb54442d18p0;
    const uint32_t steps = ((const struct cosine *)params)->steps;
    if (update >= steps)
        return 0;
    if (update <= steps / 2)
        return 1 - sine_square(half_pi * update / steps);
    return sine_square(half_pi * (steps - update) / steps);
}

const struct schedule schedule_cosine = {
    .head = {.name = "cosine",
             .summary = "(1 + cos(pi update / steps)) / 2 while update < steps, then 0; update = 0, 1, ...",
             .source = "Loshchilov and Hutter, arXiv 1608.03983, without restarts",
             .params = &cosine_table},
    .factor = factor,
};
