#include "momentum.h"
#include "cloned.h"
#include "objective.h"

static const struct param params[] = {
    {.name = "momentum",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct momentum, momentum),
     .fallback = "0.9",
     .maximum = 0.9999999,
     .help = "share of the last step that is taken again"},
};
const struct param_table momentum_table = {PARAM_TABLE(struct momentum, params)};

CLONED static void update_velocity(double *restrict velocity, double momentum,
                                   const double *restrict gradient, size_t length) {
    for (size_t j = 0; j < length; j++)
        velocity[j] = __builtin_fma(momentum, velocity[j], gradient[j]);
}

void velocity_update(double *velocity, double momentum, const double *gradient, size_t length) {
    update_velocity(velocity, momentum, gradient, length);
}

static void step(const void *values, double learning_rate, uint32_t update, const double *gradient,
                 double *memory, double *w, size_t length) {
    (void)update;
    velocity_update(memory, ((const struct momentum *)values)->momentum, gradient, length);
    vector_add_scaled(w, -learning_rate, memory, length);
}

const struct optimizer optimizer_momentum = {
    .head = {.name = "momentum",
             .summary = "v = momentum v + g, w -= learning_rate v; v = 0 at the start, no dampening",
             .source = "Polyak 1964, as torch.optim.SGD",
             .params = &momentum_table},
    .memories = 1,
    .step = step,
};
