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

void set_others(uint64_t *others, const uint64_t *set, uint32_t workers) {
    set_fill(others, workers);
    for (size_t w = 0; w < set_words(workers); w++)
        others[w] &= ~set[w];
}

CLONED static void add_to_many(double *value, const uint64_t *set, size_t words, double addend) {
    for (size_t w = 0; w < words; w++)
        for (size_t first = 0; first < 64; first += 8) {
            const uint64_t members = set[w] >> first;
            double *of = value + w * 64 + first;
            LANE_LOOP
            for (size_t l = 0; l < 8; l++)
                of[l] += members >> l & 1 ? addend : 0;
        }
}

static void add_to_few(double *value, const uint64_t *set, size_t words, double addend) {
    for (size_t w = 0; w < words; w++)
        for (uint64_t left = set[w]; left != 0;)
            value[w * 64 + set_next(&left)] += addend;
}

void set_add(double *value, const uint64_t *set, size_t words, double addend) {
    if (set_count(set, words) < SET_FEW * words)
        add_to_few(value, set, words, addend);
    else
        add_to_many(value, set, words, addend);
}
