/* burst.h: which workers may straggle, given who straggled in the rounds before.
 * Knows no code matrix, no jobs and no times.
 *
 * Notation: a worker may straggle again and again within B rounds, then not before those have left the window of W
 * rounds; in all at most lambda workers may straggle within a window. Round r is the present one.
 * Source: Krishnan, Ebrahimi and Khisti, arXiv 2211.13802, section 2 (bursty straggler model). */
#ifndef LAGGARD_BURST_H
#define LAGGARD_BURST_H
#include "memory.h"
#include <stdbool.h>
#include <stdint.h>

struct burst_bounds {
    uint32_t length, window, distinct; /* B, W, lambda; 1 <= B < W */
};

struct burst {
    struct burst_bounds bounds;
    uint32_t workers, round;
    bool *heard;      /* [n]: since the round opened */
    bool *straggled;  /* [W * n]: by round mod W and worker, of rounds that count */
    uint32_t *recent; /* [n]: rounds r - W + 1 … r - 1 in which the worker straggled */
    uint32_t *spent;  /* [n]: the same of rounds r - W + 1 … r - B, after which its burst is over */
};

/* Before round 0. W * n bytes. */
void burst_begin(struct burst *burst, struct burst_bounds bounds, uint32_t workers, struct arena *arena);
/* The next round opens; rounds come one by one from 0. O(n). */
void burst_open(struct burst *burst, uint32_t round);
void burst_hear(struct burst *burst, uint32_t worker);

/* Those not heard since the round opened. O(n). */
uint32_t burst_stragglers(const struct burst *burst);
/* They may straggle: (1) with the distinct stragglers of rounds r - W + 1 … r - 1 they are at most lambda; (2) none of
 * them straggled in rounds r - W + 1 … r - B. O(n). */
bool burst_admits(const struct burst *burst);
/* Counts them as stragglers of the present round, once; a round that does not is as if all had been heard. O(n). */
void burst_record(struct burst *burst);
#endif
