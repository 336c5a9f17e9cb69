/* sample.h: measured times as one sample, sorted, with the sums that estimates start from.
 * Knows no law, round or worker. */
#ifndef LAGGARD_SAMPLE_H
#define LAGGARD_SAMPLE_H
#include "diag.h"

/* What differs by less, relative to its size, is equal. 4096 roundings: more than the logarithms, means and differences
 * that a time passes through leave in it, less than any clock resolves (a nanosecond in a quarter of an hour). */
#define ROUNDING 0x1p-40

struct sample {
    size_t count;      /* at least one */
    double *value_s;   /* [count], ascending, >= 0 */
    double *logarithm; /* [count], of value_s; NULL when there are zeros */
    double mean_s, deviation_s;
    double log_mean, log_deviation; /* NAN when there are zeros */
};

/* Of `count` >= 1 finite values >= 0, in any order; copies them. Values that are equal but for ROUNDING become the least
 * of them; where all are, the shortest decimal. */
struct sample *sample_new(const double *value_s, size_t count);
void sample_free(struct sample *sample);

double sample_least(const struct sample *sample);
double sample_largest(const struct sample *sample);

/* Whether a law with a density can be fitted: false after writing that all times are equal. */
bool sample_varies(const struct sample *sample, struct sentence *why);
/* The same for laws of positive times: false also after writing that there are zeros. */
bool sample_positive(const struct sample *sample, struct sentence *why);

/* The sample itself when it has at most `most` values, else NULL: `most` of its values, drawn without replacement with
 * the seed. The caller frees what is not NULL. */
struct sample *sample_drawn(const struct sample *sample, size_t most, uint64_t seed);
#endif
