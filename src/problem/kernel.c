#include "kernel.h"

const struct kernel *kernel_of(const struct dataset *data) {
    return data->sparse ? &kernel_sparse : data->single ? &kernel_single : &kernel_dense;
}

const void *kernel_weights(const struct dataset *data, const double *w, float *narrow) {
    if (!data->single)
        return w;
    for (size_t j = 0; j < data->stride; j++)
        narrow[j] = (float)w[j];
    return narrow;
}
