/* cr_measure.h: how well weights undo a code on CR windows.
 * Knows no way to find them. */
#ifndef LAGGARD_CR_MEASURE_H
#define LAGGARD_CR_MEASURE_H
#include "scheme.h"

/* B by window: part q of worker i's message holds entry[i * per_worker + q * per_part + l] of the partition at position
 * l of its CR window, l = 0 … copies - 1. */
struct cr_rows {
    uint32_t workers, copies;
    const double *entry;
    size_t per_worker, per_part; /* 0: the same for all */
    double *sum;                 /* [workers]: room for a B */
};

/* Sets the residual max_p |(a B_R)_p - 1| of the weights in `out` and the largest |a_i|, which for a worker of several
 * parts is the length of its weights: the modulus of a complex one. Messages come by worker. INFINITY where a number
 * overflowed. */
void cr_measure(const struct cr_rows *rows, const struct message *message, uint32_t messages,
                struct decoding *out);
#endif
