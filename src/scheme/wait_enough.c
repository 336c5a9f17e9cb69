#include "wait.h"

/* A scheme that can do without anybody asks for one result at least. */
static uint32_t assured(const void *params, uint32_t workers, uint32_t stragglers) {
    uint32_t needed = wait_needed(workers, stragglers);
    (void)params;
    return needed > 0 ? needed : 1;
}

static struct verdict hear(const void *params, const struct hearing *hearing) {
    uint32_t results = assured(params, hearing->workers, hearing->stragglers);
    return (struct verdict){hearing->heard >= results ? CLOSE : LISTEN, NO_ALARM};
}

const struct wait_rule wait_enough = {
    .head = {.name = "enough",
             .summary =
                 "close once no more workers are missing than the scheme bears, which may change in a run",
             .source = "Kas Hanna et al., arXiv 2208.03134 (adaptive fastest-k SGD)"},
    .hear = hear,
    .assured = assured,
};
