/* table_ages.h: how old the entries of a scheme's table are, estimate by estimate. A table is as long as there are partitions,
 * and few of its entries change from one estimate to the next: an estimate costs those alone, times a logarithm.
 * Knows no scheme and no result: it is told what was renewed.
 *
 * Estimate t makes version t + 1; its entries of version v are of age floor(t/a) - floor(v/a), a being the estimates that make
 * an update. */
#ifndef LAGGARD_TABLE_AGES_H
#define LAGGARD_TABLE_AGES_H
#include "memory.h"
#include <stdint.h>

struct table_ages;
struct table_ages *table_ages_new(uint32_t partitions, uint32_t accumulate);
void table_ages_free(struct table_ages *ages);

/* The partition's entry is of `version` from estimate `estimate` on. */
void table_ages_renew(struct table_ages *ages, uint32_t partition, uint32_t version, uint32_t estimate);

/* Of the entries at an estimate: how many there are, the sum of their ages and the largest. */
struct table_age {
    uint32_t entries, largest;
    double sum;
};
struct table_age table_ages_at(const struct table_ages *ages, uint32_t estimate);

/* Entries by their age, summed over the first so many estimates; [*count], by the caller to be freed. Nothing can be renewed
 * any more. */
uint64_t *table_ages_counts(struct table_ages *ages, uint32_t estimates, size_t *count);
#endif
