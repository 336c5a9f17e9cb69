/* late_rounds.h: runs without an event queue whose rounds close at a multiple of their first arrival if the code bears those
 * who are late, else with the last one. The same bytes as by events, which are the twin: see trial.h. */
#ifndef LAGGARD_LATE_ROUNDS_H
#define LAGGARD_LATE_ROUNDS_H
#include "trial.h"

/* The run, or NULL where it needs events: that is, unless only time counts, nobody asks what happens or what workers' seconds
 * were good for, workers are steady, late tasks are cancelled, and the scheme has set rules (set_rules.h). */
struct result *late_rounds_run(const struct trial_spec *spec);
#endif
