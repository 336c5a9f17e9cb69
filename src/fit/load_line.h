/* load_line.h: how times grow with the partitions a task has: T(load) = a + b load, from a file per load.
 * Knows no law. */
#ifndef LAGGARD_LOAD_LINE_H
#define LAGGARD_LOAD_LINE_H
#include "measured_times.h"

struct load_line {
    double base_s, base_error_s;         /* a and its standard error */
    double per_load_s, per_load_error_s; /* b */
    double misfit; /* chi-squared of the means about the line, over its degrees; NAN with two
                                            loads */
};

/* Files, each of one load. */
struct loaded_times {
    const struct measured_times *const *times; /* [files] */
    const double *load;
    size_t files;
};

/* Weighted least squares of the mean times on the loads, of which two at least differ. Errors take the times as
 * independent. */
struct load_line load_line_of(const struct loaded_times *loaded);

/* What is left beside the load: the times of all files less b times their load, the workers of each file beside those of
 * the others. Times that the load alone would exceed become 0; `clipped` counts them. */
struct measured_times *load_line_rest(const struct load_line *line, const struct loaded_times *loaded,
                                      size_t *clipped);
#endif
