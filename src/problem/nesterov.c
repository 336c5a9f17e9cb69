#include "momentum.h"
#include "objective.h"

static void step(const void *params, double learning_rate, uint32_t update, const double *gradient,
                 double *memory, double *w, size_t length) {
    (void)update;
    const double momentum = ((const struct momentum *)params)->momentum;
    velocity_update(memory, momentum, gradient, length);
    vector_add_scaled(w, -learning_rate, gradient, length);
    vector_add_scaled(w, -learning_rate * momentum, memory, length);
}

const struct optimizer optimizer_nesterov = {
    .head = {.name = "nesterov",
             .summary = "v = momentum v + g, w -= learning_rate (g + momentum v); v = 0 at the start",
             .source = "Nesterov 1983; Sutskever et al., ICML 2013, as torch.optim.SGD",
             .params = &momentum_table},
    .memories = 1,
    .step = step,
};
