/* kernel.h: the two halves of a gradient over a block of rows: scores, then the sum of rows times slopes.
 * One file per layout of the data set (dense, sparse). Knows no loss and no partition. */
#ifndef LAGGARD_KERNEL_H
#define LAGGARD_KERNEL_H
#include "dataset.h"

/* Rows of a data set by number, in the order in which they are added. */
struct row_list {
    const uint32_t *row;
    size_t rows;
    size_t ahead; /* what comes next lies as many rows further on, and is fetched meanwhile; 0: it does not */
};

struct kernel {
    /* score[r] = x_r . w for the rows of the list, added as objective.h says. `w` has data->stride doubles. */
    void (*scores)(const struct dataset *data, struct row_list list, const double *w, double *score);
    /* gradient += sum_r slope[r] x_r, row after row, by fma. `gradient` has data->stride doubles. */
    void (*add_rows)(const struct dataset *data, struct row_list list, const double *slope, double *gradient);
};
extern const struct kernel kernel_dense, kernel_sparse;
#endif
