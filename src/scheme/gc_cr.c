#include "choice.h"
#include "code_params.h"
#include "cr_code.h"
#include "whole.h"

struct gc_cr {
    struct whole whole;
    struct cr_code code;
    uint32_t heard; /* since the step opened */
};

static struct limits limits(const void *params, const struct setting *setting) {
    (void)setting;
    return whole_limits(code_copies(params));
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    uint32_t stragglers = code_stragglers(params);
    struct gc_cr *gc = arena_zeroed(arena, 1, sizeof *gc);
    whole_begin(&gc->whole, placement_cr(setting->shape.workers, stragglers + 1), setting, arena);
    cr_code_begin(&gc->code, setting->shape, stragglers, code, arena);
    gc->whole.coefficient = gc->code.entry;
    return gc;
}

static void open(void *state, uint32_t step, uint32_t version) {
    struct gc_cr *gc = state;
    (void)step;
    (void)version;
    gc->heard = 0;
}

static void hear(void *state, const struct message *message) {
    struct gc_cr *gc = state;
    (void)message;
    gc->heard++;
}

static bool decodable(const void *state) {
    const struct gc_cr *gc = state;
    return gc->heard + gc->code.stragglers >= gc->code.workers;
}

static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct gc_cr *gc = state;
    (void)message;
    choice_use_all(messages, out);
    out->recovered = gc->code.workers;
    out->claim = EXACT;
}

static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    struct gc_cr *gc = state;
    cr_code_weigh(&gc->code, message, messages, out);
}

const struct scheme scheme_gc_cr = {
    .head = {.name = "gc-cr",
             .summary = "gradient coding with a random code on cyclic windows of s + 1 partitions; exact",
             .source = "Tandon et al., arXiv 1612.03301, algorithms 1 and 2",
             .params = &straggler_params},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .refuses = code_refuses_windows,
    .stragglers = code_stragglers,
    .fewest = code_all_but_stragglers,
    .limits = limits,
    .begin = begin,
    .open = open,
    .assign = whole_assign,
    .finish = whole_finish,
    .hear = hear,
    .decodable = decodable,
    .choose = choose,
    .weigh = weigh,
};
