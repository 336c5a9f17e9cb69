#include "worker_set.h"
#include "cloned.h"

CLONED static uint32_t count(const uint64_t *set, size_t words) {
    int members = 0;
    for (size_t w = 0; w < words; w++)
        members += __builtin_popcountll(set[w]);
    return (uint32_t)members;
}

uint32_t set_count(const uint64_t *set, size_t words) {
    return count(set, words);
}

CLONED static uint32_t count_either(const uint64_t *one, const uint64_t *other, size_t words) {
    int members = 0;
    for (size_t w = 0; w < words; w++)
        members += __builtin_popcountll(one[w] | other[w]);
    return (uint32_t)members;
}

uint32_t set_count_either(const uint64_t *one, const uint64_t *other, size_t words) {
    return count_either(one, other, words);
}

bool set_empty(const uint64_t *set, size_t words) {
    uint64_t any = 0;
    for (size_t w = 0; w < words; w++)
        any |= set[w];
    return any == 0;
}

bool set_meets(const uint64_t *one, const uint64_t *other, size_t words) {
    uint64_t both = 0;
    for (size_t w = 0; w < words; w++)
        both |= one[w] & other[w];
    return both != 0;
}

void set_fill(uint64_t *set, uint32_t workers) {
    size_t words = set_words(workers);
    for (size_t w = 0; w < words; w++)
        set[w] = ~UINT64_C(0);
    if (workers % 64 > 0)
        set[words - 1] >>= 64 - workers % 64;
}
