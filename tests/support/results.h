/* results.h: the CSV files of a results folder as a test reads them: cells by row and column name.
 * Reads plain commas only: the tests' own labels hold none. */
#ifndef LAGGARD_RESULTS_H
#define LAGGARD_RESULTS_H
#include "scratch.h"

struct results {
    char *text;
    size_t rows, columns;
    char **cell; /* (rows + 1) x columns; row 0 holds the names */
};
/* Reads a file of the scratch folder; a missing or ragged one ends the test. Freed with results_fini. */
void results_init(struct results *results, const struct scratch *scratch, const char *name);
void results_fini(struct results *results);
/* A cell of row 0 … rows - 1; a column that does not exist ends the test. */
const char *results_cell(const struct results *results, size_t row, const char *column);
/* The cell as a number; NAN when it is empty. */
double results_number(const struct results *results, size_t row, const char *column);
#endif
