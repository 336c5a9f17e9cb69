#include "choice.h"
#include "cr_code.h"
#include "partial.h"
#include <math.h>

struct partial_cr {
    struct partial partial;
    struct cr_code code; /* of the coded pieces, one of each partition */
};

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    return code_refuses_windows(params, shape, why) || partial_refuses_pieces(params, shape, why);
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    const struct partial_params *given = params;
    struct placement placement = placement_cr(setting->shape.workers, code_copies(&given->code));
    struct partial_cr *cr = arena_zeroed(arena, 1, sizeof *cr);
    partial_begin(&cr->partial, given, placement, setting, arena);
    cr_code_begin(&cr->code, setting, given->code.stragglers, code, arena);
    cr->partial.coefficient = cr->code.entry;
    return cr;
}

static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct partial_cr *cr = state;
    (void)message;
    choice_use_all(messages, out);
    out->recovered = cr->code.workers;
    out->claim = EXACT;
}

static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    struct partial_cr *cr = state;
    uint32_t coded = partial_coded(&cr->partial, message, messages);
    cr_code_weigh(&cr->code, cr->partial.coded, coded, &cr->partial.decoding);
    partial_weights(&cr->partial, message, messages, out);
    out->residual = cr->partial.decoding.residual;
    out->largest_weight = fmax(1, cr->partial.decoding.largest_weight);
}

const struct scheme scheme_partial_cr = {
    .head = {.name = "partial-cr",
             .summary =
                 "private pieces first, then pieces coded on cyclic windows of s + 1 partitions; exact, for "
                 "stragglers that are slow but alive",
             .source = "Tandon et al., arXiv 1612.03301, the scheme for partial stragglers",
             .params = &partial_table},
    .wait = "decodable",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .refuses = refuses,
    .stragglers = code_stragglers,
    .fewest = partial_fewest,
    .limits = partial_limits,
    .begin = begin,
    .open = partial_open,
    .assign = partial_assign,
    .finish = partial_finish,
    .hear = partial_hear,
    .decodable = partial_decodable,
    .choose = choose,
    .weigh = weigh,
};
