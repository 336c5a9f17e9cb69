/* worker_set.h: sets of workers as bits: worker i is bit i % 64 of word i / 64; bits after the last worker are 0. */
#ifndef LAGGARD_WORKER_SET_H
#define LAGGARD_WORKER_SET_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline size_t set_words(uint32_t workers) {
    return ((size_t)workers + 63) / 64;
}

static inline bool set_has(const uint64_t *set, uint32_t worker) {
    return set[worker / 64] >> worker % 64 & 1;
}

/* The first member of a word that is not empty, which it leaves. */
static inline uint32_t set_next(uint64_t *word) {
    uint32_t bit = (uint32_t)__builtin_ctzll(*word);
    *word &= *word - 1;
    return bit;
}

/* Of a word fewer than so many are soonest gone through one by one. */
#define SET_FEW 8

/* How many are in it. */
uint32_t set_count(const uint64_t *set, size_t words);
/* How many are in one or the other. */
uint32_t set_count_either(const uint64_t *one, const uint64_t *other, size_t words);
bool set_empty(const uint64_t *set, size_t words);
/* Somebody is in both. */
bool set_meets(const uint64_t *one, const uint64_t *other, size_t words);
/* All of so many workers. */
void set_fill(uint64_t *set, uint32_t workers);
/* Adds to the value of each who is in it; value[64 * words]. */
void set_add(double *value, const uint64_t *set, size_t words, double addend);
/* Those of so many who are not in it. */
void set_others(uint64_t *others, const uint64_t *set, uint32_t workers);
#endif
