#include "choice.h"
#include "code_params.h"
#include <assert.h>
#include <string.h>

/* In which order a worker computes its partitions. Under the first two worker i begins with partition i; in the paper, which
 * counts from 1, position j of worker i is i + j - 1 under `cyclic` and i + (-1)^(i-1) (j - 1) under `staircase`:
 * neighbours work towards each other. With an odd n the ends of the staircase meet, and some partitions have more copies
 * than others. With c = n `random` is the paper's random assignment; with fewer copies the set stays the cyclic window, so
 * that all partitions are on workers. */
enum order { ORDER_CYCLIC, ORDER_STAIRCASE, ORDER_RANDOM };
static const char *const orders[] = {
    [ORDER_CYCLIC] = "cyclic", [ORDER_STAIRCASE] = "staircase", [ORDER_RANDOM] = "random", NULL};

struct multi_params {
    uint32_t copies, order;
};

struct multi_message {
    uint32_t workers, copies;
    enum order order;
    bool batches;
    struct stream code;
    struct evaluation *evaluation; /* [workers * copies]: of the present task of each, in its order */
    struct part *part;             /* [copies], the same for all */
    uint32_t covered;              /* partitions heard since the step opened */
    bool *heard;                   /* [workers]: those partitions */
    uint32_t *first;               /* [workers]: the first message of each partition while choosing */
};

static const struct param list[] = {
    {.name = "copies",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct multi_params, copies),
     .fallback = "2",
     .minimum = 1,
     .maximum = 1e6,
     .unit = "partitions",
     .help = "partitions that each worker computes in a step (c), one message each"},
    {.name = "order",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct multi_params, order),
     .fallback = "cyclic",
     .choices = orders,
     .help = "cyclic: i, i + 1, …; staircase: every second worker i, i - 1, …, c copies of each partition "
             "when workers are even; random: the cyclic window, shuffled for each worker and step"},
};
static const struct param_table table = {PARAM_TABLE(struct multi_params, list)};

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    struct code_params code = {.copies = ((const struct multi_params *)params)->copies};
    return code_refuses_copies(&code, shape, why);
}

/* None: by count a result is a worker that sent all of its messages. */
static uint32_t stragglers(const void *params) {
    (void)params;
    return 0;
}

static struct limits limits(const void *params, const struct setting *setting) {
    uint32_t copies = ((const struct multi_params *)params)->copies;
    (void)setting;
    return (struct limits){.terms = 1, .evaluations = copies, .span = 1, .parts = copies};
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    const struct multi_params *given = params;
    uint32_t workers = setting->shape.workers;
    struct multi_message *multi = arena_zeroed(arena, 1, sizeof *multi);
    *multi = (struct multi_message){.workers = workers,
                                    .copies = given->copies,
                                    .order = (enum order)given->order,
                                    .batches = setting->batches,
                                    .code = code};
    multi->evaluation = arena_zeroed(arena, (size_t)workers * given->copies, sizeof *multi->evaluation);
    multi->part = arena_zeroed(arena, given->copies, sizeof *multi->part);
    for (uint32_t q = 0; q < given->copies; q++)
        multi->part[q] = (struct part){.work = q + 1, .evaluations = 1};
    multi->heard = arena_zeroed(arena, workers, sizeof *multi->heard);
    multi->first = arena_zeroed(arena, workers, sizeof *multi->first);
    return multi;
}

static void open(void *state, uint32_t step, uint32_t version) {
    struct multi_message *multi = state;
    (void)step;
    (void)version;
    multi->covered = 0;
    memset(multi->heard, 0, multi->workers * sizeof *multi->heard);
}

static uint32_t partition_at(const struct multi_message *multi, uint32_t worker, uint32_t position) {
    bool downwards = multi->order == ORDER_STAIRCASE && worker % 2 == 1;
    return (downwards ? worker + multi->workers - position : worker + position) % multi->workers;
}

/* Fisher and Yates. A draw is a fraction of 2^64: times `left`, its whole part is a place, and its remainder serves for the
 * next one, until 2^32 outcomes are spent. So none of them is favoured by more than 2^-32. */
