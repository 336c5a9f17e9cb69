/* placement.h: which partitions a worker holds: FR and CR, both windows of c partitions on a ring of n.
 * Knows no stragglers, times or coefficients.
 *
 * FR (fractional repetition): workers form groups of c; worker i holds floor(i/c) c … floor(i/c) c + c - 1.
 * CR (cyclic repetition): worker i holds i, i + 1, …, i + c - 1 (mod n).
 * A position l = 0 … c - 1 counts a worker's partitions in that order. Source: Tandon et al., arXiv 1612.03301. */
#ifndef LAGGARD_PLACEMENT_H
#define LAGGARD_PLACEMENT_H
#include <stdint.h>

struct placement {
    uint32_t workers;                                    /* n, the partitions too */
    uint32_t copies;                                     /* c, 1 <= c <= n */
    uint32_t (*first)(uint32_t worker, uint32_t copies); /* the partition at position 0 */
};

struct placement placement_fr(uint32_t workers, uint32_t copies); /* copies divides workers */
struct placement placement_cr(uint32_t workers, uint32_t copies);

/* The partition at a position of a worker's list. */
uint32_t placement_partition(const struct placement *placement, uint32_t worker, uint32_t position);

/* The position of the worker's partition that is `rank`-th in ascending order. */
uint32_t placement_position(const struct placement *placement, uint32_t worker, uint32_t rank);
#endif
