#include "wait.h"

static struct verdict hear(const void *params, const struct hearing *hearing) {
    (void)params;
    return (struct verdict){hearing->heard == hearing->workers ? CLOSE : LISTEN, NO_ALARM};
}

static uint32_t assured(const void *params, uint32_t workers, uint32_t stragglers) {
    (void)params;
    (void)stragglers;
    return workers;
}

const struct wait_rule wait_all = {
    .head = {.name = "all",
             .summary = "listen until every worker was heard",
             .source = "bulk synchronous steps: Valiant, Communications of the ACM 33(8), 1990"},
    .hear = hear,
    .assured = assured,
};
