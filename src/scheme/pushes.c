#include "pushes.h"
#include "choice.h"
#include <assert.h>
#include <math.h>

void pushes_begin(struct pushes *pushes, const struct setting *setting, struct arena *arena) {
    uint32_t workers = setting->shape.workers;
    pushes->workers = workers;
    pushes->batches = setting->batches;
    pushes->evaluation = arena_zeroed(arena, workers, sizeof *pushes->evaluation);
    pushes->line = arena_zeroed(arena, workers, sizeof *pushes->line);
    for (uint32_t i = 0; i < workers; i++)
        pushes_line_up(pushes, i);
}

void pushes_line_up(struct pushes *pushes, uint32_t worker) {
    assert(pushes->waiting < pushes->workers);
    uint64_t end = (uint64_t)pushes->first + pushes->waiting++;
    pushes->line[end % pushes->workers] = worker;
}

struct limits pushes_limits(uint32_t messages) {
    return (struct limits){.terms = 1, .evaluations = 1, .arrivals = messages};
}

uint32_t pushes_staleness(const struct pushes *pushes, uint32_t worker) {
    return pushes->version - pushes->evaluation[worker].version;
}

uint32_t pushes_stragglers(const void *params) {
    (void)params;
    return ANY_STRAGGLERS;
}

void pushes_open(void *state, uint32_t step, uint32_t version) {
    struct pushes *pushes = state;
    (void)step;
    pushes->version = version;
}

uint32_t pushes_starts(void *state) {
    struct pushes *pushes = state;
    if (pushes->waiting == 0)
        return NOBODY;
    uint32_t worker = pushes->line[pushes->first];
    pushes->first = pushes->first + 1 < pushes->workers ? pushes->first + 1 : 0;
    pushes->waiting--;
    return worker;
}

void pushes_assign(void *state, uint32_t worker, uint32_t step, struct task *task) {
    struct pushes *pushes = state;
    pushes->evaluation[worker] = (struct evaluation){
        .partition = worker, .batch = pushes->batches ? step : 0, .version = pushes->version};
    *task =
        (struct task){.step = step, .work = 1, .evaluations = 1, .evaluation = &pushes->evaluation[worker]};
}

size_t pushes_finish(void *state, const struct computed *computed, struct term *term) {
    const struct pushes *pushes = state;
    const struct evaluation *evaluation = &pushes->evaluation[computed->worker];
    *term = (struct term){.partition = evaluation->partition,
                          .batch = evaluation->batch,
                          .version = evaluation->version,
                          .coefficient = pushes->workers};
    return 1;
}

void pushes_choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    (void)state;
    choice_use_all(messages, out);
    out->recovered = 0;
    for (uint32_t m = 0; m < messages; m++)
        out->recovered += m == 0 || message[m].worker != message[m - 1].worker;
    out->claim = INEXACT;
}

void pushes_weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    (void)state;
    (void)message;
    for (uint32_t m = 0; m < messages; m++)
        out->weight[m] = 1.0 / messages;
    out->residual = (double)NAN;
    out->largest_weight = (double)NAN;
}
