#include "code_params.h"
#include "plain.h"
#include <math.h>

/* While the model is far from its goal, successive gradients point the same way, and few results serve; once they turn
 * against each other more often than not, noise is all that is left, and more results make it smaller. */

struct adaptive_params {
    uint32_t k, burn_in, threshold, increment;
};

struct adaptive {
    struct whole whole;
    const struct adaptive_params *params;
    uint32_t k;       /* results that close a step now */
    uint32_t updates; /* since k was set */
    int64_t against;  /* of those, the ones whose gradient turned against the one before, less the others */
};

#define ADAPTIVE(name) offsetof(struct adaptive_params, name)
static const struct param list[] = {
    {"k", PARAM_COUNT, ADAPTIVE(k), .fallback = "1", .minimum = 1, .maximum = 1e6, .unit = "results",
     .help = "results that close a step at first"},
    {"burn_in", PARAM_COUNT, ADAPTIVE(burn_in), .fallback = "10", .maximum = 1e9, .unit = "steps",
     .help = "updates after a change of k before which it is not raised again"},
    {"threshold", PARAM_COUNT, ADAPTIVE(threshold), .fallback = "10", .maximum = 1e9, .unit = "steps",
     .help = "k is raised when gradients turned against the one before more than this many times more often "
             "than not"},
    {"increment", PARAM_COUNT, ADAPTIVE(increment), .fallback = "1", .minimum = 1, .maximum = 1e6,
     .unit = "results", .help = "what k is raised by, as long as that leaves it at most the workers"},
};
static const struct param_table table = {PARAM_TABLE(struct adaptive_params, list)};

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    uint32_t k = ((const struct adaptive_params *)params)->k;
    if (code_refuses(&(struct code_params){.stragglers = 0}, shape, why))
        return true;
    if (k <= shape.workers)
        return false;
    sentence_set(why, "k = %u must be at most workers = %u", k, shape.workers);
    return true;
}

static bool own_wait(const void *params, struct sentence *rule) {
    (void)params;
    sentence_set(rule, "{type: enough}");
    return true;
}

static uint32_t stragglers(const void *params) {
    (void)params;
    return ANY_STRAGGLERS;
}

static uint32_t bears(const void *state) {
    const struct adaptive *adaptive = state;
    return adaptive->whole.placement.workers - adaptive->k;
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    (void)code;
    struct adaptive *adaptive = plain_new(setting, sizeof *adaptive, arena);
    adaptive->params = params;
    adaptive->k = adaptive->params->k;
    return adaptive;
}

static void raise_k(struct adaptive *adaptive) {
    adaptive->k += adaptive->params->increment;
    adaptive->updates = 0;
    adaptive->against = 0;
}

/* The product of the first update has no sign. */
static void learned(void *state, double product) {
    struct adaptive *adaptive = state;
    const struct adaptive_params *params = adaptive->params;
    adaptive->updates++;
    if (!isnan(product))
        adaptive->against += product < 0 ? 1 : -1;
    if (adaptive->against > params->threshold && adaptive->updates > params->burn_in &&
        params->increment <= bears(adaptive))
        raise_k(adaptive);
}

const struct scheme scheme_adaptive_k = {
    .head = {.name = "adaptive-k",
             .summary = "as ignore, waiting for k results, which grow once successive gradients turn against "
                        "each other",
             .source =
                 "Kas Hanna et al., arXiv 2208.03134, algorithm 1 (adaptive fastest-k SGD): Pflug's test",
             .params = &table},
    .wait = "enough",
    .late = LATE_QUEUE,
    .lates = LATES_ALL,
    .refuses = refuses,
    .own_wait = own_wait,
    .takes_no_wait = true,
    .stragglers = stragglers,
    .bears = bears,
    .fewest = code_any_one,
    .limits = plain_limits,
    .begin = begin,
    .open = whole_open,
    .assign = whole_assign,
    .finish = whole_finish,
    .choose = plain_choose,
    .weigh = plain_weigh,
    .learned = learned,
};
