/* design.h: a block design out of a file: which partitions each worker holds, every partition on as many workers.
 * Knows no weights and no steps.
 *
 * The file is a CSV without a header, plain or .gz, a row for each worker: the partitions it holds, in any order, as many
 * in each row. They are counted from 0 or from 1: the smallest number in the file, which is on some worker as every
 * partition is, tells which. k is the number of partitions, rho the workers of each.
 * Source: Kadhe, Koyluoglu and Ramchandran, arXiv 1904.13373. */
#ifndef LAGGARD_DESIGN_H
#define LAGGARD_DESIGN_H
#include "listed.h"

struct design {
    struct listing listing; /* coefficients are 1 */
    uint32_t copies;        /* rho */
    uint32_t base;          /* the file's number of the first partition: 0 or 1 */
    struct arena *arena;
};

/* Most workers, and most partitions, of a design: its pairs are counted. */
#define DESIGN_SIDE 20000

/* The design, from the shelf or read and put on it; NULL after telling why not: csv_read's mistakes, numbers that are no
 * partitions, a partition twice in a row, partitions on more workers than others, or a design in which neither every two
 * workers share equally many partitions nor every two partitions equally many workers. O(n^2 + k^2 + n L rho). */
const struct design *design_read(const char *path, const struct scheme_files *files);
#endif
