/* sift.h: some of many numbers, found by their size: without a branch that depends on them. Knows only numbers. */
#ifndef LAGGARD_SIFT_H
#define LAGGARD_SIFT_H
#include <stddef.h>
#include <stdint.h>

/* What is written beyond the last that is found, and means nothing. */
#define SIFT_SPARE 16

struct numbers {
    const double *value;
    size_t count;
};

/* Writes the places of the values below `limit`, in their order; returns their number. `place` has room for all and SIFT_SPARE. */
size_t sift_below(const struct numbers *of, double limit, uint32_t *place);

struct sieve {
    double low, high;
};
/* How many are below low, at low, between, at high. */
struct sifted {
    size_t below, at_low, between, at_high;
};
/* Counts, and writes those between to `to`, in their order. `to` has room for them and SIFT_SPARE, or it is where they are. */
struct sifted sift_between(const struct numbers *of, const struct sieve *sieve, double *to);

/* Writes those within [low, high] to `to`, in their order, which has room for all and SIFT_SPARE; returns their number and how many
 * are below. */
struct sifted_within {
    size_t below, within;
};
struct sifted_within sift_within(const struct numbers *of, const struct sieve *sieve, double *to);

/* Ways to do so that this processor knows, which find the same; the first is taken. */
size_t sift_ways(void);
size_t sift_below_by(size_t way, const struct numbers *of, double limit, uint32_t *place);
struct sifted_within sift_within_by(size_t way, const struct numbers *of, const struct sieve *sieve,
                                    double *to);
struct sifted sift_between_by(size_t way, const struct numbers *of, const struct sieve *sieve, double *to);
#endif
