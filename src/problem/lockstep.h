/* lockstep.h: a pass over all partitions at several weight vectors side by side: each row is fetched once for a group
 * of them. Every column gets the bits of a pass of its own (objective.h). */
#ifndef LAGGARD_LOCKSTEP_H
#define LAGGARD_LOCKSTEP_H
#include "objective.h"

/* Scratch of one thread. */
struct lockstep;
/* NULL: this processor has nothing to gain. */
struct lockstep *lockstep_new(const struct objective *objective);
void lockstep_free(struct lockstep *lockstep);

/* Columns as in objective_gradients. */
struct lockstep_columns {
    size_t count;
    const double *w;
    double *gradient, *loss;
};

enum direction { FORWARD, BACKWARD };

/* Columns that one pass takes at most. */
size_t lockstep_most(const struct lockstep *lockstep);
/* One pass; `columns->count` is at most that many. Partitions are visited in the direction. */
void lockstep_pass(struct lockstep *lockstep, const struct objective *objective,
                   const struct lockstep_columns *columns, enum direction direction);
#endif
