#include "cloned.h"
#include "objective.h"
#include <math.h>

CLONED static void add_scaled(double *restrict y, double a, const double *restrict x, size_t length) {
    for (size_t j = 0; j < length; j++)
        y[j] = __builtin_fma(a, x[j], y[j]);
}

void vector_add_scaled(double *y, double a, const double *x, size_t length) {
    add_scaled(y, a, x, length);
}

CLONED static double square_norm(const double *x, size_t length) {
    double lane[8] = {0};
    for (size_t j = 0; j < length; j++)
        lane[j % 8] = __builtin_fma(x[j], x[j], lane[j % 8]);
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

double vector_norm(const double *x, size_t length) {
    return sqrt(square_norm(x, length));
}
