/* comparison.h: by what the schemes of a point are compared. */
#ifndef LAGGARD_COMPARISON_H
#define LAGGARD_COMPARISON_H
#include "study.h"

/* What measure_compared is called in a table. */
const char *measure_compared_name(const struct summary *summary);

/* The mean against the first scheme's; NAN where there is none, or where either is one of some of the runs, which
 * compares with nothing. */
double ratio_to_first(const struct summary *summary, const struct summary *first);
/* Half of the 95 % interval of the paired difference to the first scheme, as a share of the first scheme's mean: what
 * replications.half_width is about. NAN where there is none. */
double ratio_half_width(const struct summary *summary, const struct summary *first);
/* `20 runs`; `20 to 50 runs` where schemes or points differ. In the arena. */
const char *runs_averaged_text(struct arena *arena, const struct study *study);
#endif
