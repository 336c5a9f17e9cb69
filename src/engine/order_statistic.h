/* order_statistic.h: the mean of the k-th smallest of independent workers' task seconds, by quadrature; nothing is drawn.
 *
 * T_(k) > t when at least n - k + 1 workers are late at t. Their number is a sum of independent binomials, one per group
 * (the Poisson-binomial law), and E[T_(k)] is the integral over t of that probability. */
#ifndef LAGGARD_ORDER_STATISTIC_H
#define LAGGARD_ORDER_STATISTIC_H
#include "task_law.h"

/* Groups of equal workers. */
struct crowd {
    uint32_t groups;
    const struct task_law *law; /* [groups] */
    const uint32_t *count;      /* [groups] */
};

/* E[T_(k)] in seconds, 1 <= k <= n, with a relative error of about 1e-9 (1e-5 where the mean is in the far tail of a law
 * without a variance); 1e-5 with tens of thousands of measured times, 3e-4 with composed laws.
 * INFINITY when so few workers ever answer or the mean does not exist; NAN when groups and workers are too many (about 2e5 products per point). */
double order_statistic_mean(const struct crowd *crowd, uint32_t k);

/* The same for the k fastest of a cluster's workers with tasks of `work` partitions; NAN: there is no formula. A shock adds the
 * same seconds to all workers of a rack: where they all are in one it adds its mean, where each is in another (or in none)
 * workers are independent; there is no formula for what is in between. */
double cluster_order_mean(const struct cluster_spec *spec, double work, uint32_t k);
#endif
