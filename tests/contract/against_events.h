/* against_events.h: a run that went its own way beside the same one event by event, every results file byte for byte. */
#ifndef LAGGARD_TESTS_AGAINST_EVENTS_H
#define LAGGARD_TESTS_AGAINST_EVENTS_H
#include "plan.h"
#include "run.h"

/* The run by `spec` in the plan's first contest came to `fast`; `text`: its scenario, for messages. */
void expect_as_by_events(const struct plan *plan, const struct trial_spec *spec, const struct result *fast,
                         const char *text);
#endif
