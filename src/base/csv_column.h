/* csv_column.h: a column of a CSV file that a scenario names. */
#ifndef LAGGARD_CSV_COLUMN_H
#define LAGGARD_CSV_COLUMN_H
#include "csv_file.h"
#include "tree.h"

/* Index of the column `name`; csv->columns after telling at the node that there is none, with the nearest name or all
 * names. */
size_t csv_column_asked(struct diag *diag, const struct csv *csv, const struct node *node, const char *name);
#endif
