/* momentum.h: what momentum and its nesterov form share. */
#ifndef LAGGARD_MOMENTUM_H
#define LAGGARD_MOMENTUM_H
#include "optimizer.h"

struct momentum {
    double momentum;
};
extern const struct param_table momentum_table;

/* velocity = momentum * velocity + gradient, by fma. */
void velocity_update(double *velocity, double momentum, const double *gradient, size_t length);
#endif
