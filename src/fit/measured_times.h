/* measured_times.h: the file that is fitted: times in seconds as a matrix of rounds and workers.
 * Knows the columns of a trace, no law. */
#ifndef LAGGARD_MEASURED_TIMES_H
#define LAGGARD_MEASURED_TIMES_H
#include "dependence.h"
#include "sample.h"
#include "trace_table.h"

struct measured_times {
    size_t workers, rounds, count; /* count: times that are there */
    size_t zeros;                  /* of them, times of 0 */
    double *value_s;               /* [rounds * workers], a row per round; NAN: none */
    bool labelled;                 /* false: a column of times alone, a round each of one worker */
};

struct measured_request {
    const char *file; /* must outlive the diag */
    enum trace_layout layout;
    struct trace_columns columns; /* round and worker NULL: times alone; of a wide file only round counts */
    const char *named_in;         /* where the columns are named, such as --columns; NULL: the usual names */
    double scale_s;
};

/* Workers without a single time are left out, with a warning that names them; another says how many cells are missing
 * among the others'.
 * NULL after telling why not: trace_table_read's mistakes, fewer than MEASURED_LEAST times above 0, times too large. */
struct measured_times *measured_times_read(struct diag *diag, const struct measured_request *request);
void measured_times_free(struct measured_times *times);
struct measured_times *measured_times_copy(const struct measured_times *times);
enum { MEASURED_LEAST = 10 };

/* The times that are there, in order of rounds and workers; heap. */
double *measured_times_all(const struct measured_times *times);
/* Logarithms, a row per worker; NAN for times of 0 too. `matrix->value` is the caller's to free. */
void measured_times_logarithms(const struct measured_times *times, struct log_matrix *matrix);
#endif
