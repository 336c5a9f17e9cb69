#include "counted_results.h"

static const struct param list[] = {
    COUNTED_RESULTS("the earliest results that close a step in any case; default: workers - stragglers")};
static const struct param_table table = {PARAM_TABLE(struct counted_results, list)};

/* A step that closes with fewer has the exact gradient in hand. */
static struct verdict hear(const void *params, const struct hearing *hearing) {
    uint32_t results = counted_results_assured(params, hearing->workers, hearing->stragglers);
    bool closes = hearing->heard >= results || hearing->decodable;
    return (struct verdict){closes ? CLOSE : LISTEN, NO_ALARM};
}

const struct wait_rule wait_count_or_decodable = {
    .head = {.name = "count-or-decodable",
             .summary = "close at the r-th result, or before it once what was heard gives the exact gradient",
             .source = "Wang, Charles and Papailiopoulos, arXiv 1901.09671 (ErasureHead)",
             .params = &table},
    .hear = hear,
    .assured = counted_results_assured,
    .or_decodable = true,
    .refuses = counted_results_refuses,
};
