/* code_matrix.h: a code matrix B out of a file: a CSV without a header, plain or .gz, a row for each worker and a column
 * for each partition, 0 where the worker does not hold it.
 * Knows no weights and no steps. */
#ifndef LAGGARD_CODE_MATRIX_H
#define LAGGARD_CODE_MATRIX_H
#include "listed.h"

struct code_matrix {
    struct listing listing;
    double copies;  /* the sum of a column, in the mean over columns */
    double largest; /* |entry| */
    struct arena *arena;
};

/* The matrix, from the shelf or read and put on it; NULL after telling why not: csv_read's mistakes, or zeros alone. Columns
 * of zeros are warned about. */
const struct code_matrix *code_matrix_read(const char *path, const struct scheme_files *files);
#endif
