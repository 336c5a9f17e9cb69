/* failure_plan.h: that workers do not fail so often that a run would simulate little else. Knows no run. */
#ifndef LAGGARD_FAILURE_PLAN_H
#define LAGGARD_FAILURE_PLAN_H
#include "plan.h"

/* Failures of one worker within a step, on average, that are simulated at most. */
#define FAILURES_STEP_MAX 1000

/* Failures of one worker of group `g` that a step of the scheme is likely to see: those that interrupt its task, or those
 * that fit into a step as long as the slowest group's task, its messages and the master's seconds. */
double failures_expected(const struct scenario *scenario, const struct scheme_entry *entry, uint32_t g);
/* False after telling at every mean_time_to_failure that is too short at some point: more than FAILURES_STEP_MAX would
 * happen, or the clock of so long a run could not tell them apart. */
bool failure_plan_check(const struct plan *plan, struct diag *diag);
#endif
