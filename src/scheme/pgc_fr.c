#include "choice.h"
#include "code_params.h"
#include "groups.h"
#include "pipeline.h"

struct pgc_fr {
    struct pipeline pipeline;
    struct groups groups;
};

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    uint32_t workers = setting->shape.workers, copies = code_copies(params);
    (void)code;
    struct pgc_fr *pgc = arena_zeroed(arena, 1, sizeof *pgc);
    pipeline_begin(&pgc->pipeline, placement_fr(workers, copies), setting, arena);
    groups_begin(&pgc->groups, workers, copies, arena);
    return pgc;
}

static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    struct pgc_fr *pgc = state;
    groups_choose(&pgc->groups, message, messages, out);
    out->claim = pipeline_claim(&pgc->pipeline, messages);
}

/* With n - s messages or more every group answered, and the scale is 1. */
static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct pgc_fr *pgc = state;
    (void)message;
    choice_rescale(messages, pgc->pipeline.placement.workers, out);
}

/* n (n + xi) */
static double factor(struct shape shape, const void *params, double xi) {
    double workers = shape.workers;
    (void)params;
    return workers * (workers + xi);
}

static const struct theorem theorem = {
    .name = "Theorem 1", .source = "arXiv 2607.20739", .factor = factor, .stale = STALE_EACH};

const struct scheme scheme_pgc_fr = {
    .head =
        {.name = "pgc-fr",
         .summary =
             "pipelined code in groups: one partition a step, the stored sum of each group's first responder",
         .source = "Su and Li, arXiv 2607.20739, section IV",
         .params = &pipeline_params},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .refuses = code_refuses_fr,
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
    .theorem = &theorem,
};
