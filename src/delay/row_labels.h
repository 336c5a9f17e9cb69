/* row_labels.h: what names the rows of a trace: a column of numbers, or of words such as host names and times, which rank in
 * alphabetical order. */
#ifndef LAGGARD_ROW_LABELS_H
#define LAGGARD_ROW_LABELS_H
#include "csv_file.h"

/* One number per row, equal for equal labels and ascending with them; NAN where the field is empty. NULL after telling
 * that words and numbers are mixed. The caller frees it. */
double *row_labels(const struct csv *csv, size_t column, struct diag *diag);
#endif
