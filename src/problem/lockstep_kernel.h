/* lockstep_kernel.h: the two halves of a gradient over a block of rows, at a group of weight vectors side by side. A
 * register holds one number for each of its columns, so every column gets exactly the additions that kernel.h gives it
 * alone. Knows no loss and no partition. */
#ifndef LAGGARD_LOCKSTEP_KERNEL_H
#define LAGGARD_LOCKSTEP_KERNEL_H
#include "dataset.h"

/* Neighbouring rows meet `columns` weight vectors: one or two registers of them. Arrays hold numbers of the data's
 * precision, 64-byte aligned. */
struct lockstep_block {
    const struct dataset *data;
    uint32_t first, rows;
    size_t columns;
    const void *w;  /* [features][columns] */
    void *score;    /* [rows][columns]; slopes when rows are added */
    void *gradient; /* [features][columns] */
};

struct lockstep_kernel {
    size_t register_columns;
    void (*scores)(const struct lockstep_block *block);
    /* gradient += sum_r slope[r] x_r, row after row, by fma. */
    void (*add_rows)(const struct lockstep_block *block);
};

/* For the layout of the data; NULL: this processor has no wide registers with fma. */
const struct lockstep_kernel *lockstep_kernel_of(const struct dataset *data);
#endif
