/* counted_results.h: the parameter `results` of wait rules that close at the r-th result, and what it assures.
 * Knows not what else may close a step. */
#ifndef LAGGARD_COUNTED_RESULTS_H
#define LAGGARD_COUNTED_RESULTS_H
#include "wait.h"

struct counted_results {
    uint32_t results; /* r; PARAM_ABSENT: n - s */
};

/* The entry of a parameter table that fills a struct counted_results. */
#define COUNTED_RESULTS(text)                                                                                \
    {                                                                                                        \
        .name = "results", .kind = PARAM_COUNT, .offset = offsetof(struct counted_results, results),         \
        .fallback = "", .minimum = 1, .unit = "results", .help = (text)                                      \
    }

/* Hooks of struct wait_rule for parameters that are a struct counted_results. */
uint32_t counted_results_assured(const void *params, uint32_t workers, uint32_t stragglers);
bool counted_results_refuses(const void *params, uint32_t workers, uint32_t stragglers, struct sentence *why);
#endif
