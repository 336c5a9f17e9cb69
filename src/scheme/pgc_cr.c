#include "choice.h"
#include "code_params.h"
#include "pipeline.h"
#include <math.h>

/* Its state is a struct pipeline. */

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    (void)code;
    struct pipeline *pipeline = arena_zeroed(arena, 1, sizeof *pipeline);
    pipeline_begin(pipeline, placement_cr(setting->shape.workers, code_copies(params)), setting, arena);
    return pipeline;
}

static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct pipeline *pipeline = state;
    const struct placement *placement = &pipeline->placement;
    choice_use_all(messages, out);
    out->recovered = choice_cr_union(message, messages, placement->workers, placement->copies);
    out->claim = pipeline_claim(pipeline, messages);
}

/* Every message weighs n / (|R| c): each partition is in c of n windows, so in |R| c / n of those heard on average. */
static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    const struct pipeline *pipeline = state;
    (void)message;
    double weight = pipeline->placement.workers / ((double)messages * pipeline->placement.copies);
    for (uint32_t m = 0; m < messages; m++)
        out->weight[m] = weight;
    out->residual = (double)NAN;
    out->largest_weight = (double)NAN;
}

/* n c + xi */
static double factor(struct shape shape, const void *params, double xi) {
    return (double)shape.workers * code_copies(params) + xi;
}

static const struct theorem theorem = {
    .name = "Theorem 2", .source = "arXiv 2607.20739", .factor = factor, .stale = STALE_MEAN};

const struct scheme scheme_pgc_cr = {
    .head = {.name = "pgc-cr",
             .summary =
                 "pipelined code on cyclic windows: one partition a step, the mean of the stored sums heard",
             .source = "Su and Li, arXiv 2607.20739, section V",
             .params = &pipeline_params},
    .wait = "count",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .refuses = code_refuses_windows,
    .stragglers = code_stragglers,
    .fewest = code_any_one,
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
