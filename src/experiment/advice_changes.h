/* advice_changes.h: another number of workers, another target, another tail of delays: the finalists of a race once more. */
#ifndef LAGGARD_ADVICE_CHANGES_H
#define LAGGARD_ADVICE_CHANGES_H
#include "advice.h"
#include "race.h"

struct changes_request {
    struct plan *plan;
    const struct candidates *candidates;
    const struct racer *const *racer; /* [racers], 1 at least: those that are run again, the best first */
    size_t racers;
    uint32_t replications;
    unsigned threads;
    FILE *progress;
};
/* Fills what `advice` says of changes; in the plan's arena. */
void advice_changes(struct advice *advice, const struct changes_request *request);
#endif
