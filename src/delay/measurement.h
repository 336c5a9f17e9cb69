/* measurement.h: columns of measured times in CSV files, each mistake at its place.
 * Knows no law. */
#ifndef LAGGARD_MEASUREMENT_H
#define LAGGARD_MEASUREMENT_H
#include "csv_file.h"
#include "tree.h"

/* False after telling, at its cell, that a value is negative. An empty field (NAN) is none. */
bool measurement_valid(struct diag *diag, const struct csv *csv, size_t row, size_t column);

/* False after telling at `node` that the largest value times `scale_s` is no finite number of seconds. */
bool measurement_finite(struct diag *diag, const struct node *node, double largest, double scale_s);
#endif
