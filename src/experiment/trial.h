/* trial.h: one run: a scheme on a cluster, in one replication. The only place where clock, scheme and learning meet. */
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

/* Runs it to its end. The numbers depend on nothing but scenario, entry and replication, so runs may go on in several
 * threads. The caller frees the result. */
struct result *trial_run(const struct trial_spec *spec);

/* The same where it needs no event queue and is done in one go (rounds.h, late_rounds.h); else NULL, and nothing was done. */
struct result *trial_at_once(const struct trial_spec *spec);

/* The same in parts, so that runs can go on side by side. A trial stops where a model has moved and is not evaluated: whoever
 * runs it may do that for several trials at once (learner_want). */
struct trial;
struct trial *trial_new(const struct trial_spec *spec);
/* The models that it trains; none where only time counts. */
struct learner *const *trial_learners(const struct trial *trial, size_t *count);
/* Whether one of them has moved and is not evaluated; it will be when the trial goes on, if nobody does it before. */
bool trial_waits(const struct trial *trial);
/* Goes on to where it stops next; false: that is its end. */
bool trial_continue(struct trial *trial);
/* Frees it, wherever it stands; the caller frees the result, which is whole only at its end. */
struct result *trial_end(struct trial *trial);
#endif
