/* run.h: one run of a plan: a scheme on a cluster, in one replication, whichever way goes fastest. Knows no plan and no other
 * run. */
#ifndef LAGGARD_RUN_H
#define LAGGARD_RUN_H
#include "trial.h"

/* Runs it to its end. The numbers depend on nothing but scenario, entry and replication, so runs may go on in several
 * threads. The caller frees the result. */
struct result *run_whole(const struct trial_spec *spec);

/* The same in parts, so that runs can go on side by side. A run stops where a model has moved and is not evaluated: whoever
 * runs it may do that for several runs at once (learner_want). */
struct run;
struct run *run_new(const struct trial_spec *spec);
/* The models that it trains; none where only time counts. They are others after run_continue. */
struct learner *const *run_learners(const struct run *run, size_t *count);
/* Whether one of them has moved and is not evaluated; it will be when the run goes on, if nobody does it before. */
bool run_waits(const struct run *run);
/* Goes on to where it stops next; false: that is its end. */
bool run_continue(struct run *run);
/* Whether it goes event by event, so far. */
bool run_has_events(const struct run *run);
/* Frees it, wherever it stands; the caller frees the result, which is whole only at its end. */
struct result *run_end(struct run *run);
#endif
