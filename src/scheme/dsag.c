#include "code_params.h"
#include "pushes.h"
#include <math.h>

/* The estimate is made of the last gradient of each partition that has come. Who has sent a fresh one rests until the update;
 * who has sent an old one begins at the present model at once. */
struct dsag_params {
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
};
static const struct param_table params_table = {PARAM_TABLE(struct dsag_params, list)};

struct dsag {
    struct pushes pushes;
    struct evaluation *last; /* [workers]: of each partition, the one that came last */
    bool *filled;            /* [workers]: one has come */
    uint32_t fills;
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
    (void)params;
    struct limits limits = pushes_limits(2 * setting->shape.workers);
    limits.table = setting->shape.partitions;
    return limits;
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    (void)params;
    (void)code;
    struct dsag *dsag = pushes_new(setting, sizeof *dsag, arena);
    dsag->last = arena_zeroed(arena, setting->shape.partitions, sizeof *dsag->last);
    dsag->filled = arena_zeroed(arena, setting->shape.partitions, sizeof *dsag->filled);
    return dsag;
}

static void open(void *state, uint32_t step, uint32_t version) {
    pushes_open(state, step, version);
    pushes_wake(state);
}

static bool counts(const void *state, const struct message *message) {
    return pushes_staleness(state, message->worker) == 0;
}

static void hear(void *state, const struct message *message) {
    struct dsag *dsag = state;
    const struct evaluation *evaluation = &dsag->pushes.evaluation[message->worker];
    dsag->last[evaluation->partition] = *evaluation;
    dsag->fills += !dsag->filled[evaluation->partition];
    dsag->filled[evaluation->partition] = true;
    if (counts(state, message))
        pushes_rest(&dsag->pushes, message->worker);
    else
        pushes_line_up(&dsag->pushes, message->worker);
}

/* Of a worker's two messages the second has taken the place of the first. */
static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct dsag *dsag = state;
    for (uint32_t m = 0; m < messages; m++)
        out->weight[m] = m + 1 == messages || message[m + 1].worker != message[m].worker;
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

static size_t table(const void *state, struct term *term) {
    const struct dsag *dsag = state;
    size_t terms = 0;
    for (uint32_t p = 0; p < dsag->pushes.workers; p++)
        if (dsag->filled[p])
            term[terms++] = (struct term){.partition = p,
                                          .batch = dsag->last[p].batch,
                                          .version = dsag->last[p].version,
                                          .coefficient = (double)dsag->pushes.workers / dsag->fills};
    return terms;
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
};
