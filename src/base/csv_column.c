#include "csv_column.h"
#include <stdlib.h>
#include <string.h>

/* Names of columns that a message lists. */
#define LISTED 12

static void tell_absent(struct diag *diag, const struct csv *csv, const struct node *node, const char *name) {
    const char **names = memory_zeroed(csv->columns + 1, sizeof *names);
    memcpy(names, csv->name, csv->columns * sizeof *names);
    const char *near = nearest_name(name, names);
    struct sentence listed = {""};
    for (size_t c = 0; c < csv->columns && c < LISTED; c++) {
        struct sentence before = listed;
        sentence_set(&listed, "%s%s'%s'", before.text, c > 0 ? ", " : "", names[c]);
    }
    if (near)
        node_error(diag, node, "%s has no column '%s' (did you mean '%s'?)", csv->file, name, near);
    else
        node_error(diag, node, "%s has no column '%s': its columns are %s%s", csv->file, name, listed.text,
                   csv->columns > LISTED ? ", …" : "");
    free(names);
}

size_t csv_column_asked(struct diag *diag, const struct csv *csv, const struct node *node, const char *name) {
    size_t column = csv_column(csv, name);
    if (column == csv->columns)
        tell_absent(diag, csv, node, name);
    return column;
}
