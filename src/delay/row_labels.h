/* row_labels.h: what names the rows of a trace: a column of numbers, or of words such as host names and times, which
 * rank in alphabetical order. */
#ifndef LAGGARD_ROW_LABELS_H
#define LAGGARD_ROW_LABELS_H
#include "csv_file.h"

/* Names of ranks 0, 1, …; of numbers there are none. */
struct rank_names {
    char **name; /* [count]; NULL: labels are the numbers of the file */
    size_t count;
};

/* One number per row, equal for equal labels and ascending with them; NAN where the field is empty. */
struct row_labels {
    double *label; /* [rows] */
    struct rank_names names;
};

/* False after telling that words and numbers are mixed. Freed with row_labels_free in either case. */
bool row_labels_read(struct row_labels *labels, const struct csv *csv, size_t column, struct diag *diag);
void row_labels_free(struct row_labels *labels);

void rank_names_add(struct rank_names *names, const char *name);
void rank_names_free(struct rank_names *names);
/* A label as the file has it. */
void label_describe(const struct rank_names *names, double label, struct sentence *out);
#endif
