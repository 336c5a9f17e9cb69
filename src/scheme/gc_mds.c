#include "code_params.h"
#include "cr_measure.h"
#include "mds_code.h"
#include "whole.h"

struct gc_mds_params {
    struct code_params code;
    uint32_t field; /* enum mds_field */
};

static const char *const fields[] = {[MDS_REAL] = "real", [MDS_COMPLEX] = "complex", NULL};

static const struct param param_list[] = {
    CODE_STRAGGLERS,
    {.name = "field",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct gc_mds_params, field),
     .fallback = "real",
     .choices = fields,
     .help =
         "numbers in the code: real needs workers - stragglers odd, complex doubles the bytes of a result"},
};

static const struct param_table gc_mds_params = {PARAM_TABLE(struct gc_mds_params, param_list)};

struct gc_mds {
    struct whole whole;
    struct mds_code code;
    struct cr_rows rows;
    uint32_t parts;
    struct part part[2];
    uint32_t heard;    /* workers since the step opened */
    bool always_exact; /* whoever is silent, the residual is at most EXACT_RESIDUAL */
};

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    const struct gc_mds_params *mds = params;
    if (code_refuses_windows(params, shape, why))
        return true;
    uint32_t stragglers = mds->code.stragglers;
    if (stragglers > MDS_MOST_STRAGGLERS) {
        sentence_set(why, "stragglers = %u must be at most %d: the entries of gc-mds grow like 2^stragglers",
                     stragglers, MDS_MOST_STRAGGLERS);
        return true;
    }
    if (mds->field == MDS_COMPLEX || stragglers == 0 || (shape.workers - stragglers) % 2 == 1)
        return false;
    sentence_set(
        why,
        "gc-mds needs workers - stragglers odd, but %u - %u is even; use stragglers = %u or %u, gc-cr, "
        "or field: complex",
        shape.workers, stragglers, stragglers - 1, stragglers + 1);
    return true;
}

/* A complex sum goes as two real ones. With s = 0 each worker sends its own gradient, which is real. */
static uint32_t parts_of(const struct gc_mds_params *params) {
    return params->field == MDS_COMPLEX && params->code.stragglers > 0 ? 2 : 1;
}

static struct limits limits(const void *params, const struct setting *setting) {
    (void)setting;
    struct limits limits = whole_limits(code_copies(params));
    limits.parts = parts_of(params);
    return limits;
}

static void begin_code(struct gc_mds *gc, const struct gc_mds_params *mds, uint32_t workers,
                       struct arena *arena) {
    uint32_t copies = code_copies(&mds->code);
    gc->code.field = mds->field == MDS_COMPLEX ? MDS_COMPLEX : MDS_REAL;
    mds_code_begin(&gc->code, workers, mds->code.stragglers, arena);
    gc->rows = (struct cr_rows){.workers = workers,
                                .copies = copies,
                                .entry = gc->code.row,
                                .per_part = copies,
                                .sum = arena_zeroed(arena, workers, sizeof(double))};
    gc->parts = parts_of(mds);
}

static void weigh_messages(const struct gc_mds *gc, const struct message *message, uint32_t messages,
                           struct decoding *out) {
    for (uint32_t m = 0; m < messages; m++) {
        uint32_t i = message[m].worker;
        out->weight[m] = message[m].part == 0 ? gc->code.real[i] : -gc->code.imaginary[i];
    }
    cr_measure(&gc->rows, message, messages, out);
}

/* What the decode is worth when s neighbours are silent: no other set needs weights as large. O(n s). */
static struct decoding neighbours_silent(struct gc_mds *gc) {
    struct arena *scratch = arena_new();
    uint32_t messages = 0, most = gc->code.workers * gc->parts;
    struct message *message = arena_zeroed(scratch, most, sizeof *message);
    struct decoding decoding = {.weight = arena_zeroed(scratch, most, sizeof *decoding.weight)};
    for (uint32_t i = gc->code.stragglers; i < gc->code.workers; i++)
        for (uint32_t q = 0; q < gc->parts; q++)
            message[messages++] = (struct message){.worker = i, .part = q};
    mds_code_decode(&gc->code, message, messages);
    weigh_messages(gc, message, messages, &decoding);
    arena_free(scratch);
    return decoding;
}

