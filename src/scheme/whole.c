#include "whole.h"

void whole_begin(struct whole *whole, struct placement placement, const struct setting *setting,
                 struct arena *arena) {
    uint32_t copies = placement.copies;
    whole->placement = placement;
    whole->batches = setting->batches;
    whole->evaluation = arena_zeroed(arena, (size_t)placement.workers * copies, sizeof *whole->evaluation);
    for (uint32_t i = 0; i < placement.workers; i++)
        for (uint32_t q = 0; q < copies; q++)
            whole->evaluation[(size_t)i * copies + q].partition =
                placement_partition(&placement, i, placement_position(&placement, i, q));
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
        /* One update per step: the model of step t is version t, for a step that waited in a queue too. */
        evaluation[q].version = step;
        evaluation[q].batch = whole->batches ? step : 0;
    }
    *task = (struct task){.step = step, .work = copies, .evaluations = copies, .evaluation = evaluation};
}

size_t whole_finish(void *state, const struct computed *computed, struct term *term) {
    const struct whole *whole = state;
    uint32_t copies = whole->placement.copies, step = computed->step;
    size_t first = (size_t)computed->worker * copies;
    for (uint32_t q = 0; q < copies; q++)
        term[q] = (struct term){.partition = whole->evaluation[first + q].partition,
                                .batch = whole->batches ? step : 0,
                                .version = step,
                                .coefficient = 1};
    for (uint32_t q = 0; whole->coefficient && q < copies; q++)
        term[q].coefficient =
            whole->coefficient[first + placement_position(&whole->placement, computed->worker, q)];
    return copies;
}
