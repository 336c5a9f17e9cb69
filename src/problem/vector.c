#include "cloned.h"
#include "objective.h"

CLONED static void add_scaled(double *restrict y, double a, const double *restrict x, size_t length) {
    for (size_t j = 0; j < length; j++)
        y[j] = __builtin_fma(a, x[j], y[j]);
}

void vector_add_scaled(double *y, double a, const double *x, size_t length) {
    add_scaled(y, a, x, length);
}
