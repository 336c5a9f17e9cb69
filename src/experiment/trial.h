/* trial.h: what a run is of. run.h runs it; way.h says in which ways. */
#ifndef LAGGARD_TRIAL_H
#define LAGGARD_TRIAL_H
#include "learner.h"
#include "result.h"
#include "scenario.h"

/* How the clock goes: by whatever is fastest, or event by event, which serves all runs. The results are the same bytes. */
enum timing { TIMING_FASTEST, TIMING_EVENTS };

struct trial_spec {
    const struct scenario *scenario;
    const struct scheme_entry *entry; /* of that scenario */
    uint32_t replication;
    struct trajectories
        *trajectories; /* shared with other runs, of other threads too; NULL: it shares nothing */
    enum timing timing;
};
#endif
