/* event_plan.h: how many events a plan records, and that they are not too many. Knows no run. */
#ifndef LAGGARD_EVENT_PLAN_H
#define LAGGARD_EVENT_PLAN_H
#include "plan.h"

/* About as many as `steps` steps of one run have; failures and gradients that are kept and used again add to them. */
double events_expected(const struct scenario *scenario, const struct scheme_entry *entry, double steps);
/* False after telling at `record.events` that the plan would record more than MOMENTS_MAX, or knows no end. */
bool event_plan_check(const struct plan *plan, struct diag *diag);
#endif
