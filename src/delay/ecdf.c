#include "ecdf.h"
#include "memory.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

struct ecdf *ecdf_new(const double *value, size_t count) {
    assert(count >= 1);
    struct ecdf *ecdf = memory_zeroed(1, sizeof *ecdf);
    ecdf->count = count;
    ecdf->value = memory_zeroed(count, sizeof *value);
    memcpy(ecdf->value, value, count * sizeof *value);
    qsort(ecdf->value, count, sizeof *value, ascending);
    double variance = 0;
    ecdf->mean = ecdf->value[0]; /* exactly, where all are equal */
    for (size_t v = 0; v < count; v++)
        ecdf->mean += (ecdf->value[v] - ecdf->value[0]) / (double)count;
    for (size_t v = 0; v < count; v++)
        variance += (ecdf->value[v] - ecdf->mean) * (ecdf->value[v] - ecdf->mean) / (double)count;
    ecdf->deviation = sqrt(variance);
    return ecdf;
}

void ecdf_free(void *ecdf) {
    if (ecdf)
        free(((struct ecdf *)ecdf)->value);
    free(ecdf);
}

double ecdf_quantile(const struct ecdf *ecdf, double p) {
    size_t rank = (size_t)ceil(p * (double)ecdf->count);
    rank = rank < 1 ? 1 : rank;
    return ecdf->value[rank < ecdf->count ? rank - 1 : ecdf->count - 1];
}

/* How many values, times `scale`, are at most `bound`. */
static size_t values_within(const struct ecdf *ecdf, double scale, double bound) {
    size_t low = 0, high = ecdf->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ecdf->value[middle] * scale <= bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double ecdf_share(const struct ecdf *ecdf, double scale, double bound) {
    return (double)values_within(ecdf, scale, bound) / (double)ecdf->count;
}

double ecdf_next(const struct ecdf *ecdf, double scale, double bound) {
    size_t within = values_within(ecdf, scale, bound);
    return within < ecdf->count ? ecdf->value[within] * scale : HUGE_VAL;
}
