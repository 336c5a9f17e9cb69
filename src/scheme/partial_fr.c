#include "choice.h"
#include "groups.h"
#include "partial.h"
#include <math.h>

struct partial_fr {
    struct partial partial;
    struct groups groups; /* of the coded messages */
};

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    return code_refuses_fr(params, shape, why) || partial_refuses_pieces(params, shape, why);
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    const struct partial_params *given = params;
    uint32_t workers = setting->shape.workers, copies = code_copies(&given->code);
    (void)code;
    struct partial_fr *fr = arena_zeroed(arena, 1, sizeof *fr);
    partial_begin(&fr->partial, given, placement_fr(workers, copies), setting, arena);
    groups_begin(&fr->groups, workers, copies, arena);
    return fr;
}

static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    struct partial_fr *fr = state;
    uint32_t coded = partial_coded(&fr->partial, message, messages);
    groups_choose(&fr->groups, fr->partial.coded, coded, &fr->partial.decoding);
    partial_weights(&fr->partial, message, messages, out);
    out->recovered = fr->partial.decoding.recovered;
    out->claim = choice_claim(out, fr->partial.placement.workers);
}

/* The weights are those that mark what is used. */
static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    (void)state;
    (void)message;
    (void)messages;
    out->residual = (double)NAN;
    out->largest_weight = (double)NAN;
}

const struct scheme scheme_partial_fr = {
    .head = {.name = "partial-fr",
             .summary =
                 "private pieces first, then pieces coded by groups of s + 1 workers; exact, for stragglers "
                 "that are slow but alive",
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
