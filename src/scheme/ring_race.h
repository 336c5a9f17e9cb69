/* ring_race.h: who came first for how many partitions, where workers on a ring hold as many partitions in a row each: worker i those
 * from i on. Knows no messages: only times, which may be infinite, and ranks. */
#ifndef LAGGARD_RING_RACE_H
#define LAGGARD_RING_RACE_H
#include "memory.h"
#include <stdint.h>

/* What may be written beyond the workers' numbers, and means nothing. */
#define RING_RACE_SPARE 8

struct ring_race {
    uint32_t workers;
    /* To be filled in [workers]: when each comes, and its rank among those that come at one time, which no two share. */
    double *when, *rank;
    double *best_when, *best_rank; /* [2 * workers], as those */
    double *ended;                 /* [workers] */
    uint32_t *place;               /* [workers] */
};
void ring_race_begin(struct ring_race *race, uint32_t workers, struct arena *arena);

/* Partitions in a row for which the one of this rank came first. */
struct won {
    double rank;
    uint32_t partitions;
};
/* Writes won[…], at most one for each partition; one rank may have several. Uses `when` and `rank` up. Returns how many. */
size_t ring_race_run(struct ring_race *race, uint32_t copies, struct won *won);
#endif
