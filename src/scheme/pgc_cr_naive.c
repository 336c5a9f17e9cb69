#include "choice.h"
#include "code_params.h"
#include "cr_code.h"
#include "pipeline.h"

struct pgc_cr_naive {
    struct pipeline pipeline;
    struct cr_code code;
};

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    uint32_t stragglers = code_stragglers(params);
    struct pgc_cr_naive *pgc = arena_zeroed(arena, 1, sizeof *pgc);
    pipeline_begin(&pgc->pipeline, placement_cr(setting->shape.workers, stragglers + 1), setting, arena);
    cr_code_begin(&pgc->code, setting, stragglers, code, arena);
    pgc->pipeline.coefficient = pgc->code.entry;
    return pgc;
}

static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct pgc_cr_naive *pgc = state;
    const struct placement *placement = &pgc->pipeline.placement;
    choice_use_all(messages, out);
    out->recovered = choice_cr_union(message, messages, placement->workers, placement->copies);
    out->claim = pipeline_claim(&pgc->pipeline, messages);
}

/* The decode vector would undo B if all workers stored a partition at one version. They do not: a's large entries of
 * both signs then multiply the differences. */
static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    struct pgc_cr_naive *pgc = state;
    cr_code_weigh(&pgc->code, message, messages, out);
}

const struct scheme scheme_pgc_cr_naive = {
    .head = {.name = "pgc-cr-naive",
             .summary = "pipelined gc-cr decoded as if nothing were stale; diverges above a small step size",
             .source = "Su and Li, arXiv 2607.20739, section V.A",
             .params = &pipeline_params},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .refuses = code_refuses_windows,
    .stragglers = code_stragglers,
    .fewest = code_all_but_stragglers,
    .limits = pipeline_limits,
    .begin = begin,
    .open = pipeline_open,
    .assign = pipeline_assign,
    .finish = pipeline_finish,
    .choose = choose,
    .weigh = weigh,
    .kept = pipeline_kept,
};
