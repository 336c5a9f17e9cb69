#include "bisection.h"
#include "law.h"
#include <math.h>

struct part {
    double weight;
    struct picked law;
};

struct mixture {
    struct param_list parts;
};

/* The parts, and the sum of their weights: weights are relative. */
struct shares {
    const struct part *part;
    uint32_t parts;
    double total;
};

static struct shares shares_of(const void *params) {
    const struct mixture *mixture = params;
    struct shares shares = {.part = mixture->parts.items, .parts = mixture->parts.count};
    for (uint32_t p = 0; p < shares.parts; p++)
        shares.total += shares.part[p].weight;
    return shares;
}

/* The first draw chooses the part, the next belong to it. Rounding may leave nothing for the last part with a
 * weight, or a trace of `left` after it: the last one passed is the one chosen. */
static double sample(const void *params, struct occasion occasion) {
    struct shares shares = shares_of(params);
    double left = draw_unit(&occasion.draw) * shares.total;
    uint32_t chosen = 0;
    for (uint32_t p = 0; p < shares.parts && left >= 0; p++)
        if (shares.part[p].weight > 0) {
            left -= shares.part[p].weight;
            chosen = p;
        }
    return law_sample(&shares.part[chosen].law, occasion);
}

static struct moments moments(const void *params) {
    struct shares shares = shares_of(params);
    double mean_s = 0, variance = 0;
    for (uint32_t p = 0; p < shares.parts; p++)
        if (shares.part[p].weight > 0)
            mean_s += shares.part[p].weight / shares.total * law_moments(&shares.part[p].law).mean_s;
    if (isinf(mean_s))
        return (struct moments){.mean_s = HUGE_VAL, .deviation_s = HUGE_VAL};
    for (uint32_t p = 0; p < shares.parts; p++)
        if (shares.part[p].weight > 0) {
            struct moments one = law_moments(&shares.part[p].law);
            double apart = one.mean_s - mean_s;
            variance +=
                shares.part[p].weight / shares.total * (one.deviation_s * one.deviation_s + apart * apart);
        }
    return (struct moments){.mean_s = mean_s, .deviation_s = sqrt(variance)};
}

/* Adds like shares_of, so that certainty in every part is exactly 1. */
static double cdf(const void *params, double seconds) {
    struct shares shares = shares_of(params);
    double within = 0;
    for (uint32_t p = 0; p < shares.parts; p++)
        within += shares.part[p].weight * law_cdf(&shares.part[p].law, seconds);
    return within / shares.total;
}

static double survival(const void *params, double seconds) {
    struct shares shares = shares_of(params);
    double beyond = 0;
    for (uint32_t p = 0; p < shares.parts; p++)
        beyond += shares.part[p].weight * law_survival(&shares.part[p].law, seconds);
    return beyond / shares.total;
}

static double jump(const void *params, double after_s) {
    struct shares shares = shares_of(params);
    double first_s = HUGE_VAL;
    for (uint32_t p = 0; p < shares.parts; p++)
        if (shares.part[p].weight > 0)
            first_s = fmin(first_s, law_jump(&shares.part[p].law, after_s));
    return first_s;
}

static bool dependent(const void *params) {
    struct shares shares = shares_of(params);
    for (uint32_t p = 0; p < shares.parts; p++)
        if (law_dependent(&shares.part[p].law))
            return true;
    return false;
}

static bool replays_within(const void *params) {
    struct shares shares = shares_of(params);
    for (uint32_t p = 0; p < shares.parts; p++)
        if (law_replays(&shares.part[p].law))
            return true;
    return false;
}

static double quantile(const void *params, double p) {
    return bisected_quantile(cdf, params, p);
}

static bool skips(const void *params) {
    struct shares shares = shares_of(params);
    for (uint32_t p = 0; p < shares.parts; p++)
        if (law_skips(&shares.part[p].law))
            return true;
    return false;
}

static uint32_t rounds(const void *params) {
    struct shares shares = shares_of(params);
    uint32_t fewest = UINT32_MAX;
    for (uint32_t p = 0; p < shares.parts; p++) {
        uint32_t one = law_rounds(&shares.part[p].law);
        fewest = one < fewest ? one : fewest;
    }
    return fewest;
}

static bool load(void *params, const struct law_files *files) {
    struct shares shares = shares_of(params);
    const struct node *node = node_child(files->node, "parts")->first;
    bool loaded = true;
    for (uint32_t p = 0; p < shares.parts; p++, node = node->next) {
        struct law_files part = *files;
        part.node = node;
        loaded &= law_load(&shares.part[p].law, &part);
    }
    return loaded;
}

static const char *check(const void *values, struct sentence *why) {
    if (shares_of(values).total > 0)
        return NULL;
    sentence_set(why, "at least one part must have a weight above 0");
    return "parts";
}

static const struct param part_list[] = {
    {.name = "weight",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct part, weight),
     .maximum = 1e9,
     .help = "how often, relative to the other weights"},
};
static const struct param_table part_table = {PARAM_TABLE(struct part, part_list), .family = &law_family,
                                              .picked = offsetof(struct part, law)};

static const struct param list[] = {
    {.name = "parts",
     .kind = PARAM_LIST,
     .offset = offsetof(struct mixture, parts),
     .table = &part_table,
     .help = "laws, each with a weight"},
};
static const struct param_table table = {PARAM_TABLE(struct mixture, list), .check = check};

const struct law law_mixture = {
    .head = {.name = "mixture",
             .summary = "one of several laws, chosen anew on every occasion",
             .source =
                 "Titterington, Smith and Makov, Statistical Analysis of Finite Mixture Distributions, 1985",
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
