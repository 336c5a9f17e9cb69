#include "partial.h"
#include <assert.h>

static const char *const occasions[] = {[DELAY_PER_TASK] = "task", [DELAY_PER_MESSAGE] = "message", NULL};

static const struct param list[] = {
    {.name = "pieces",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct partial_params, pieces),
     .minimum = 2,
     .maximum = 1e6,
     .unit = "pieces",
     .help = "pieces in a task (P), at least stragglers + 2; each is 1 / (P - s) of a partition, s + 1 are "
             "coded"},
    {.name = "stragglers",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct partial_params, code.stragglers),
     .minimum = 0,
     .maximum = 1e6,
     .unit = "workers",
     .help = "workers whose coded message a step can do without (s), fewer than there are"},
    {.name = "delay_per",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct partial_params, delay_per),
     .fallback = "task",
     .choices = occasions,
     .help = "whether the two messages of a task share one delay or each has its own"},
};
const struct param_table partial_table = {PARAM_TABLE(struct partial_params, list)};

static uint32_t cut_of(const struct partial_params *params) {
    return params->pieces - params->code.stragglers;
}

bool partial_refuses_pieces(const void *params, struct shape shape, struct sentence *why) {
    const struct partial_params *given = params;
    if (given->pieces < given->code.stragglers + 2) {
        sentence_set(why, "pieces = %u must be at least stragglers + 2 = %u", given->pieces,
                     given->code.stragglers + 2);
        return true;
    }
    return code_refuses_many(shape, given->pieces, "pieces", why);
}

uint32_t partial_fewest(const void *params, struct shape shape) {
    (void)params;
    return shape.workers;
}

struct limits partial_limits(const void *params, const struct setting *setting) {
    const struct partial_params *given = params;
    uint32_t privates = cut_of(given) - 1, copies = code_copies(&given->code);
    (void)setting;
    return (struct limits){.terms = privates > copies ? privates : copies,
                           .evaluations = given->pieces,
                           .span = 1,
                           .parts = PARTIAL_PARTS,
                           .fractional = true,
                           .delays_apart = given->delay_per == DELAY_PER_MESSAGE,
                           .cut = {.small = cut_of(given)}};
}

/* Numbers the pieces that a worker computes, which every step has alike. */
static void number_pieces(struct partial *partial, uint32_t worker, struct evaluation *evaluation) {
    uint32_t privates = partial->cut - 1;
    for (uint32_t q = 0; q < privates; q++)
        evaluation[q].partition = worker * partial->cut + q;
    for (uint32_t q = 0; q < partial->placement.copies; q++) {
        uint32_t position = placement_position(&partial->placement, worker, q);
        uint32_t partition = placement_partition(&partial->placement, worker, position);
        evaluation[privates + q].partition = partition * partial->cut + privates;
    }
}

void partial_begin(struct partial *partial, const struct partial_params *params, struct placement placement,
                   const struct setting *setting, struct arena *arena) {
    size_t pieces = params->pieces, workers = placement.workers;
    partial->placement = placement;
    partial->pieces = params->pieces;
    partial->cut = cut_of(params);
    partial->batches = setting->batches;
    partial->delay_per = (enum delay_per)params->delay_per;
    partial->part[PARTIAL_PRIVATE] =
        (struct part){.work = (partial->cut - 1.0) / partial->cut, .evaluations = partial->cut - 1};
    partial->part[PARTIAL_CODED] =
        (struct part){.work = (double)params->pieces / partial->cut, .evaluations = placement.copies};
    partial->evaluation = arena_zeroed(arena, workers * pieces, sizeof *partial->evaluation);
    partial->coded = arena_zeroed(arena, workers, sizeof *partial->coded);
    partial->decoding.weight = arena_zeroed(arena, workers, sizeof *partial->decoding.weight);
    for (uint32_t i = 0; i < workers; i++)
        number_pieces(partial, i, partial->evaluation + i * pieces);
}

void partial_assign(void *state, uint32_t worker, uint32_t step, struct task *task) {
    struct partial *partial = state;
    struct evaluation *evaluation = partial->evaluation + (size_t)worker * partial->pieces;
    for (uint32_t e = 0; e < partial->pieces; e++) {
        evaluation[e].batch = partial->batches ? step : 0;
        evaluation[e].version = step;
    }
    *task = (struct task){.step = step,
                          .work = partial->part[PARTIAL_CODED].work,
                          .evaluations = partial->pieces,
                          .evaluation = evaluation,
                          .parts = PARTIAL_PARTS,
                          .sending = SEND_EACH,
                          .delay_per = partial->delay_per,
                          .part = partial->part};
}

/* Coefficients of coded pieces, which are not in the order of their positions. */
static void set_coefficients(const struct partial *partial, uint32_t worker, struct term *term) {
    uint32_t copies = partial->placement.copies;
    const double *coefficient = partial->coefficient + (size_t)worker * copies;
    for (uint32_t q = 0; q < copies; q++)
        term[q].coefficient = coefficient[placement_position(&partial->placement, worker, q)];
}

size_t partial_finish(void *state, const struct computed *computed, struct term *term) {
    const struct partial *partial = state;
    uint32_t first = computed->part == PARTIAL_CODED ? partial->cut - 1 : 0;
    uint32_t terms = partial->part[computed->part].evaluations;
    const struct evaluation *evaluation =
        partial->evaluation + (size_t)computed->worker * partial->pieces + first;
    for (uint32_t e = 0; e < terms; e++)
        term[e] = (struct term){.partition = evaluation[e].partition,
                                .batch = partial->batches ? computed->step : 0,
                                .version = computed->step,
                                .coefficient = 1};
    if (computed->part == PARTIAL_CODED && partial->coefficient)
        set_coefficients(partial, computed->worker, term);
    return terms;
}

void partial_open(void *state, uint32_t step, uint32_t version) {
    struct partial *partial = state;
    (void)step;
    (void)version;
    partial->heard[PARTIAL_PRIVATE] = 0;
    partial->heard[PARTIAL_CODED] = 0;
}

void partial_hear(void *state, const struct message *message) {
    struct partial *partial = state;
    partial->heard[message->part]++;
}

bool partial_decodable(const void *state) {
    const struct partial *partial = state;
    uint32_t workers = partial->placement.workers, stragglers = partial->placement.copies - 1;
    return partial->heard[PARTIAL_PRIVATE] == workers &&
           partial->heard[PARTIAL_CODED] + stragglers >= workers;
}

uint32_t partial_coded(struct partial *partial, const struct message *message, uint32_t messages) {
    uint32_t coded = 0;
    for (uint32_t m = 0; m < messages; m++)
        if (message[m].part == PARTIAL_CODED)
            partial->coded[coded++] = message[m];
    assert(messages - coded == partial->placement.workers);
    return coded;
}

void partial_weights(const struct partial *partial, const struct message *message, uint32_t messages,
                     struct decoding *out) {
    const double *weight = partial->decoding.weight;
    for (uint32_t m = 0; m < messages; m++)
        out->weight[m] = message[m].part == PARTIAL_CODED ? *weight++ : 1;
}
