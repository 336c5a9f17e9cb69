/* race.h: which of many settings is the best, by successive halving: all are run in a few replications, the better ones in more,
 * and so on, and of the candidates of each setting the better ones too; those that compete have the same draws. Knows no
 * scheme. */
#ifndef LAGGARD_RACE_H
#define LAGGARD_RACE_H
#include "candidates.h"
#include "heat.h"

/* Of the runs that all candidates would take in all replications, a race takes at most one in so many. */
#define RACE_SAVING 5
/* Settings that are left at the end, at least. */
#define RACE_FINALISTS 4

struct racer {
    uint32_t candidate;
    uint32_t runs;
    struct showing *showing; /* [runs], by replication */
    struct merit merit;
};

struct race_request {
    const struct candidates *candidates;
    uint32_t replications; /* of those who get to the end */
    unsigned threads;
    FILE *progress; /* NULL: none */
};
struct race {
    struct racer *racer; /* [racers]: the best first; those with more runs before those with fewer */
    size_t racers;
    size_t finalists; /* of these several may be of one setting */
    size_t runs;
};
struct race race_run(const struct race_request *request);
void race_fini(struct race *race);
#endif