static void shuffle(struct evaluation *evaluation, uint32_t copies, struct draw *draw) {
    const uint64_t most = 1ull << 32;
    uint64_t bits = 0, outcomes = most;
    for (uint32_t left = copies; left > 1; left--) {
        bool spent = outcomes * left > most;
        outcomes = spent ? left : outcomes * left;
        bits = spent ? draw_bits(draw) : bits;
        uint64_t low = (bits & UINT32_MAX) * left, high = (bits >> 32) * left + (low >> 32);
        uint32_t taken = (uint32_t)(high >> 32), last = evaluation[left - 1].partition;
        evaluation[left - 1].partition = evaluation[taken].partition;
        evaluation[taken].partition = last;
        bits *= left;
    }
}

static void assign(void *state, uint32_t worker, uint32_t step, struct task *task) {
    struct multi_message *multi = state;
    uint32_t copies = multi->copies;
    struct evaluation *evaluation = multi->evaluation + (size_t)worker * copies;
    for (uint32_t q = 0; q < copies; q++)
        evaluation[q] = (struct evaluation){
            .partition = partition_at(multi, worker, q), .batch = multi->batches ? step : 0, .version = step};
    if (multi->order == ORDER_RANDOM)
        shuffle(evaluation, copies, &(struct draw){.stream = multi->code, .worker = worker, .step = step});
    *task = (struct task){.step = step,
                          .work = copies,
                          .evaluations = copies,
                          .evaluation = evaluation,
                          .parts = copies,
                          .sending = SEND_EACH,
                          .delay_per = DELAY_PER_TASK,
                          .part = multi->part};
}

static size_t finish(void *state, const struct computed *computed, struct term *term) {
    const struct multi_message *multi = state;
    const struct evaluation *evaluation =
        &multi->evaluation[(size_t)computed->worker * multi->copies + computed->part];
    assert(evaluation->version == computed->step);
    *term = (struct term){.partition = evaluation->partition,
                          .batch = evaluation->batch,
                          .version = evaluation->version,
                          .coefficient = 1};
    return 1;
}

/* What a message of the present round holds: its sender was given nothing since. */
static uint32_t partition_of(const struct multi_message *multi, const struct message *message) {
    return multi->evaluation[(size_t)message->worker * multi->copies + message->part].partition;
}

static void hear(void *state, const struct message *message) {
    struct multi_message *multi = state;
    bool *heard = &multi->heard[partition_of(multi, message)];
    multi->covered += !*heard;
    *heard = true;
}

static bool decodable(const void *state) {
    const struct multi_message *multi = state;
    return multi->covered == multi->workers;
}

static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    struct multi_message *multi = state;
    for (uint32_t p = 0; p < multi->workers; p++)
        multi->first[p] = messages;
    for (uint32_t m = 0; m < messages; m++) {
        uint32_t *first = &multi->first[partition_of(multi, &message[m])];
        if (*first == messages || message[m].arrived_s < message[*first].arrived_s)
            *first = m;
        out->weight[m] = 0;
    }
    out->recovered = 0;
    for (uint32_t p = 0; p < multi->workers; p++)
        if (multi->first[p] < messages) {
            out->weight[multi->first[p]] = 1;
            out->recovered++;
        }
    out->claim = choice_claim(out, multi->workers);
}

/* A step that closed before all partitions were heard is scaled up, as in the paper where k of n are enough. */
static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct multi_message *multi = state;
    (void)message;
    choice_rescale(messages, multi->workers, out);
}

const struct scheme scheme_multi_message = {
    .head = {.name = "multi-message",
             .summary =
                 "a message for each of c partitions as it is done; the first of each partition is used",
             .source =
                 "Amiri and Gündüz, arXiv 1810.09992, cyclic and staircase scheduling, random assignment",
             .params = &table},
    .wait = "decodable",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .refuses = refuses,
    .stragglers = stragglers,
    .fewest = code_any_one,
    .limits = limits,
    .begin = begin,
    .open = open,
    .assign = assign,
    .finish = finish,
    .hear = hear,
    .decodable = decodable,
    .admits = decodable,
    .choose = choose,
    .weigh = weigh,
};
