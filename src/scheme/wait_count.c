#include "counted_results.h"

static const struct param list[] = {
    COUNTED_RESULTS("the earliest results that close a step; default: workers - stragglers")};
static const struct param_table table = {PARAM_TABLE(struct counted_results, list)};

static struct verdict hear(const void *params, const struct hearing *hearing) {
    uint32_t results = counted_results_assured(params, hearing->workers, hearing->stragglers);
    return (struct verdict){hearing->heard >= results ? CLOSE : LISTEN, NO_ALARM};
}

const struct wait_rule wait_count = {
    .head = {.name = "count",
             .summary = "close at the r-th result",
             .source = "Chen et al., arXiv 1604.00981: all but the backup workers",
             .params = &table},
    .hear = hear,
    .assured = counted_results_assured,
    .refuses = counted_results_refuses,
};
