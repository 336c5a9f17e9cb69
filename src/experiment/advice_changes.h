/* advice_changes.h: another number of workers, another target, another tail of delays: the finalists of a race once more. */
#ifndef LAGGARD_ADVICE_CHANGES_H
#define LAGGARD_ADVICE_CHANGES_H
#include "advice.h"
#include "race.h"

struct changes_request {
    struct plan *plan;
    const struct candidates *candidates;
    const struct race *race;
    const bool *equal; /* [race->finalists]: came to the same as the one before */
    size_t finalists;  /* that are run again, at most */
    uint32_t replications;
    unsigned threads;
    FILE *progress;
};
/* Fills what `advice` says of changes; in the plan's arena. */
void advice_changes(struct advice *advice, const struct changes_request *request);
#endif
