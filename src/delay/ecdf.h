/* ecdf.h: the step function of a sample of measured times. Knows no file. */
#ifndef LAGGARD_ECDF_H
#define LAGGARD_ECDF_H
#include <stddef.h>

struct ecdf {
    size_t count;           /* at least one */
    double *value;          /* [count], ascending */
    double mean, deviation; /* of the sample as a law: divided by count, not by count - 1 */
};

/* Of `count` >= 1 finite values >= 0; copies them. */
struct ecdf *ecdf_new(const double *value, size_t count);
void ecdf_free(void *ecdf);

/* The ceil(p count)-th smallest value, 0 < p < 1. */
double ecdf_quantile(const struct ecdf *ecdf, double p);
/* The share of values that, times `scale`, are at most `bound`. */
double ecdf_share(const struct ecdf *ecdf, double scale, double bound);
/* The smallest value that, times `scale`, is above `bound`, times `scale`; INFINITY when there is none. */
double ecdf_next(const struct ecdf *ecdf, double scale, double bound);
#endif
