#include "pushes.h"
#include "choice.h"
#include "code_params.h"
#include <assert.h>
#include <math.h>

static const struct param count_list[] = {
    {.name = "k",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct push_count, pushes),
     .minimum = 1,
     .maximum = 1e6,
     .unit = "gradients",
     .help = "gradients that make an update (K)"},
};
const struct param_table push_count_params = {PARAM_TABLE(struct push_count, count_list)};

void pushes_begin(struct pushes *pushes, const struct setting *setting, struct arena *arena) {
    uint32_t workers = setting->shape.workers;
    pushes->workers = workers;
    pushes->batches = setting->batches;
    pushes->evaluation = arena_zeroed(arena, workers, sizeof *pushes->evaluation);
    pushes->present = arena_zeroed(arena, workers, sizeof *pushes->present);
    pushes->line = arena_zeroed(arena, workers, sizeof *pushes->line);
    pushes->resting = arena_zeroed(arena, workers, sizeof *pushes->resting);
}

void *pushes_new(const struct setting *setting, size_t size, struct arena *arena) {
    struct pushes *pushes = arena_zeroed(arena, 1, size);
    pushes_begin(pushes, setting, arena);
    return pushes;
}

void *pushes_alone(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    (void)params;
    (void)code;
    return pushes_new(setting, sizeof(struct pushes), arena);
}

void pushes_line_up(struct pushes *pushes, uint32_t worker) {
    if (!pushes->present[worker])
        return;
    assert(pushes->waiting < pushes->workers);
    uint64_t end = (uint64_t)pushes->first + pushes->waiting++;
    pushes->line[end % pushes->workers] = worker;
}

void pushes_rest(struct pushes *pushes, uint32_t worker) {
    if (!pushes->present[worker])
        return;
    assert(pushes->rests < pushes->workers);
    pushes->resting[pushes->rests++] = worker;
}

void pushes_wake(struct pushes *pushes) {
    for (uint32_t r = 0; r < pushes->rests; r++)
        pushes_line_up(pushes, pushes->resting[r]);
    pushes->rests = 0;
}

void pushes_member(void *state, uint32_t worker, enum membership membership) {
    struct pushes *pushes = state;
    pushes->present[worker] = membership == MEMBER_JOINED;
    pushes_line_up(pushes, worker);
}

void pushes_hear(void *state, const struct message *message) {
    pushes_line_up(state, message->worker);
}

bool pushes_refuses(const void *params, struct shape shape, struct sentence *why) {
    (void)params;
    return code_refuses(&(struct code_params){.stragglers = 0}, shape, why);
}

bool pushes_wait_for_one(const void *params, struct sentence *rule) {
    (void)params;
    sentence_set(rule, "{type: count, results: 1}");
    return true;
}

struct limits pushes_one_limits(const void *params, const struct setting *setting) {
    (void)params;
    (void)setting;
    return pushes_limits(1);
}

static uint32_t count_of(const void *params) {
    return ((const struct push_count *)params)->pushes;
}

bool pushes_wait_for_count(const void *params, struct sentence *rule) {
    sentence_set(rule, "{type: count, results: %u}", count_of(params));
    return true;
}

struct limits pushes_count_limits(const void *params, const struct setting *setting) {
    (void)setting;
    return pushes_limits(count_of(params));
}

bool pushes_refuses_count(const void *params, struct shape shape, struct sentence *why) {
    if (pushes_refuses(params, shape, why))
        return true;
    if (count_of(params) <= shape.workers)
        return false;
    sentence_set(why, "k = %u must be at most workers = %u: each waits for the update after its gradient",
                 count_of(params), shape.workers);
    return true;
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
