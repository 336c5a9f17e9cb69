#include "objective.h"
#include "optimizer.h"

/* w -= learning_rate * gradient */
static void step(const void *params, double learning_rate, uint32_t update, const double *gradient,
                 double *memory, double *w, size_t length) {
    (void)params, (void)update, (void)memory;
    vector_add_scaled(w, -learning_rate, gradient, length);
}

const struct optimizer optimizer_sgd = {
    .head = {.name = "sgd",
             .summary = "w -= learning_rate g",
             .source = "Robbins and Monro 1951, as torch.optim.SGD"},
    .memories = 0,
    .step = step,
};
