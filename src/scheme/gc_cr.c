#include "gc_cr.h"
#include "choice.h"
#include "code_params.h"

struct limits gc_cr_limits(const void *params, const struct setting *setting) {
    (void)setting;
    return whole_limits(code_copies(params));
}

void *gc_cr_begin(const void *params, const struct setting *setting, struct stream code,
                  struct arena *arena) {
    uint32_t stragglers = code_stragglers(params);
    struct gc_cr *gc = arena_zeroed(arena, 1, sizeof *gc);
    whole_begin(&gc->whole, placement_cr(setting->shape.workers, stragglers + 1), setting, arena);
    cr_code_begin(&gc->code, setting, stragglers, code, arena);
    gc->whole.coefficient = gc->code.entry;
    return gc;
}

void gc_cr_open(void *state, uint32_t step, uint32_t version) {
    struct gc_cr *gc = state;
    (void)step;
    (void)version;
    gc->heard = 0;
}

void gc_cr_hear(void *state, const struct message *message) {
    struct gc_cr *gc = state;
    (void)message;
    gc->heard++;
}

bool gc_cr_decodable(const void *state) {
    const struct gc_cr *gc = state;
    return gc->heard + gc->code.stragglers >= gc->code.workers;
}

void gc_cr_choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct gc_cr *gc = state;
    (void)message;
    choice_use_all(messages, out);
    out->recovered = gc->code.workers;
    out->claim = EXACT;
}

void gc_cr_weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    struct gc_cr *gc = state;
    cr_code_weigh(&gc->code, message, messages, out);
}

/* All of them. */
static uint32_t recovers(const void *params, struct shape shape, uint32_t messages) {
    (void)params;
    (void)messages;
    return shape.partitions;
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
    .limits = gc_cr_limits,
    .begin = gc_cr_begin,
    .open = gc_cr_open,
    .assign = whole_assign,
    .finish = whole_finish,
    .hear = gc_cr_hear,
    .decodable = gc_cr_decodable,
    .choose = gc_cr_choose,
    .weigh = gc_cr_weigh,
    .exact_from = code_all_but_stragglers,
    .recovers = recovers,
    .exact = true,
};
