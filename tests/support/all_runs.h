/* all_runs.h: every run of a plan through the runner, as a study without a folder does it. */
#ifndef LAGGARD_TESTS_ALL_RUNS_H
#define LAGGARD_TESTS_ALL_RUNS_H
#include "runner.h"

/* False when the receiver stopped it. */
bool all_runs(const struct plan *plan, unsigned threads, struct receiver receiver);
#endif
