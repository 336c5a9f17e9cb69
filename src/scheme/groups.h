/* groups.h: who answered first in each FR group, and whether every group did.
 * Knows not what a group's message holds: any of its members serves.
 *
 * Source: Tandon et al., arXiv 1612.03301, section 4.1. */
#ifndef LAGGARD_GROUPS_H
#define LAGGARD_GROUPS_H
#include "scheme.h"

struct groups {
    uint32_t copies;   /* c: workers in a group, partitions of a group */
    uint32_t groups;   /* n / c */
    uint32_t answered; /* groups heard from since the step opened */
    bool *heard;       /* [groups] */
    uint32_t *first;   /* [groups]: the message of the first responder while choosing */
};

/* `copies` divides the workers. */
void groups_begin(struct groups *groups, uint32_t workers, uint32_t copies, struct arena *arena);
void groups_open(struct groups *groups);
void groups_hear(struct groups *groups, const struct message *message);
bool groups_complete(const struct groups *groups); /* every group was heard from since the step opened */

/* Uses the earliest message of each group, the lower worker's where two came at once; sets `recovered`, not
 * `claim`. */
void groups_choose(struct groups *groups, const struct message *message, uint32_t messages,
                   struct decoding *out);
#endif
