/* placement.h: which partitions a worker holds: FR and CR, both windows of c partitions on a ring of n, and HR, windows
 * that wrap round their group's end on the left.
 * Knows no stragglers, times or coefficients.
 *
 * FR (fractional repetition): workers form groups of c; worker i holds floor(i/c) c … floor(i/c) c + c - 1.
 * CR (cyclic repetition): worker i holds i, i + 1, …, i + c - 1 (mod n).
 * HR (hybrid repetition): groups of n0 = n / g; worker q of a group holds the window q - c1 … q + c - c1 - 1 of places in
 * its group, where places below 0 are those at the group's own end and places from n0 on those of the next group.
 * A position l = 0 … c - 1 counts a worker's partitions in that order. Sources: Tandon et al., arXiv 1612.03301;
 * Su et al., ICDCS 2023 (HR). */
#ifndef LAGGARD_PLACEMENT_H
#define LAGGARD_PLACEMENT_H
#include <stdint.h>

struct placement {
    uint32_t workers;      /* n, the partitions too */
    uint32_t copies;       /* c, 1 <= c <= n */
    uint32_t local, group; /* HR: c1 and n0 */
    /* The partition at a position of a worker's list. */
    uint32_t (*partition)(const struct placement *placement, uint32_t worker, uint32_t position);
    /* How many at the end of the list come before those at its beginning in ascending order. */
    uint32_t (*wrapped)(const struct placement *placement, uint32_t worker);
};

struct placement placement_fr(uint32_t workers, uint32_t copies); /* copies divides workers */
struct placement placement_cr(uint32_t workers, uint32_t copies);
/* local <= copies, group divides workers; copies <= group where local > 0. */
struct placement placement_hr(uint32_t workers, uint32_t copies, uint32_t local, uint32_t group);

/* The partition at a position of a worker's list. */
uint32_t placement_partition(const struct placement *placement, uint32_t worker, uint32_t position);

/* The position of the worker's partition that is `rank`-th in ascending order. */
uint32_t placement_position(const struct placement *placement, uint32_t worker, uint32_t rank);
#endif
