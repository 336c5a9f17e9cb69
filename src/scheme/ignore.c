#include "choice.h"
#include "code_params.h"
#include "whole.h"

/* Its state is a struct whole: who was heard matters only at the close. */

static struct limits limits(const void *params, const struct setting *setting) {
    (void)params;
    (void)setting;
    return whole_limits(1);
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    (void)params;
    (void)code;
    struct whole *whole = arena_zeroed(arena, 1, sizeof *whole);
    whole_begin(whole, placement_cr(setting->shape.workers, 1), setting, arena);
    return whole;
}

static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct whole *whole = state;
    (void)message;
    choice_use_all(messages, out);
    out->recovered = messages;
    out->claim = choice_claim(out, whole->placement.workers);
}

static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct whole *whole = state;
    (void)message;
    choice_rescale(messages, whole->placement.workers, out);
}

const struct scheme scheme_ignore = {
    .head = {.name = "ignore",
             .summary = "each worker sends its own partition's gradient; the sum of those heard, scaled up",
             .source = "Chen et al., arXiv 1604.00981 (backup workers); also known as fastest-k, K-sync",
             .params = &straggler_params},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .refuses = code_refuses,
    .stragglers = code_stragglers,
    .fewest = code_any_one,
    .limits = limits,
    .begin = begin,
    .open = whole_open,
    .assign = whole_assign,
    .finish = whole_finish,
    .choose = choose,
    .weigh = weigh,
    .recovers = choice_one_each,
};
