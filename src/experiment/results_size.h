/* results_size.h: how many bytes the results of a plan will be, before it is run. Knows no file. */
#ifndef LAGGARD_RESULTS_SIZE_H
#define LAGGARD_RESULTS_SIZE_H
#include "plan.h"

/* Bytes of the results of a plan that nobody is asked about. */
#define RESULTS_BYTES_MAX 10e9

/* About as many as all runs write if they go on to the last step that they may: from what a few steps of them are as text.
 * NAN: the steps have no limit, as they take no simulated time. Takes about a second at most. */
double results_bytes(const struct plan *plan);
/* Whether they stay below RESULTS_BYTES_MAX, which is soon seen where they do by far; false after writing why not. */
bool results_fit(const struct plan *plan, struct sentence *why);
#endif
