/* rounds.h: runs without an event queue: where nothing comes between a worker and its task, a round is n times, and the k-th
 * smallest closes it. The same bytes as by events, which are the twin: see trial.h. */
#ifndef LAGGARD_ROUNDS_H
#define LAGGARD_ROUNDS_H
#include "trial.h"

/* The run, or NULL where it needs events: that is, unless only time counts and nobody asks what happens, workers are steady,
 * tasks are of one part, as long as those of all others and cancelled at the close, and the wait rule counts results. */
struct result *rounds_run(const struct trial_spec *spec);
#endif
