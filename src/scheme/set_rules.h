/* set_rules.h: what the clock asks of a scheme whose rounds close at a deadline, where nothing else is asked of it: told in
 * sets of workers, with the same answers as the hooks of struct scheme that hear message by message, which are the twin.
 * Knows no messages, no code matrix and no times.
 *
 * A scheme has them only if tasks take limits.work whatever is in them, all of a task arrives at once, late tasks are
 * cancelled, and every estimate is exact and recovers all partitions. */
#ifndef LAGGARD_SET_RULES_H
#define LAGGARD_SET_RULES_H
#include "scheme.h"

struct set_rules {
    /* Its state for one run, in `arena`; `limits` are the scheme's. */
    void *(*begin)(const void *params, const struct setting *setting, const struct limits *limits,
                   struct arena *arena);
    /* As in struct scheme; rounds come one by one from 0. */
    void (*open)(void *state, uint32_t round, uint32_t version);
    /* NULL: never. */
    bool (*idle)(const void *state);
    /* At the deadline these have not been heard: the code bears it. */
    bool (*admits)(const void *state, const uint64_t *missing);
    /* The round, which was not idle, is closed, and these were not heard: how many updates it completes. */
    uint32_t (*close)(void *state, const uint64_t *missing);
    /* Once for each update: the version of the gradients in it. */
    uint32_t (*release)(void *state);
};
#endif
