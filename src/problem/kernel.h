/* kernel.h: the two halves of a gradient over a block of rows: scores, then the sum of rows times slopes.
 * One file per layout of the data set (dense, in double or single precision, sparse). Knows no loss and no partition. */
#ifndef LAGGARD_KERNEL_H
#define LAGGARD_KERNEL_H
#include "dataset.h"

/* Rows that are added in single precision before they are added to sums in double. */
enum { SINGLE_BLOCK_ROWS = 32 };

/* Rows of a data set by number, in the order in which they are added. Sixteen bytes, which travel in registers: gcc 12 with
 * address checks misplaces arguments on the stack of functions that realign it for wide vectors. */
struct row_list {
    const uint32_t *row;
    uint32_t rows;
    uint32_t
        ahead; /* what comes next lies as many rows further on, and is fetched meanwhile; 0: it does not */
};

struct kernel {
    /* score[r] = x_r . w for the rows of the list, added as objective.h says. `w` has data->stride numbers of the
     * data's precision. */
    void (*scores)(const struct dataset *data, struct row_list list, const void *w, double *score);
    /* gradient += sum_r slope[r] x_r, row after row, by fma. `gradient` has data->stride doubles. */
    void (*add_rows)(const struct dataset *data, struct row_list list, const double *slope, double *gradient);
};
extern const struct kernel kernel_dense, kernel_single, kernel_sparse;
const struct kernel *kernel_of(const struct dataset *data);
/* `w` in the data's precision, in `narrow` [stride] where that is single. */
const void *kernel_weights(const struct dataset *data, const double *w, float *narrow);
#endif
