/* beta_rounds.h: the time of the k-th of n alike and independent workers, drawn by itself: the k-th smallest of n uniform
 * numbers follows Beta(k, n - k + 1), and F^-1 of it is the k-th smallest time (Renyi 1953; David and Nagaraja, Order
 * Statistics, section 2.3). A step costs the same whatever n is. Exact in distribution, of other random numbers than workers'. */
#ifndef LAGGARD_BETA_ROUNDS_H
#define LAGGARD_BETA_ROUNDS_H
#include "cluster.h"

/* False, or true with the reason, to follow "the cluster": the times of a step are not independent draws of one law whose quantile is
 * exact. For tasks of `work` partitions. */
bool beta_rounds_refuses(const struct cluster_spec *spec, double work, struct sentence *why);

struct beta_rounds;
/* Of a cluster that is not refused, which must outlive it; 1 <= k <= n. */
struct beta_rounds *beta_rounds_new(const struct cluster_spec *spec, const struct cluster_run *run,
                                    double work, uint32_t k);
void beta_rounds_free(struct beta_rounds *beta);

/* Writes the k-th times of the steps from `step` on, in seconds after their opening. Draws from purpose BETA. */
void beta_rounds_find(struct beta_rounds *beta, uint32_t step, uint32_t steps, double *kth);
#endif
