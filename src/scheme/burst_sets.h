/* burst_sets.h: what burst.h knows, of whole sets of workers at a time.
 * Knows no code matrix, no jobs and no times. Notation and source as in burst.h. */
#ifndef LAGGARD_BURST_SETS_H
#define LAGGARD_BURST_SETS_H
#include "burst.h"
#include "worker_set.h"

/* The union of the last so many sets. */
struct sliding_union {
    uint32_t length, at;
    size_t words;
    uint64_t *since; /* the union of the `at` newest sets, which make a block */
    uint64_t *
        row; /* [length * words]: those sets; from `at` on, the unions of each set of the block before and all after it in it */
};

struct burst_sets {
    struct burst_bounds bounds;
    size_t words;
    uint32_t round;
    uint64_t *straggled;           /* [B * words]: by round mod B, of rounds that count */
    struct sliding_union recent;   /* rounds r - W + 1 … r - 1 */
    struct sliding_union spent;    /* rounds r - W + 1 … r - B */
    uint64_t *recently, *spending; /* those unions as round r opened */
};

/* Before round 0. */
void burst_sets_begin(struct burst_sets *burst, struct burst_bounds bounds, uint32_t workers,
                      struct arena *arena);
/* The next round opens; rounds come one by one from 0. */
void burst_sets_open(struct burst_sets *burst, uint32_t round);
/* These may straggle in it: the rules of burst_admits. */
bool burst_sets_admit(const struct burst_sets *burst, const uint64_t *stragglers);
/* Counts them as its stragglers, once; a round that does not is as if there had been none. */
void burst_sets_record(struct burst_sets *burst, const uint64_t *stragglers);
#endif
