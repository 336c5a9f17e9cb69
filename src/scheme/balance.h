/* balance.h: placements that are the same for every worker but for a turn of the ring, chosen so that pairs of
 * partitions share workers as evenly as can be found.
 * Knows no gradients and no weights.
 *
 * Notation: n workers and as many partitions, d copies of each; a set D of d offsets modulo n: partition p is on the
 * workers p + o, o in D, so worker i holds the partitions i - o. Partitions p and q share as many workers as there are
 * pairs a, b of D with a - b = p - q, so d (d - 1) / (n - 1) in the mean. All pairs share equally many when D is a
 * perfect difference set, which needs (n - 1) | d (d - 1) and exists for few n and d.
 *
 * Bitar et al., arXiv 1905.05383, call a placement pair-wise balanced when any two partitions share d^2 / n workers, which
 * takes workers of unequal load. Here every worker holds d, and pairs share a little less: the variance of their
 * estimate, which grows with what pairs share, is not above theirs. */
#ifndef LAGGARD_BALANCE_H
#define LAGGARD_BALANCE_H
#include "memory.h"
#include <stdint.h>

/* Writes d offsets, ascending, 0 among them. Deterministic: each is chosen so that the sum over differences of the
 * squared number of pairs grows least, then single ones are moved while that lowers the sum, within a bounded number of
 * tries: about 0.1 s at most, less than 0.01 s at n = 1,000 and d = 20. 1 <= copies <= workers. */
void balanced_offsets(uint32_t workers, uint32_t copies, uint32_t *offset);

/* How many workers a pair of partitions shares: the fewest and the most over all pairs; 0 and 0 where there is one
 * partition. */
struct shares {
    uint32_t fewest, most;
};
struct shares balanced_shares(uint32_t workers, const uint32_t *offset, uint32_t copies);
#endif
