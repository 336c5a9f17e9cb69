/* sample.h: small made-up data sets, and the slow twin that the kernels are held against. */
#ifndef LAGGARD_TEST_SAMPLE_H
#define LAGGARD_TEST_SAMPLE_H
#include "objective.h"

enum layout { DENSE, SPARSE, SINGLE };

struct shape {
    const char *name;
    uint32_t samples, features, partitions;
    enum layout layout;
};

/* Values in (-2, 2), a third of them 0; labels of `kind`. No intercept. */
struct dataset *sample_data(struct shape shape, enum label_kind kind);
void sample_free(struct dataset *data);
/* `columns` weight vectors in (-1, 1), padding zero; freed with free(). */
double *sample_weights(const struct dataset *data, size_t columns);
/* The loss called `name`. */
const struct loss *loss_named(const char *name);
/* x_rj, whatever the layout. */
double sample_value(const struct dataset *data, size_t r, size_t j);

/* A number known to within `error`. */
struct known {
    long double value, error;
};

/* Feature j of g_p(w) and the loss of partition p, by textbook sums in long double; `error` bounds what
 * arithmetic in the precision of the data may differ by: the roundings of the dot product, of the slope, and of the sum over rows. */
struct known twin_gradient(const struct objective *objective, uint32_t p, const double *w, size_t j);
struct known twin_loss(const struct objective *objective, uint32_t p, const double *w);

/* FNV-1a of the bytes of doubles. */
uint64_t hash_of(const double *value, size_t length);
#endif
