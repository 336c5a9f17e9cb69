#include "bisection.h"
#include "law.h"
#include "memory.h"
#include <math.h>
#include <stdlib.h>

struct exactly {
    uint32_t stragglers;
    const struct picked *law;
    uint32_t members; /* of the group, from load */
};

static bool holds(const uint32_t *chosen, uint32_t count, uint32_t member) {
    for (uint32_t c = 0; c < count; c++)
        if (chosen[c] == member)
            return true;
    return false;
}

/* Floyd's choice of q of n: every set alike, q draws. Keyed by the step alone, so that all members see one set. */
static bool straggles(const struct exactly *exactly, const struct occasion *occasion) {
    enum { FEW = 256 };
    uint32_t few[FEW], members = exactly->members, q = exactly->stragglers;
    uint32_t *chosen = q <= FEW ? few : memory_zeroed(q, sizeof *chosen);
    struct draw draw = {.stream = occasion->draw.stream, .worker = STREAM_TIE, .step = occasion->draw.step};
    for (uint32_t c = 0; c < q; c++) {
        uint32_t last = members - q + c, other = draw_index(&draw, last + 1);
        chosen[c] = holds(chosen, c, other) ? last : other;
    }
    bool found = holds(chosen, q, occasion->member);
    if (chosen != few)
        free(chosen);
    return found;
}

static double sample(const void *params, struct occasion occasion) {
    const struct exactly *exactly = params;
    return straggles(exactly, &occasion) ? law_sample(exactly->law, occasion) : 0;
}

static double share(const struct exactly *exactly) {
    return (double)exactly->stragglers / exactly->members;
}

static struct moments moments(const void *params) {
    const struct exactly *exactly = params;
    struct moments one = law_moments(exactly->law);
    double part = share(exactly);
    if (part <= 0)
        return (struct moments){0, 0};
    if (isinf(one.mean_s))
        return (struct moments){HUGE_VAL, HUGE_VAL};
    double mean_s = part * one.mean_s;
    double square = part * (one.deviation_s * one.deviation_s + one.mean_s * one.mean_s);
    return (struct moments){.mean_s = mean_s, .deviation_s = sqrt(square - mean_s * mean_s)};
}

static double cdf(const void *params, double seconds) {
    const struct exactly *exactly = params;
    if (seconds < 0)
        return 0;
    return 1 - share(exactly) * (1 - law_cdf(exactly->law, seconds));
}

static double survival(const void *params, double seconds) {
    const struct exactly *exactly = params;
    return seconds < 0 ? 1 : share(exactly) * law_survival(exactly->law, seconds);
}

/* Who does not straggle takes 0 s. */
static double jump(const void *params, double after_s) {
    const struct exactly *exactly = params;
    return after_s < 0 ? 0 : law_jump(exactly->law, after_s);
}

static bool dependent(const void *params) {
    const struct exactly *exactly = params;
    bool certain = exactly->stragglers == 0 || exactly->stragglers == exactly->members;
    return !certain || law_dependent(exactly->law);
}

static double quantile(const void *params, double p) {
    return bisected_quantile(cdf, params, p);
}

static bool skips(const void *params) {
    return law_skips(((const struct exactly *)params)->law);
}

static uint32_t rounds(const void *params) {
    return law_rounds(((const struct exactly *)params)->law);
}

static bool load(void *params, const struct law_files *files) {
    struct exactly *exactly = params;
    struct law_files own = *files;
    own.node = node_child(files->node, "law");
    exactly->members = files->members;
    if (exactly->stragglers <= exactly->members)
        return law_load(exactly->law, &own);
    node_error(files->diag, node_child(files->node, "stragglers"),
               "must be at most the group's %u workers, found %u", exactly->members, exactly->stragglers);
    return false;
}

static const struct param list[] = {
    {.name = "stragglers",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct exactly, stragglers),
     .maximum = 10000,
     .unit = "workers",
     .help = "workers of the group that straggle in every step"},
    {.name = "law",
     .kind = PARAM_STRUCT,
     .offset = offsetof(struct exactly, law),
     .table = &law_table,
     .help = "law of their times; the others take 0 s"},
};
static const struct param_table table = {PARAM_TABLE(struct exactly, list)};

const struct law law_exactly = {
    .head = {.name = "exactly",
             .summary = "in every step a fixed number of the group's workers straggle, drawn anew",
             .source = "Floyd's sampling: Bentley and Floyd, Communications of the ACM 30(9), 1987",
             .params = &table},
    .sample = sample,
    .moments = moments,
    .quantile = quantile,
    .cdf = cdf,
    .survival = survival,
    .jump = jump,
    .dependent = dependent,
    .skips = skips,
    .rounds = rounds,
    .load = load,
};
