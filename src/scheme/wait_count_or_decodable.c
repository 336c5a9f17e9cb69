#include "wait.h"

struct count_or_decodable {
    uint32_t results; /* r; PARAM_ABSENT: n - s */
};

static const struct param list[] = {
    {.name = "results",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct count_or_decodable, results),
     .fallback = "",
     .minimum = 1,
     .unit = "results",
     .help = "the earliest results that close a step in any case; default: workers - stragglers"},
};
static const struct param_table table = {PARAM_TABLE(struct count_or_decodable, list)};

/* A step that closes with fewer has the exact gradient in hand. */
static uint32_t assured(const void *params, uint32_t workers, uint32_t stragglers) {
    uint32_t results = ((const struct count_or_decodable *)params)->results;
    return results == PARAM_ABSENT ? wait_needed(workers, stragglers) : results;
}

static struct verdict hear(const void *params, const struct hearing *hearing) {
    uint32_t results = assured(params, hearing->workers, hearing->stragglers);
    bool closes = hearing->heard >= results || hearing->decodable;
    return (struct verdict){closes ? CLOSE : LISTEN, NO_ALARM};
}

static bool refuses(const void *params, uint32_t workers, uint32_t stragglers, struct sentence *why) {
    uint32_t results = assured(params, workers, stragglers);
    if (results >= 1 && results <= workers)
        return false;
    sentence_set(why, "results = %u must be in [1, %u], the number of workers", results, workers);
    return true;
}

const struct wait_rule wait_count_or_decodable = {
    .head = {.name = "count-or-decodable",
             .summary = "close at the r-th result, or before it once what was heard gives the exact gradient",
             .source = "Wang, Charles and Papailiopoulos, arXiv 1901.09671 (ErasureHead)",
             .params = &table},
    .hear = hear,
    .assured = assured,
    .or_decodable = true,
    .refuses = refuses,
};
