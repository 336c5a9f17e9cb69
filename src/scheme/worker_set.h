/* worker_set.h: sets of workers as bits: worker i is bit i % 64 of word i / 64; bits after the last worker are 0. */
#ifndef LAGGARD_WORKER_SET_H
#define LAGGARD_WORKER_SET_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline size_t set_words(uint32_t workers) {
    return ((size_t)workers + 63) / 64;
}

/* How many are in it. */
uint32_t set_count(const uint64_t *set, size_t words);
/* How many are in one or the other. */
uint32_t set_count_either(const uint64_t *one, const uint64_t *other, size_t words);
bool set_empty(const uint64_t *set, size_t words);
/* Somebody is in both. */
bool set_meets(const uint64_t *one, const uint64_t *other, size_t words);
/* All of so many workers. */
void set_fill(uint64_t *set, uint32_t workers);
#endif
