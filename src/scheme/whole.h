/* whole.h: the tasks of schemes whose workers compute all they hold at the model of the step and send one sum.
 * Knows no stragglers and no decoding. */
#ifndef LAGGARD_WHOLE_H
#define LAGGARD_WHOLE_H
#include "placement.h"
#include "scheme.h"

/* The first member of such a scheme's state, so that the hooks below serve it. */
struct whole {
    struct placement placement;
    bool batches;
    const double *coefficient;     /* [workers * copies] by worker and position; NULL: all 1 */
    struct evaluation *evaluation; /* [workers * copies], ascending in partition; the partitions stay */
};

/* `whole` is zeroed. Its coefficient may be set any time before the first whole_finish. */
void whole_begin(struct whole *whole, struct placement placement, const struct setting *setting,
                 struct arena *arena);
struct limits whole_limits(uint32_t copies);

/* Hooks of struct scheme. */
void whole_open(void *state, uint32_t step, uint32_t version); /* nothing to note */
void whole_assign(void *state, uint32_t worker, uint32_t step, struct task *task);
size_t whole_finish(void *state, const struct computed *computed, struct term *term);
#endif
