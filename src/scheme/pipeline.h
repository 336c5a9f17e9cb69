/* pipeline.h: the tasks of pipelined codes: each worker stores the latest gradient of each of its c partitions, at step
 * t evaluates only position t mod c of its list, and sends the sum of all it stores.
 * Knows no decoding. Whether an evaluation ever happens is the late rule's affair: what did not finish was not stored.
 *
 * Source: Su and Li, arXiv 2607.20739, sections IV and V. */
#ifndef LAGGARD_PIPELINE_H
#define LAGGARD_PIPELINE_H
#include "placement.h"
#include "scheme.h"

/* Which gradient of a partition a worker stores. */
struct stored {
    uint32_t batch, version;
};

/* The first member of a pipelined scheme's state, so that the hooks below serve it. */
struct pipeline {
    struct placement placement;
    bool batches;
    const double *coefficient; /* [workers * copies] by worker and position; NULL: all 1 */
    struct stored *stored; /* [workers * copies] by worker and position; before step 0 batch 0 at version 0 */
    struct evaluation *evaluation; /* [workers] */
};

/* `pipeline` is zeroed. Its coefficient may be set any time before the first pipeline_finish. */
void pipeline_begin(struct pipeline *pipeline, struct placement placement, const struct setting *setting,
                    struct arena *arena);

/* Hooks of struct scheme; `params` is a struct code_params. */
struct limits pipeline_limits(const void *params, const struct setting *setting);
void pipeline_open(void *state, uint32_t step, uint32_t version); /* nothing to note */
void pipeline_assign(void *state, uint32_t worker, uint32_t step, struct task *task);
size_t pipeline_finish(void *state, const struct computed *computed, struct term *term);
size_t pipeline_kept(const void *state, uint32_t worker, struct term *term);

/* EXACT only where nothing is stale or missing: c = 1 and all workers were heard. */
enum claim pipeline_claim(const struct pipeline *pipeline, uint32_t messages);
#endif
