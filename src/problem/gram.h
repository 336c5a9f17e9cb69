/* gram.h: least squares without the rows. With A = X'X over the rows of a partition, and g and c the gradient and the sum
 * of its losses (z - y)^2 / 2 at some centre w0, those at w = w0 + u are A u + g and u'Au/2 + g'u + c: d^2 numbers in place
 * of rows times d. The centre is the partition's own solution, as well as it can be had, so that nothing large cancels
 * where losses are small. Used for partitions of dense data with more than 2 d rows, whatever else runs; kept with the
 * data set, for all threads. */
#ifndef LAGGARD_GRAM_H
#define LAGGARD_GRAM_H
#include "objective.h"

/* Of one partition. A is held as a dense data set of d rows whose labels are -g, so that A u is added as all scores are. */
struct gram {
    struct dataset square; /* no rows: the partition has too few */
    double *centre;        /* w0, [stride], padding zero */
    double constant;       /* c */
};

/* What a data set keeps. */
struct gram_store;
struct gram_store *gram_store_new(void);
void gram_store_free(struct gram_store *store);

/* [partitions], valid as long as the data. NULL: nothing is to be had (another loss, sparse data, a data set that keeps
 * none). The first call for a way to cut the data takes the time of about d / 2 passes over it. */
const struct gram *gram_matrices(const struct objective *objective);
/* Bytes that they take. */
size_t gram_bytes(const struct objective *objective);

/* offset = w - w0. Both have data->stride doubles. */
void gram_offset(const struct gram *gram, const double *w, double *offset);
/* The gradient and loss of a partition at w0 + offset, without the factor 1/m. */
void gram_gradient(const struct gram *gram, const double *offset, double *gradient, double *loss);
/* That loss from the eight lanes of (A u + 2 g)'u, `apart` numbers apart. */
double gram_loss(const struct gram *gram, const double *lane, size_t apart);
#endif
