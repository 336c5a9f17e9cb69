#include "code_params.h"
#include "pushes.h"
#include <math.h>

/* The estimate is made of the last gradient of each partition that has come. Who has sent a fresh one rests until the update;
 * who has sent an old one begins at the present model at once. */
struct dsag_params {
    struct push_params push;
    uint32_t fresh; /* r */
};

static const struct param list[] = {
    {.name = "fresh",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct dsag_params, fresh),
     .minimum = 1,
     .maximum = 1e6,
     .unit = "results",
     .help = "results at the present model that close a step (r)"},
    PUSH_ON_LEAVE,
};
static const struct param_table params_table = {PARAM_TABLE(struct dsag_params, list)};

/* An entry of the table, and the message that it came in. */
struct last {
    struct evaluation evaluation;
    uint32_t worker, step;
    bool filled; /* one has come */
};

struct dsag {
    struct pushes pushes;
    struct last *last; /* [workers]: of each partition, the newest that has come */
    uint32_t fills;
    uint32_t *renewed; /* [workers]: partitions whose entry has come in this round */
    uint32_t renewals;
};

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    uint32_t fresh = ((const struct dsag_params *)params)->fresh;
    if (pushes_refuses(params, shape, why))
        return true;
    if (fresh <= shape.workers)
        return false;
    sentence_set(why, "fresh = %u must be at most workers = %u", fresh, shape.workers);
    return true;
}

static bool own_wait(const void *params, struct sentence *rule) {
    sentence_set(rule, "{type: count, results: %u}", ((const struct dsag_params *)params)->fresh);
    return true;
}

/* An old result and a fresh one of each worker. */
static struct limits limits(const void *params, const struct setting *setting) {
    struct limits limits = pushes_limits(params, setting, 2 * setting->shape.workers);
    limits.table = setting->shape.partitions;
    return limits;
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    (void)code;
    struct dsag *dsag = pushes_new(params, setting, sizeof *dsag, arena);
    dsag->last = arena_zeroed(arena, setting->shape.partitions, sizeof *dsag->last);
    dsag->renewed = arena_zeroed(arena, setting->shape.partitions, sizeof *dsag->renewed);
    return dsag;
}

static void open(void *state, uint32_t step, uint32_t version) {
    ((struct dsag *)state)->renewals = 0;
    pushes_open(state, step, version);
    pushes_wake(state);
}

static bool counts(const void *state, const struct message *message) {
    return pushes_staleness(state, message->worker) == 0;
}

/* A partition that changed hands may come newer from its new worker than, afterwards, from its old one. */
static void renew(struct dsag *dsag, const struct evaluation *evaluation, const struct message *message) {
    struct last *last = &dsag->last[evaluation->partition];
    uint32_t *round_heard = &dsag->pushes.round_heard[evaluation->partition];
    if (last->filled && last->evaluation.version > evaluation->version)
        return;
    dsag->fills += !last->filled;
    *last = (struct last){*evaluation, message->worker, message->step, true};
    if (*round_heard != dsag->pushes.round)
        dsag->renewed[dsag->renewals++] = evaluation->partition;
    *round_heard = dsag->pushes.round;
}

static void hear(void *state, const struct message *message) {
    struct dsag *dsag = state;
    const struct evaluation *evaluation = pushes_evaluations(&dsag->pushes, message->worker);
    for (uint32_t e = 0; e < dsag->pushes.push[message->worker].partitions; e++)
        renew(dsag, &evaluation[e], message);
    if (counts(state, message))
        pushes_rest(&dsag->pushes, message->worker);
    else
        pushes_line_up(&dsag->pushes, message->worker);
}

/* Of messages by worker and step. */
static uint32_t place_of(const struct last *last, const struct message *message, uint32_t messages) {
    uint32_t low = 0, high = messages - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct message *at = &message[middle];
        bool before = at->worker < last->worker || (at->worker == last->worker && at->step < last->step);
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

/* What another message has taken the place of is not used: of a worker's two the first. */
static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct dsag *dsag = state;
    for (uint32_t m = 0; m < messages; m++)
        out->weight[m] = 0;
    for (uint32_t q = 0; q < dsag->renewals; q++)
        out->weight[place_of(&dsag->last[dsag->renewed[q]], message, messages)] = 1;
    out->recovered = dsag->fills;
    out->claim = INEXACT;
}

/* What is used of the messages is in the table, which weighs them. */
static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    (void)state;
    (void)message;
    (void)messages;
    out->residual = (double)NAN;
    out->largest_weight = (double)NAN;
}

static struct term entry_of(const struct dsag *dsag, uint32_t partition) {
    const struct evaluation *evaluation = &dsag->last[partition].evaluation;
    return (struct term){.partition = partition,
                         .batch = evaluation->batch,
                         .version = evaluation->version,
                         .coefficient = (double)dsag->pushes.workers / dsag->fills};
}

static size_t table(const void *state, struct term *term) {
    const struct dsag *dsag = state;
    size_t terms = 0;
    for (uint32_t p = 0; p < dsag->pushes.workers; p++)
        if (dsag->last[p].filled)
            term[terms++] = entry_of(dsag, p);
    return terms;
}

static size_t renewed(const void *state, struct term *term) {
    const struct dsag *dsag = state;
    for (uint32_t q = 0; q < dsag->renewals; q++)
        term[q] = entry_of(dsag, dsag->renewed[q]);
    return dsag->renewals;
}

const struct scheme scheme_dsag = {
    .head =
        {.name = "dsag",
         .summary =
             "a table of the last gradient of each partition; r fresh ones close a step, late ones update it",
         .source = "Severinson, Rosnes, El Rouayheb and Graell i Amat, arXiv 2111.13877",
         .params = &params_table},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = 1u << LATE_QUEUE,
    .refuses = refuses,
    .own_wait = own_wait,
    .takes_no_wait = true,
    .stragglers = pushes_stragglers,
    .fewest = code_any_one,
    .limits = limits,
    .begin = begin,
    .open = open,
    .assign = pushes_assign,
    .finish = pushes_finish,
    .starts = pushes_starts,
    .member = pushes_member,
    .hear = hear,
    .counts = counts,
    .choose = choose,
    .weigh = weigh,
    .table = table,
    .renewed = renewed,
    .holder = pushes_holder,
};
