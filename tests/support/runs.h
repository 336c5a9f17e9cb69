/* runs.h: a scenario run by the real program in a scratch folder, and its results files. */
#ifndef LAGGARD_TESTS_RUNS_H
#define LAGGARD_TESTS_RUNS_H
#include "results.h"

/* Writes the text (printf) as scenario.yaml and runs it into the folder `out` with the given number of threads. Ends the
 * test unless the program exits with 0. */
void run_scenario(const struct scratch *scratch, const char *out, const char *threads, const char *format,
                  ...) __attribute__((format(printf, 4, 5)));
/* The column of the rows of one scheme and replication, in order; returns how many, at most `room`. */
size_t run_series(const struct results *steps, const char *scheme, const char *replication,
                  const char *column, double *value, size_t room);
/* The first row of a file with this scheme and replication; ends the test when there is none. */
size_t run_row(const struct results *results, const char *scheme, const char *replication);
#endif
