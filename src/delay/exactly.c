#include "bisection.h"
#include "law.h"
#include <assert.h>
#include <math.h>
#include <string.h>

struct exactly {
    uint32_t stragglers;
    const struct picked *law;
    uint32_t members; /* of the group, from load */
};

/* Members of a group at most. */
#define MEMBERS_MAX 1000000
#define WORD        64

/* The stragglers of one step, a bit per member. */
struct chosen {
    struct stream stream;
    uint32_t step, members, stragglers;
    uint64_t bits[MEMBERS_MAX / WORD + 1];
};

static bool holds(const struct chosen *chosen, uint32_t member) {
    return chosen->bits[member / WORD] >> member % WORD & 1;
}

static bool is_of(const struct chosen *chosen, const struct exactly *exactly, const struct draw *draw) {
    const struct stream *a = &chosen->stream, *b = &draw->stream;
    return a->seed == b->seed && a->replication == b->replication && a->purpose == b->purpose &&
           chosen->step == draw->step && chosen->members == exactly->members &&
           chosen->stragglers == exactly->stragglers;
}

/* Floyd's choice of q of n: every set alike, q draws. Keyed by the step alone, so that all members see one set. */
static void choose(struct chosen *chosen, const struct exactly *exactly, const struct draw *at) {
    struct draw draw = {.stream = at->stream, .worker = STREAM_TIE, .step = at->step};
    chosen->stream = at->stream;
    chosen->step = at->step;
    chosen->members = exactly->members;
    chosen->stragglers = exactly->stragglers;
    memset(chosen->bits, 0, (exactly->members / WORD + 1) * sizeof *chosen->bits);
    for (uint32_t last = exactly->members - exactly->stragglers; last < exactly->members; last++) {
        uint32_t other = draw_index(&draw, last + 1), member = holds(chosen, other) ? last : other;
        chosen->bits[member / WORD] |= (uint64_t)1 << member % WORD;
    }
}

/* The members of a group ask one after another, for computing and for their delay, so the latest sets of both are kept: a
 * step draws them once, not once per member. */
static bool straggles(const struct exactly *exactly, const struct occasion *occasion) {
    static _Thread_local struct chosen kept[2];
    struct chosen *latest = &kept[occasion->draw.stream.purpose % 2];
    assert(exactly->members <= MEMBERS_MAX && occasion->member < exactly->members);
    if (exactly->stragglers == 0)
        return false;
    if (!is_of(latest, exactly, &occasion->draw))
        choose(latest, exactly, &occasion->draw);
    return holds(latest, occasion->member);
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

static bool replays_within(const void *params) {
    const struct exactly *exactly = params;
    return law_replays(exactly->law);
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
               "must be at most the group's %u worker%s, found %u", exactly->members,
               plural(exactly->members), exactly->stragglers);
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
    .replays_within = replays_within,
    .skips = skips,
    .rounds = rounds,
    .load = load,
};
