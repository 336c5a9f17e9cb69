/* Why changes of counts are kept: an entry that stands over many estimates counts once at each age that it goes through, which
 * is a range of ages. */
#include "table_ages.h"
#include <stdlib.h>

#define EMPTY UINT32_MAX

struct entry {
    uint32_t update; /* those before its version; EMPTY: there is none */
    uint32_t since;  /* the first estimate that it is in */
};

struct table_ages {
    uint32_t partitions, accumulate;
    struct entry *entry; /* [partitions] */
    uint32_t *oldest;    /* [2 * partitions]: a tree of least updates, the leaves last, the root at 1 */
    uint32_t entries;
    uint64_t updates; /* their sum over the entries */
    int64_t *change;  /* [capacity]: of the count at an age to that of the one before */
    size_t capacity;
};

struct table_ages *table_ages_new(uint32_t partitions, uint32_t accumulate) {
    struct table_ages *ages = memory_zeroed(1, sizeof *ages);
    ages->partitions = partitions;
    ages->accumulate = accumulate;
    ages->entry = memory_zeroed(partitions, sizeof *ages->entry);
    ages->oldest = memory_zeroed(2 * (size_t)partitions, sizeof *ages->oldest);
    for (uint32_t p = 0; p < partitions; p++)
        ages->entry[p].update = EMPTY;
    for (size_t q = 0; q < 2 * (size_t)partitions; q++)
        ages->oldest[q] = EMPTY;
    return ages;
}

void table_ages_free(struct table_ages *ages) {
    if (!ages)
        return;
    free(ages->entry);
    free(ages->oldest);
    free(ages->change);
    free(ages);
}

static void make_room(struct table_ages *ages, size_t age) {
    if (age < ages->capacity)
        return;
    size_t capacity = 2 * age + 16;
    ages->change = memory_resized(ages->change, capacity, sizeof *ages->change);
    for (size_t q = ages->capacity; q < capacity; q++)
        ages->change[q] = 0;
    ages->capacity = capacity;
}

static void count_ages(struct table_ages *ages, uint32_t first, uint32_t last, int64_t count) {
    make_room(ages, (size_t)last + 1);
    ages->change[first] += count;
    ages->change[last + 1] -= count;
}

/* Of the updates it goes through all count a estimates but the first and the last. */
static void count_entry(struct table_ages *ages, const struct entry *entry, uint32_t until) {
    if (entry->update == EMPTY || entry->since >= until)
        return;
    uint32_t a = ages->accumulate;
    uint32_t first = entry->since / a - entry->update, last = (until - 1) / a - entry->update;
    count_ages(ages, first, last, a);
    if (entry->since % a != 0)
        count_ages(ages, first, first, -(int64_t)(entry->since % a));
    if (until % a != 0)
        count_ages(ages, last, last, -(int64_t)(a - until % a));
}

static void sift(struct table_ages *ages, uint32_t partition, uint32_t update) {
    size_t q = (size_t)ages->partitions + partition;
    ages->oldest[q] = update;
    for (q /= 2; q >= 1; q /= 2) {
        uint32_t left = ages->oldest[2 * q], right = ages->oldest[2 * q + 1];
        ages->oldest[q] = left < right ? left : right;
    }
}

void table_ages_renew(struct table_ages *ages, uint32_t partition, uint32_t version, uint32_t estimate) {
    struct entry *entry = &ages->entry[partition];
    count_entry(ages, entry, estimate);
    if (entry->update == EMPTY)
        ages->entries++;
    else
        ages->updates -= entry->update;
    *entry = (struct entry){version / ages->accumulate, estimate};
    ages->updates += entry->update;
    sift(ages, partition, entry->update);
}

struct table_age table_ages_at(const struct table_ages *ages, uint32_t estimate) {
    struct table_age age = {.entries = ages->entries};
    uint32_t update = estimate / ages->accumulate;
    if (age.entries == 0)
        return age;
    age.largest = update - ages->oldest[1];
    age.sum = (double)((uint64_t)update * ages->entries - ages->updates);
    return age;
}

uint64_t *table_ages_counts(struct table_ages *ages, uint32_t estimates, size_t *count) {
    for (uint32_t p = 0; p < ages->partitions; p++) {
        count_entry(ages, &ages->entry[p], estimates);
        ages->entry[p].update = EMPTY;
    }
    uint64_t *counts = memory_zeroed(ages->capacity, sizeof *counts);
    int64_t sum = 0;
    for (size_t age = 0; age < ages->capacity; age++)
        counts[age] = (uint64_t)(sum += ages->change[age]);
    *count = ages->capacity;
    return counts;
}
