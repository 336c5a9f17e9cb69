/* planned.h: a plan from a text, for tests of what is made of plans. */
#ifndef LAGGARD_TESTS_PLANNED_H
#define LAGGARD_TESTS_PLANNED_H
#include "plan.h"

/* Two schemes on four workers, timing only, and `more` keys at the top. Ends the test when it is refused. */
void plan_init(struct plan *plan, const char *more);
/* The same, training on a few rows. */
void plan_init_learning(struct plan *plan, const char *more);
#endif
