#include "measurement.h"
#include "param.h"
#include <math.h>
#include <stdlib.h>

/* Names of columns that a message lists. */
#define LISTED 12

static void tell_absent(struct diag *diag, const struct csv *csv, const struct node *node) {
    const char **names = memory_zeroed(csv->columns + 1, sizeof *names);
    for (size_t c = 0; c < csv->columns; c++)
        names[c] = csv->name[c];
    const char *near = nearest_name(node->text, names);
    struct sentence listed = {""};
    for (size_t c = 0; c < csv->columns && c < LISTED; c++) {
        struct sentence before = listed;
        sentence_set(&listed, "%s%s'%s'", before.text, c > 0 ? ", " : "", names[c]);
    }
    if (near)
        node_error(diag, node, "%s has no column '%s' (did you mean '%s'?)", csv->file, node->text, near);
    else
        node_error(diag, node, "%s has no column '%s': its columns are %s%s", csv->file, node->text,
                   listed.text, csv->columns > LISTED ? ", …" : "");
    free(names);
}

size_t measurement_column(struct diag *diag, const struct csv *csv, const struct node *node) {
    size_t column = csv_column(csv, node->text);
    if (column == csv->columns)
        tell_absent(diag, csv, node);
    return column;
}

bool measurement_valid(struct diag *diag, const struct csv *csv, size_t row, double value) {
    if (!(value < 0))
        return true;
    diag_error(diag, (struct place){.file = csv->file, .line = csv->line[row]}, NULL,
               "a measured time must be at least 0, found %.15g", value);
    return false;
}

bool measurement_finite(struct diag *diag, const struct node *node, double largest, double scale_s) {
    if (largest * scale_s <= PARAM_SECONDS_MAX)
        return true;
    node_error(diag, node, "%.15g times %.15g s is too large for a time", largest, scale_s);
    return false;
}
