#include "pipeline.h"
#include "code_params.h"

void pipeline_begin(struct pipeline *pipeline, struct placement placement, const struct setting *setting,
                    struct arena *arena) {
    size_t slots = (size_t)placement.workers * placement.copies;
    pipeline->placement = placement;
    pipeline->batches = setting->batches;
    pipeline->stored = arena_zeroed(arena, slots, sizeof *pipeline->stored);
    pipeline->evaluation = arena_zeroed(arena, placement.workers, sizeof *pipeline->evaluation);
}

struct limits pipeline_limits(const void *params, const struct setting *setting) {
    const struct code_params *code = params;
    uint32_t copies = code_copies(code);
    /* Only a queue whose every step has a task evaluates each position every c steps. */
    bool bounded = setting->late == LATE_QUEUE && !setting->skips;
    return (struct limits){.terms = copies,
                           .evaluations = 1,
                           .work = 1,
                           .kept = copies,
                           .span = bounded ? copies : 0,
                           .warmup_work = copies,
                           .warmup_timed = code->warmup == WARMUP_TIMED};
}

void pipeline_open(void *state, uint32_t step, uint32_t version) {
    (void)state;
    (void)step;
    (void)version;
}

/* What is computed in `step`. Batch 0 is the warm-up's. Full batches keep number 0: they are all the same rows. */
static struct stored fresh(const struct pipeline *pipeline, uint32_t step) {
    return (struct stored){.batch = pipeline->batches ? 1 + step / pipeline->placement.copies : 0,
                           .version = step};
}

void pipeline_assign(void *state, uint32_t worker, uint32_t step, struct task *task) {
    struct pipeline *pipeline = state;
    uint32_t position = step % pipeline->placement.copies;
    struct evaluation *evaluation = &pipeline->evaluation[worker];
    *evaluation =
        (struct evaluation){.partition = placement_partition(&pipeline->placement, worker, position),
                            .batch = fresh(pipeline, step).batch,
                            .version = step};
    *task = (struct task){.step = step, .work = 1, .evaluations = 1, .evaluation = evaluation};
}

size_t pipeline_finish(void *state, const struct computed *computed, struct term *term) {
    struct pipeline *pipeline = state;
    uint32_t copies = pipeline->placement.copies;
    pipeline->stored[(size_t)computed->worker * copies + computed->step % copies] =
        fresh(pipeline, computed->step);
    return pipeline_kept(pipeline, computed->worker, term);
}

size_t pipeline_kept(const void *state, uint32_t worker, struct term *term) {
    const struct pipeline *pipeline = state;
    uint32_t copies = pipeline->placement.copies;
    size_t base = (size_t)worker * copies;
    for (uint32_t q = 0; q < copies; q++) {
        uint32_t position = placement_position(&pipeline->placement, worker, q);
        struct stored stored = pipeline->stored[base + position];
        term[q] =
            (struct term){.partition = placement_partition(&pipeline->placement, worker, position),
                          .batch = stored.batch,
                          .version = stored.version,
                          .coefficient = pipeline->coefficient ? pipeline->coefficient[base + position] : 1};
    }
    return copies;
}

enum claim pipeline_claim(const struct pipeline *pipeline, uint32_t messages) {
    return pipeline->placement.copies == 1 && messages == pipeline->placement.workers ? EXACT : INEXACT;
}