static bool doubts(const void *params, struct shape shape, struct sentence *why) {
    struct arena *arena = arena_new();
    struct gc_mds gc = {.parts = 0};
    begin_code(&gc, params, shape.workers, arena);
    struct decoding worst = neighbours_silent(&gc);
    arena_free(arena);
    if (worst.residual <= EXACT_RESIDUAL)
        return false;
    sentence_set(why,
                 "with %u neighbouring workers of %u silent the decode has weights up to %.2g and misses a "
                 "partition's weight of 1 by up to %.2g: such a step is not exact and is decoded as it is; "
                 "decode: real reports it step by step, gc-cr or fewer stragglers avoid it",
                 gc.code.stragglers, shape.workers, worst.largest_weight, worst.residual);
    return true;
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    (void)code;
    const struct gc_mds_params *mds = params;
    uint32_t workers = setting->shape.workers, copies = code_copies(&mds->code);
    struct gc_mds *gc = arena_zeroed(arena, 1, sizeof *gc);
    whole_begin(&gc->whole, placement_cr(workers, copies), setting, arena);
    begin_code(gc, mds, workers, arena);
    gc->always_exact = neighbours_silent(gc).residual <= EXACT_RESIDUAL;
    /* The second part is made of the gradients that the first one took. */
    gc->part[0] = (struct part){.work = copies, .evaluations = copies};
    gc->part[1] = (struct part){.work = copies, .evaluations = 0};
    return gc;
}

static void open(void *state, uint32_t step, uint32_t version) {
    struct gc_mds *gc = state;
    (void)step;
    (void)version;
    gc->heard = 0;
}

static void assign(void *state, uint32_t worker, uint32_t step, struct task *task) {
    struct gc_mds *gc = state;
    whole_assign(state, worker, step, task);
    if (gc->parts == 1)
        return;
    task->parts = gc->parts;
    task->sending = SEND_TOGETHER;
    task->part = gc->part;
}

static size_t finish(void *state, const struct computed *computed, struct term *term) {
    const struct gc_mds *gc = state;
    const double *row = gc->code.row + computed->part * gc->rows.per_part;
    size_t terms = whole_finish(state, computed, term);
    for (uint32_t q = 0; q < terms; q++)
        term[q].coefficient = row[placement_position(&gc->whole.placement, computed->worker, q)];
    return terms;
}

static void hear(void *state, const struct message *message) {
    struct gc_mds *gc = state;
    gc->heard += message->part + 1 == gc->parts;
}

static bool decodable(const void *state) {
    const struct gc_mds *gc = state;
    return gc->heard + gc->code.stragglers >= gc->code.workers;
}

static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    struct gc_mds *gc = state;
    mds_code_decode(&gc->code, message, messages);
    out->recovered = gc->code.workers;
    out->claim = EXACT;
    if (!gc->always_exact) {
        weigh_messages(gc, message, messages, out);
        out->claim = out->residual <= EXACT_RESIDUAL ? EXACT : INEXACT;
    }
    for (uint32_t m = 0; m < messages; m++) {
        uint32_t i = message[m].worker;
        out->weight[m] = gc->code.real[i] != 0 || gc->code.imaginary[i] != 0;
    }
}

/* The estimate is the real part of sum a_i (first + i second). */
static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    weigh_messages(state, message, messages, out);
}

const struct scheme scheme_gc_mds = {
    .head = {.name = "gc-mds",
             .summary =
                 "gradient coding with a cyclic MDS code on windows of s + 1 partitions; exact, for small s",
             .source = "Raviv et al., arXiv 1707.03858, cyclic MDS codes",
             .params = &gc_mds_params},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .refuses = refuses,
    .doubts = doubts,
    .stragglers = code_stragglers,
    .fewest = code_all_but_stragglers,
    .limits = limits,
    .begin = begin,
    .open = open,
    .assign = assign,
    .finish = finish,
    .hear = hear,
    .decodable = decodable,
    .choose = choose,
    .weigh = weigh,
    .exact_from = code_all_but_stragglers,
    .exact = true,
};
