#include "wait.h"

struct count_params {
    uint32_t results; /* r; PARAM_ABSENT: n - s */
};

static const struct param list[] = {
    {.name = "results",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct count_params, results),
     .fallback = "",
     .minimum = 1,
     .unit = "results",
     .help = "the earliest results that close a step; default: workers - stragglers"},
};
static const struct param_table table = {PARAM_TABLE(struct count_params, list)};

static uint32_t assured(const void *params, uint32_t workers, uint32_t stragglers) {
    uint32_t results = ((const struct count_params *)params)->results;
    return results == PARAM_ABSENT ? wait_needed(workers, stragglers) : results;
}

static struct verdict hear(const void *params, const struct hearing *hearing) {
    uint32_t results = assured(params, hearing->workers, hearing->stragglers);
    return (struct verdict){hearing->heard >= results ? CLOSE : LISTEN, NO_ALARM};
}

static bool refuses(const void *params, uint32_t workers, uint32_t stragglers, struct sentence *why) {
    uint32_t results = assured(params, workers, stragglers);
    if (results >= 1 && results <= workers)
        return false;
    sentence_set(why, "results = %u must be in [1, %u], the number of workers", results, workers);
    return true;
}

const struct wait_rule wait_count = {
    .head = {.name = "count",
             .summary = "close at the r-th result",
             .source = "Chen et al., arXiv 1604.00981: all but the backup workers",
             .params = &table},
    .hear = hear,
    .assured = assured,
    .refuses = refuses,
};
