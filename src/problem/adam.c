#include "cloned.h"
#include "optimizer.h"
#include "power.h"
#include <math.h>

struct adam {
    double beta1, beta2, epsilon;
};

static const struct param adam_params[] = {
    {.name = "beta1",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct adam, beta1),
     .fallback = "0.9",
     .maximum = 0.9999999,
     .help = "decay of the mean of gradients"},
    {.name = "beta2",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct adam, beta2),
     .fallback = "0.999",
     .maximum = 0.9999999,
     .help = "decay of the mean of their squares"},
    {.name = "epsilon",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct adam, epsilon),
     .fallback = "1e-8",
     .above_minimum = true,
     .help = "added to the root, so that a zero gradient moves nothing"},
};
static const struct param_table adam_table = {PARAM_TABLE(struct adam, adam_params)};

/* One update in numbers: the rates after the correction of their start at 0. */
struct rates {
    double beta1, beta2, epsilon, step, root;
};

CLONED static void adam_step(struct rates rates, const double *restrict gradient, double *restrict memory,
                             double *restrict w, size_t length) {
    double *restrict mean = memory, *restrict square = memory + length;
    for (size_t j = 0; j < length; j++) {
        const double g = gradient[j];
        mean[j] = __builtin_fma(rates.beta1, mean[j], (1 - rates.beta1) * g);
        square[j] = __builtin_fma(rates.beta2, square[j], (1 - rates.beta2) * g * g);
        w[j] -= rates.step * mean[j] / (sqrt(square[j]) / rates.root + rates.epsilon);
    }
}

static void step(const void *params, double learning_rate, uint32_t update, const double *gradient,
                 double *memory, double *w, size_t length) {
    const struct adam *adam = params;
    const struct rates rates = {
        .beta1 = adam->beta1,
        .beta2 = adam->beta2,
        .epsilon = adam->epsilon,
        .step = learning_rate / (1 - whole_power(adam->beta1, update + 1)),
        .root = sqrt(1 - whole_power(adam->beta2, update + 1)),
    };
    adam_step(rates, gradient, memory, w, length);
}

const struct optimizer optimizer_adam = {
    .head = {.name = "adam",
             .summary = "m = beta1 m + (1 - beta1) g, v = beta2 v + (1 - beta2) g^2, "
                        "w -= learning_rate m' / (sqrt(v') + epsilon); m' = m / (1 - beta1^t), v' alike",
             .source = "Kingma and Ba, arXiv 1412.6980, as torch.optim.Adam",
             .params = &adam_table},
    .memories = 2,
    .step = step,
};
