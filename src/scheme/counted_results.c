#include "counted_results.h"

uint32_t counted_results_assured(const void *params, uint32_t workers, uint32_t stragglers) {
    uint32_t results = ((const struct counted_results *)params)->results;
    return results == PARAM_ABSENT ? wait_needed(workers, stragglers) : results;
}

bool counted_results_refuses(const void *params, uint32_t workers, uint32_t stragglers,
                             struct sentence *why) {
    uint32_t results = counted_results_assured(params, workers, stragglers);
    if (results >= 1 && results <= workers)
        return false;
    sentence_set(why, "results = %u must be in [1, %u], the number of workers", results, workers);
    return true;
}
