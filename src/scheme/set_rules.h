/* set_rules.h: what the clock asks of a scheme whose rounds close at a deadline, where nothing else is asked of it: told in
 * sets of workers, with the same answers as the hooks of struct scheme that hear message by message, which are the twin.
 * Knows no messages, no code matrix and no times.
 *
 * A scheme has them only if tasks take limits.work whatever is in them, all of a task arrives at once, late tasks are
 * cancelled, and every estimate is exact and recovers all partitions. */
#ifndef LAGGARD_SET_RULES_H
#define LAGGARD_SET_RULES_H
#include "scheme.h"

/* Messages that an update uses, all of one round. Each is of so many partitions in a row on the ring from its worker's own on,
 * or of that piece of them: no other message of the update has it, unless it has as many as they. */
struct parcel {
    uint32_t round;          /* in which they were heard */
    const uint64_t *workers; /* who sent them */
    uint32_t evaluations;    /* in each of them: so many partitions, or pieces */
    bool
        rest; /* of the same gradients as those of the parcel before, which came earlier; two parcels have the same at most */
};

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
    /* The rest is asked for where it is booked what seconds were good for. `keep` comes first; NULL: nothing to be done. */
    void (*keep)(void *state, struct arena *arena);
    /* Writes how many evaluations each worker's task has in the present round, which is not idle; there is room for 64 for each word
     * of a set. */
    void (*evaluations)(const void *state, double *evaluations);
    /* Writes what the update last released is made of, at most two for each part of a task; returns how many. */
    size_t (*parcels)(void *state, struct parcel *parcel);
};
#endif
