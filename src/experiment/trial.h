/* trial.h: one run: a scheme on a cluster, in one replication. The only place where clock, scheme and learning meet. */
#ifndef LAGGARD_TRIAL_H
#define LAGGARD_TRIAL_H
#include "result.h"
#include "scenario.h"

/* How the clock goes: by whatever is fastest, or event by event, which serves all runs. The results are the same bytes. */
enum timing { TIMING_FASTEST, TIMING_EVENTS };

struct trial_spec {
    const struct scenario *scenario;
    const struct scheme_entry *entry; /* of that scenario */
    uint32_t replication;
    enum timing timing;
};

/* Runs it to its end. Uses nothing but the spec, so runs may go on in several threads. The caller frees the result. */
struct result *trial_run(const struct trial_spec *spec);
#endif
