#include "sequential.h"

static const char *const tolerances[] = {[TOLERANCE_PAPER] = "paper", [TOLERANCE_STRICT] = "strict", NULL};
static const char *const model_counts[] = {[MODELS_ONE] = "1", [MODELS_ALL] = "all", NULL};

#define AT(member) offsetof(struct sequential_params, member)
#define MU                                                                                                   \
    {                                                                                                        \
        .name = "mu", .kind = PARAM_NUMBER, .offset = AT(mu), .fallback = "1", .minimum = 0, .maximum = 1e6, \
        .help = "a worker straggles in a round when it takes above 1 + mu times the fastest one's time"      \
    }

static const struct param deadline_list[] = {
    {.name = "stragglers",
     .kind = PARAM_COUNT,
     .offset = AT(code.stragglers),
     .minimum = 0,
     .maximum = 1e6,
     .unit = "workers",
     .help = "workers that a step can do without (s), fewer than there are"},
    MU,
    {.name = "tolerance",
     .kind = PARAM_CHOICE,
     .offset = AT(tolerance),
     .fallback = "paper",
     .choices = tolerances,
     .help = "whether a deadline is kept with up to s stragglers or, strict, only with fewer"},
};

static const struct param burst_list[] = {
    {.name = "B",
     .kind = PARAM_COUNT,
     .offset = AT(bounds.length),
     .minimum = 1,
     .maximum = 1e6,
     .unit = "rounds",
     .help = "rounds within which a worker may straggle repeatedly, below W"},
    {.name = "W",
     .kind = PARAM_COUNT,
     .offset = AT(bounds.window),
     .minimum = 2,
     .maximum = 1e6,
     .unit = "rounds",
     .help = "window of rounds in which a worker may straggle in B successive ones at most"},
    {.name = "lambda",
     .kind = PARAM_COUNT,
     .offset = AT(bounds.distinct),
     .minimum = 0,
     .maximum = 1e6,
     .unit = "workers",
     .help = "distinct workers that may straggle within a window of W rounds"},
    MU,
    {.name = "models",
     .kind = PARAM_CHOICE,
     .offset = AT(models),
     .fallback = "1",
     .choices = model_counts,
     .help = "one model trained on stale gradients, or all: one more than the delay in rounds, trained in "
             "turn; jobs "
             "are released in the order in which they began, and rounds of runs.csv counts those that only "
             "end the last "
             "ones, idle or not"},
};

const struct param_table deadline_params = {PARAM_TABLE(struct sequential_params, deadline_list)};
const struct param_table burst_params = {PARAM_TABLE(struct sequential_params, burst_list)};

bool sequential_own_wait(const void *params, struct sentence *rule) {
    const struct sequential_params *sequential = params;
    sentence_set(rule, "{type: deadline, factor: %.17g, else: all}", 1 + sequential->mu);
    return true;
}

uint32_t sequential_stragglers(const void *params) {
    return ((const struct sequential_params *)params)->bounds.distinct;
}

uint32_t sequential_fewest(const void *params, struct shape shape) {
    uint32_t distinct = sequential_stragglers(params);
    return distinct < shape.workers ? shape.workers - distinct : 1;
}

uint32_t sequential_models(const struct sequential_params *params, uint32_t delay) {
    return params->models == MODELS_ALL ? delay + 1 : 1;
}

/* Job j takes a version of at least j - T and its last message is used by round j + T. Versions of models trained in turn
 * count the updates of one model each, so they fall behind the rounds without a bound. */
uint32_t sequential_span(const struct sequential_params *params, uint32_t delay) {
    return params->models == MODELS_ALL ? 0 : 2 * delay + 1;
}

bool sequential_refuses(const void *params, struct shape shape, struct sentence *why) {
    struct burst_bounds bounds = ((const struct sequential_params *)params)->bounds;
    if (shape.partitions != shape.workers)
        sentence_set(why, "partitions = %u must equal workers = %u", shape.partitions, shape.workers);
    else if (bounds.length >= bounds.window)
        sentence_set(why, "B = %u must be below W = %u", bounds.length, bounds.window);
    else if (bounds.distinct > shape.workers)
        sentence_set(why, "lambda = %u must be at most workers = %u", bounds.distinct, shape.workers);
    else
        return false;
    return true;
}

/* Each takes up to some dozens of bytes. */
#define MOST_ENTRIES 100000000

bool sequential_outgrows(struct shape shape, uint64_t entries, struct sentence *why) {
    if (entries <= MOST_ENTRIES / shape.workers)
        return false;
    sentence_set(
        why,
        "B, W and lambda make %llu entries for each of workers = %u, more than the %d in all that fit "
        "in memory",
        (unsigned long long)entries, shape.workers, MOST_ENTRIES);
    return true;
}
