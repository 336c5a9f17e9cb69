#include "pushes.h"
#include "choice.h"
#include "code_params.h"
#include <assert.h>
#include <math.h>

static const struct param list[] = {PUSH_ON_LEAVE};
const struct param_table push_params = {PARAM_TABLE(struct push_params, list)};

static const struct param count_list[] = {
    {.name = "k",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct push_count, pushes),
     .minimum = 1,
     .maximum = 1e6,
     .unit = "gradients",
     .help = "gradients that make an update (K)"},
    PUSH_ON_LEAVE,
};
const struct param_table push_count_params = {PARAM_TABLE(struct push_count, count_list)};

static enum on_leave rule_of(const void *params) {
    return (enum on_leave)((const struct push_params *)params)->on_leave;
}

void *pushes_new(const void *params, const struct setting *setting, size_t size, struct arena *arena) {
    struct pushes *pushes = arena_zeroed(arena, 1, size);
    uint32_t workers = setting->shape.workers;
    pushes->workers = workers;
    pushes->batches = setting->batches;
    holders_begin(&pushes->holders, workers, rule_of(params), arena);
    pushes->most = holders_most(rule_of(params), setting);
    pushes->push = arena_zeroed(arena, workers, sizeof *pushes->push);
    pushes->evaluation = arena_zeroed(arena, (size_t)workers * pushes->most, sizeof *pushes->evaluation);
    pushes->line = arena_zeroed(arena, workers, sizeof *pushes->line);
    pushes->resting = arena_zeroed(arena, workers, sizeof *pushes->resting);
    pushes->round_heard = arena_zeroed(arena, workers, sizeof *pushes->round_heard);
    return pushes;
}

void *pushes_alone(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    (void)code;
    return pushes_new(params, setting, sizeof(struct pushes), arena);
}

bool pushes_present(const struct pushes *pushes, uint32_t worker) {
    return pushes->holders.present[worker];
}

void pushes_line_up(struct pushes *pushes, uint32_t worker) {
    if (!pushes_present(pushes, worker))
        return;
    assert(pushes->waiting < pushes->workers);
    uint64_t end = (uint64_t)pushes->first + pushes->waiting++;
    pushes->line[end % pushes->workers] = worker;
}

void pushes_rest(struct pushes *pushes, uint32_t worker) {
    if (!pushes_present(pushes, worker))
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
    if (membership == MEMBER_JOINED)
        holders_join(&pushes->holders, worker);
    else
        holders_leave(&pushes->holders, worker);
    pushes_line_up(pushes, worker);
}

uint32_t pushes_holder(const void *state, uint32_t partition) {
    return ((const struct pushes *)state)->holders.holder[partition];
}

const struct evaluation *pushes_evaluations(const struct pushes *pushes, uint32_t worker) {
    return &pushes->evaluation[(size_t)worker * pushes->most];
}

void pushes_recover(struct pushes *pushes, uint32_t worker) {
    const struct evaluation *evaluation = pushes_evaluations(pushes, worker);
    for (uint32_t e = 0; e < pushes->push[worker].partitions; e++) {
        uint32_t *round_heard = &pushes->round_heard[evaluation[e].partition];
        pushes->recovered += *round_heard != pushes->round;
        *round_heard = pushes->round;
    }
}

void pushes_hear(void *state, const struct message *message) {
    pushes_recover(state, message->worker);
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
    return pushes_limits(params, setting, 1);
}

static uint32_t count_of(const void *params) {
    return ((const struct push_count *)params)->pushes;
}

bool pushes_wait_for_count(const void *params, struct sentence *rule) {
    sentence_set(rule, "{type: count, results: %u}", count_of(params));
    return true;
}

struct limits pushes_count_limits(const void *params, const struct setting *setting) {
    return pushes_limits(params, setting, count_of(params));
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

struct limits pushes_limits(const void *params, const struct setting *setting, uint32_t messages) {
    uint32_t most = holders_most(rule_of(params), setting);
    return (struct limits){.terms = most, .evaluations = most, .arrivals = messages};
}

uint32_t pushes_staleness(const struct pushes *pushes, uint32_t worker) {
    return pushes->version - pushes->push[worker].version;
}

uint32_t pushes_stragglers(const void *params) {
    (void)params;
    return ANY_STRAGGLERS;
}

void pushes_open(void *state, uint32_t step, uint32_t version) {
    struct pushes *pushes = state;
    (void)step;
    pushes->version = version;
    pushes->round++;
    pushes->recovered = 0;
}

uint32_t pushes_starts(void *state) {
    struct pushes *pushes = state;
    holders_deal(&pushes->holders);
    if (pushes->waiting == 0)
        return NOBODY;
    uint32_t worker = pushes->line[pushes->first];
    pushes->first = pushes->first + 1 < pushes->workers ? pushes->first + 1 : 0;
    pushes->waiting--;
    return worker;
}

void pushes_assign(void *state, uint32_t worker, uint32_t step, struct task *task) {
    struct pushes *pushes = state;
    struct evaluation *evaluation = &pushes->evaluation[(size_t)worker * pushes->most];
    const struct holders *holders = &pushes->holders;
    uint32_t partitions = 0;
    for (uint32_t p = holders->first[worker]; p != NOBODY; p = holders->next[p])
        evaluation[partitions++] = (struct evaluation){
            .partition = p, .batch = pushes->batches ? step : 0, .version = pushes->version};
    pushes->push[worker] = (struct push){pushes->version, partitions, holders_sharing(holders)};
    *task =
        (struct task){.step = step, .work = partitions, .evaluations = partitions, .evaluation = evaluation};
}

size_t pushes_finish(void *state, const struct computed *computed, struct term *term) {
    const struct pushes *pushes = state;
    const struct evaluation *evaluation = pushes_evaluations(pushes, computed->worker);
    const struct push *push = &pushes->push[computed->worker];
    for (uint32_t e = 0; e < push->partitions; e++)
        term[e] = (struct term){.partition = evaluation[e].partition,
                                .batch = evaluation[e].batch,
                                .version = evaluation[e].version,
                                .coefficient = push->coefficient};
    return push->partitions;
}

void pushes_choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    (void)message;
    choice_use_all(messages, out);
    out->recovered = ((const struct pushes *)state)->recovered;
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
