/* trace_table.h: a measured trace as a matrix of rounds and workers, out of a long or a wide CSV file.
 * Knows no group, scale or rule for what is missing. */
#ifndef LAGGARD_TRACE_TABLE_H
#define LAGGARD_TRACE_TABLE_H
#include "law.h"
#include "row_labels.h"

enum trace_layout {
    TRACE_LONG, /* a row per round and worker */
    TRACE_WIDE, /* a row per round, a column per worker */
};

/* Names of columns. A wide trace has a column per worker, in order; a column named `round`, if there is one, is
 * not a worker's and ranks the rows, which else are rounds in order. */
struct trace_columns {
    const char *round, *worker, *value;
};

struct trace_source {
    const char *path; /* must outlive the diag */
    enum trace_layout layout;
    const struct trace_columns *columns;
};

/* Rounds and workers are ranks of their labels among the distinct ones. */
struct trace_table {
    size_t rounds, workers;
    double *round_label, *worker_label; /* [rounds], [workers], ascending */
    struct rank_names round_names, worker_names;
    double *value;  /* [rounds * workers], a row per round; NAN: no value */
    uint32_t *line; /* the same shape: the line of the file; 0: none */
};

/* "round 5 of worker 'node-b'", as the file calls them. */
void cell_describe(const struct trace_table *table, size_t round, size_t worker, struct sentence *out);

/* A text that says all a table depends on. The caller frees it. */
char *trace_source_key(const struct trace_source *source);

/* The trace, from the shelf or read and put on it; NULL after telling why not: csv_read's mistakes, absent columns,
 * rows without round or worker, negative values, a cell given twice, a file that is mostly holes. */
const struct trace_table *trace_table_read(const struct trace_source *source, const struct law_files *files);
#endif
