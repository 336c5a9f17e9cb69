/* composed_law.h: the law of a sum or a product of two independent times, as a table of its survival function; nothing is
 * drawn.
 *
 * P(X + Y > t) = E[S_X(t - Y)] and P(X Y > t) = E[S_X(t / Y)], with S_X the survival function of X: one side is taken at
 * Gauss–Legendre points between its quantiles, and at its jumps, the other in closed form. The table holds the logarithm of
 * the result, linear in log t, at points added until halving changes it by less than 2e-4; with the quadrature's own error
 * probabilities are good to about 3e-4 of themselves, quantiles and means to as much or better. */
#ifndef LAGGARD_COMPOSED_LAW_H
#define LAGGARD_COMPOSED_LAW_H
#include "task_law.h"

struct composed_law;

/* X + Y with a probability, else X. Both are copied, but for the laws they hold, which must outlive this one; a law that the
 * first is composed of is freed with it. NULL: too many points are needed. */
struct composed_law *composed_sum(const struct task_law *first, const struct task_law *second,
                                  double probability);
struct composed_law *composed_product(const struct task_law *first, const struct task_law *second);
void composed_law_free(struct composed_law *composed);

/* It, as a law that can be asked for quantiles and survival, but has no moments and is not drawn from. */
const struct picked *composed_picked(const struct composed_law *composed);
#endif
