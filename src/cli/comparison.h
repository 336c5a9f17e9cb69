/* comparison.h: by what the schemes of a point are compared. */
#ifndef LAGGARD_COMPARISON_H
#define LAGGARD_COMPARISON_H
#include "study.h"

/* What measure_compared is called in a table. */
const char *measure_compared_name(const struct summary *summary);

/* The mean against the first scheme's; NAN where there is none, or where either is one of some of the runs, which
 * compares with nothing. */
double ratio_to_first(const struct summary *summary, const struct summary *first);
#endif
