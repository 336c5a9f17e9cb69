#include "whole.h"

void whole_begin(struct whole *whole, struct placement placement, const struct setting *setting,
                 struct arena *arena) {
    whole->placement = placement;
    whole->batches = setting->batches;
    whole->evaluation =
        arena_zeroed(arena, (size_t)placement.workers * placement.copies, sizeof *whole->evaluation);
}

struct limits whole_limits(uint32_t copies) {
    return (struct limits){.terms = copies, .evaluations = copies, .work = copies, .span = 1};
}

void whole_open(void *state, uint32_t step, uint32_t version) {
    (void)state;
    (void)step;
    (void)version;
}

void whole_assign(void *state, uint32_t worker, uint32_t step, struct task *task) {
    struct whole *whole = state;
    uint32_t copies = whole->placement.copies;
    struct evaluation *evaluation = whole->evaluation + (size_t)worker * copies;
    for (uint32_t q = 0; q < copies; q++) {
        uint32_t position = placement_position(&whole->placement, worker, q);
        /* One update per step: the model of step t is version t, for a step that waited in a queue too. */
        evaluation[q] =
            (struct evaluation){.partition = placement_partition(&whole->placement, worker, position),
                                .batch = whole->batches ? step : 0,
                                .version = step};
    }
    *task = (struct task){.step = step, .work = copies, .evaluations = copies, .evaluation = evaluation};
}

size_t whole_finish(void *state, const struct computed *computed, struct term *term) {
    const struct whole *whole = state;
    uint32_t copies = whole->placement.copies, worker = computed->worker, step = computed->step;
    const double *coefficient = whole->coefficient ? whole->coefficient + (size_t)worker * copies : NULL;
    for (uint32_t q = 0; q < copies; q++) {
        uint32_t position = placement_position(&whole->placement, worker, q);
        term[q] = (struct term){.partition = placement_partition(&whole->placement, worker, position),
                                .batch = whole->batches ? step : 0,
                                .version = step,
                                .coefficient = coefficient ? coefficient[position] : 1};
    }
    return copies;
}
