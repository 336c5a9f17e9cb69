/* tournament.h: a time for each of n players, of which the earliest is wanted: a winner tree. A player's time is set anew in
 * log2 n steps without a branch that depends on times. Of equal times the player of the lower index wins.
 * Knows nothing of what the times are of. */
#ifndef LAGGARD_TOURNAMENT_H
#define LAGGARD_TOURNAMENT_H
#include <stddef.h>
#include <stdint.h>

struct entrant {
    uint64_t time; /* the bits of a time >= 0, which are in the order of the times */
    uint32_t player;
};

struct tournament {
    struct entrant *
        node; /* [2 leaves]: the root is 1, the children of v are 2v and 2v + 1, player i is leaf leaves + i */
    size_t leaves;    /* a power of two */
    size_t withdrawn; /* a leaf whose player has withdrawn and is still among the winners; 0: none */
};

/* Nobody has a time. */
void tournament_init(struct tournament *tournament, uint32_t players);
void tournament_fini(struct tournament *tournament);
/* Times are >= 0; INFINITY is none. */
void tournament_set(struct tournament *tournament, uint32_t player, double time_s);
/* From now on the player has no time. A time that is set for it next costs no more than if it had kept its own. */
void tournament_withdraw(struct tournament *tournament, uint32_t player);
/* The earliest time, INFINITY when nobody has one, and whose it is. */
struct entry {
    double time_s;
    uint32_t player;
};
struct entry tournament_winner(struct tournament *tournament);
#endif
