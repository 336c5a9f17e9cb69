#include "wait.h"

static struct verdict hear(const void *params, const struct hearing *hearing) {
    (void)params;
    return (struct verdict){hearing->decodable ? CLOSE : LISTEN, NO_ALARM};
}

static uint32_t assured(const void *params, uint32_t workers, uint32_t stragglers) {
    (void)params;
    (void)workers;
    (void)stragglers;
    return ONLY_DECODABLE;
}

const struct wait_rule wait_decodable = {
    .head = {.name = "decodable",
             .summary = "listen until what was heard gives the exact gradient",
             .source = "the condition of exact recovery of Tandon et al., arXiv 1612.03301"},
    .hear = hear,
    .assured = assured,
};
