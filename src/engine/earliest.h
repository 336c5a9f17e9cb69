/* earliest.h: order statistics of many rows: when the k-th of n results comes, and the one after it.
 * Knows only numbers: not below 0, not NAN. */
#ifndef LAGGARD_EARLIEST_H
#define LAGGARD_EARLIEST_H
#include <stddef.h>
#include <stdint.h>

/* The rank-th smallest of `count` values, rank from 0, and the next one in their order; INFINITY after the last. O(count). */
double earliest_of(const double *value, size_t count, size_t rank, double *next);

struct earliest;
/* For rows of `values` numbers, and the k-th smallest of each, 1 <= k <= values. */
struct earliest *earliest_new(uint32_t values, uint32_t k);
void earliest_free(struct earliest *earliest);

/* Rows as a caller has them: value[rows][stride]. */
struct value_rows {
    const double *value;
    size_t rows, stride;
    double
        since; /* from which the numbers of the rows are much the same: what they were like is kept as of then */
};
/* Writes the k-th smallest of each row, and the next one in their order: equal to it where there are several; INFINITY
 * where k is all. Rows come in the order of time: what they were like tells where to look in those that follow; the
 * numbers are the same wherever it looks. */
void earliest_find(struct earliest *earliest, const struct value_rows *rows, double *kth, double *next);
#endif
