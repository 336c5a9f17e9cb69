/* What is found, by every way that this processor knows, against one number after another. */
#include "memory.h"
#include "sift.h"
#include "stream.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>

enum { MOST = 100 };

/* Few different values, so that many are at the bounds. */
static void fill(double *value, size_t count) {
    for (size_t q = 0; q < count; q++) {
        struct draw draw = {{4, 0, PURPOSE_DATA}, (uint32_t)count, (uint32_t)q, 0};
        value[q] = q % 13 == 3 ? (double)INFINITY : draw_index(&draw, 8);
    }
}

static void expect_below(size_t way, const struct numbers *of, double limit) {
    uint32_t place[MOST + SIFT_SPARE];
    size_t found = sift_below_by(way, of, limit, place), wanted = 0;
    for (size_t q = 0; q < of->count; q++)
        if (of->value[q] < limit)
            cr_assert(wanted < found && place[wanted++] == q, "way %zu, %zu of %zu below %g", way, q,
                      of->count, limit);
    cr_assert(eq(sz, found, wanted), "way %zu, %zu below %g", way, of->count, limit);
}

static void expect_between(size_t way, const struct numbers *of, const struct sieve *sieve) {
    double to[MOST + SIFT_SPARE], own[MOST];
    struct sifted found = sift_between_by(way, of, sieve, to), wanted = {0};
    for (size_t q = 0; q < of->count; q++) {
        own[q] = of->value[q];
        wanted.below += own[q] < sieve->low;
        wanted.at_low += own[q] == sieve->low;
        wanted.at_high += own[q] == sieve->high;
        if (own[q] > sieve->low && own[q] < sieve->high)
            cr_assert(to[wanted.between++] == own[q], "way %zu, %zu of %zu", way, q, of->count);
    }
    cr_assert(eq(sz, found.below, wanted.below), "way %zu, %zu", way, of->count);
    cr_assert(eq(sz, found.at_low, wanted.at_low), "way %zu, %zu", way, of->count);
    cr_assert(eq(sz, found.between, wanted.between), "way %zu, %zu", way, of->count);
    cr_assert(eq(sz, found.at_high, wanted.at_high), "way %zu, %zu", way, of->count);
    sift_between_by(way, &(struct numbers){own, of->count}, sieve, own);
    for (size_t q = 0; q < wanted.between; q++)
        cr_assert(own[q] == to[q], "way %zu, %zu of %zu in place", way, q, of->count);
}

static void expect_within(size_t way, const struct numbers *of, const struct sieve *sieve) {
    double to[MOST + SIFT_SPARE];
    struct sifted_within found = sift_within_by(way, of, sieve, to), wanted = {0};
    for (size_t q = 0; q < of->count; q++) {
        const double value = of->value[q];
        wanted.below += value < sieve->low;
        if (value >= sieve->low && value <= sieve->high)
            cr_assert(to[wanted.within++] == value, "way %zu, %zu of %zu", way, q, of->count);
    }
    cr_assert(eq(sz, found.below, wanted.below), "way %zu, %zu", way, of->count);
    cr_assert(eq(sz, found.within, wanted.within), "way %zu, %zu", way, of->count);
}

Test(sift, finds_what_a_search_finds) {
    double value[MOST];
    for (size_t way = 0; way < sift_ways(); way++)
        for (size_t count = 0; count <= MOST; count++) {
            const struct numbers of = {value, count};
            fill(value, count);
            for (double low = -1; low <= 8; low += 3) {
                expect_below(way, &of, low);
                for (double high = low; high <= 9; high++) {
                    expect_between(way, &of, &(struct sieve){low, high});
                    expect_within(way, &of, &(struct sieve){low, high});
                }
                expect_within(way, &of, &(struct sieve){low, (double)INFINITY});
            }
        }
}
