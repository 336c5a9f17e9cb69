/* expected_step.h: the mean seconds of a step without simulation, where a formula exists. */
#ifndef LAGGARD_EXPECTED_STEP_H
#define LAGGARD_EXPECTED_STEP_H
#include "scenario.h"

/* The mean of the r-th of n independent task times and the master's own seconds, where a step is that: every worker starts
 * with the step (late: cancel, or all are waited for), the rule closes at the r-th result, and nothing but tasks takes time
 * (no network, failures, joining or leaving). NAN: there is no formula; INFINITY: the step never closes, or has no mean. */
double expected_step_s(const struct scenario *scenario, const struct scheme_entry *entry);
#endif
