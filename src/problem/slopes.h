/* slopes.h: the pass of objective_gradients where partitions are so many and so small that their gradients would outweigh the
 * data: in place of g_p it leaves the slope of every row, from which a g_p is made when it is asked for, and their sum.
 * Knows no worker, message or time. */
#ifndef LAGGARD_SLOPES_H
#define LAGGARD_SLOPES_H
#include "objective.h"

/* Whether they are: decided by rows and partitions alone. */
bool slopes_serve(const struct objective *objective);

/* At one weight vector w [stride]. */
struct slopes {
    const double *w;
    double *slope; /* [samples]: dloss/dscore of each row */
    double *sum;   /* [stride]: sum_p g_p, partitions in order */
    double loss;   /* the sum of losses / m, partitions in order */
};

/* Fills all columns in one pass over the data. Each gets the bits that it gets alone, and `sum` and `loss` those that the
 * results of objective_gradients add up to. */
void slopes_take(const struct objective *objective, struct slopes *column, size_t columns);

/* g_p from the slopes of its rows: the bits of objective_gradients. */
void slopes_gradient(const struct objective *objective, const double *slope, uint32_t partition,
                     double *gradient);

/* sum += coefficient[p] g_p over the partitions whose coefficient is not 0, in order. */
void slopes_add(const struct objective *objective, const double *slope, const double *coefficient,
                double *sum);
#endif
