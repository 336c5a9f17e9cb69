#include "sift.h"
#include "cloned.h"
#include <stdbool.h>
#if HAS_V4
#include <immintrin.h>
#endif

enum { BLOCK = 8 };

/* Appends without a branch, as none could be foretold. */
static size_t below_alone(const struct numbers *of, double limit, uint32_t *place) {
    size_t found = 0;
    for (size_t q = 0; q < of->count; q++) {
        place[found] = (uint32_t)q;
        found += of->value[q] < limit;
    }
    return found;
}

/* Whether some of a block of values are within, and how many are below. */
INLINED bool look(const double *value, double low, double high, uint64_t *below) {
    uint64_t less = 0, within = 0;
    LANE_LOOP
    for (size_t l = 0; l < BLOCK; l++) {
        less += value[l] < low;
        within |= (value[l] >= low) & (value[l] <= high);
    }
    *below += less;
    return within != 0;
}

INLINED void add_between(struct sifted *sifted, double value, const struct sieve *sieve, double *to) {
    sifted->at_low += value == sieve->low;
    sifted->at_high += value == sieve->high;
    to[sifted->between] = value;
    sifted->between += (value > sieve->low) & (value < sieve->high);
}

/* Most blocks have none within. */
CLONED static struct sifted sift_between_blocks(const struct numbers *of, const struct sieve *sieve,
                                                double *to) {
    const struct sieve bounds = *sieve;
    struct sifted sifted = {0};
    uint64_t below = 0;
    size_t q = 0;
    for (; q + BLOCK <= of->count; q += BLOCK)
        if (look(of->value + q, bounds.low, bounds.high, &below))
            for (size_t l = 0; l < BLOCK; l++)
                add_between(&sifted, of->value[q + l], &bounds, to);
    for (; q < of->count; q++) {
        below += of->value[q] < bounds.low;
        add_between(&sifted, of->value[q], &bounds, to);
    }
    sifted.below = below;
    return sifted;
}

CLONED static struct sifted_within sift_within_blocks(const struct numbers *of, const struct sieve *sieve,
                                                      double *to) {
    const double low = sieve->low, high = sieve->high;
    size_t within = 0, q = 0;
    uint64_t below = 0;
    for (; q + BLOCK <= of->count; q += BLOCK)
        if (look(of->value + q, low, high, &below))
            for (size_t l = 0; l < BLOCK; l++) {
                const double value = of->value[q + l];
                to[within] = value;
                within += (value >= low) & (value <= high);
            }
    for (; q < of->count; q++) {
        const double value = of->value[q];
        below += value < low;
        to[within] = value;
        within += (value >= low) & (value <= high);
    }
    return (struct sifted_within){below, within};
}

#if HAS_V4
/* A register of those found is stored whole, as one processor or the other is slow to store a part. */
TARGET_V4 static size_t below_wide(const struct numbers *of, double limit, uint32_t *place) {
    const __m512d limits = _mm512_set1_pd(limit);
    __m512i places = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    size_t found = 0, q = 0;
    for (; q + 16 <= of->count; q += 16) {
        const unsigned first = _mm512_cmp_pd_mask(_mm512_loadu_pd(of->value + q), limits, _CMP_LT_OQ);
        const unsigned second = _mm512_cmp_pd_mask(_mm512_loadu_pd(of->value + q + 8), limits, _CMP_LT_OQ);
        const unsigned below = first | second << 8;
        _mm512_storeu_si512(place + found, _mm512_maskz_compress_epi32((__mmask16)below, places));
        found += (size_t)__builtin_popcount(below);
        places = _mm512_add_epi32(places, _mm512_set1_epi32(16));
    }
    for (; q < of->count; q++) {
        place[found] = (uint32_t)q;
        found += of->value[q] < limit;
    }
    return found;
}

TARGET_V4 static struct sifted between_wide(const struct numbers *of, const struct sieve *sieve, double *to) {
    const __m512d low = _mm512_set1_pd(sieve->low), high = _mm512_set1_pd(sieve->high);
    struct sifted sifted = {0};
    size_t q = 0;
    for (; q + 8 <= of->count; q += 8) {
        const __m512d value = _mm512_loadu_pd(of->value + q);
        const __mmask8 above_low = _mm512_cmp_pd_mask(low, value, _CMP_LT_OQ);
        const __mmask8 between = _mm512_mask_cmp_pd_mask(above_low, value, high, _CMP_LT_OQ);
        sifted.below += (size_t)__builtin_popcount(_mm512_cmp_pd_mask(value, low, _CMP_LT_OQ));
        sifted.at_low += (size_t)__builtin_popcount(_mm512_cmp_pd_mask(value, low, _CMP_EQ_OQ));
        sifted.at_high += (size_t)__builtin_popcount(_mm512_cmp_pd_mask(value, high, _CMP_EQ_OQ));
        _mm512_storeu_pd(to + sifted.between, _mm512_maskz_compress_pd(between, value));
        sifted.between += (size_t)__builtin_popcount(between);
    }
    const struct numbers rest = {of->value + q, of->count - q};
    const struct sifted more = sift_between_blocks(&rest, sieve, to + sifted.between);
    return (struct sifted){sifted.below + more.below, sifted.at_low + more.at_low,
                           sifted.between + more.between, sifted.at_high + more.at_high};
}

TARGET_V4 static struct sifted_within within_wide(const struct numbers *of, const struct sieve *sieve,
                                                  double *to) {
    const __m512d low = _mm512_set1_pd(sieve->low), high = _mm512_set1_pd(sieve->high);
    size_t upward = 0, within = 0, q = 0;
    for (; q + 8 <= of->count; q += 8) {
        const __m512d value = _mm512_loadu_pd(of->value + q);
        const __mmask8 up = _mm512_cmp_pd_mask(low, value, _CMP_LE_OQ);
        const __mmask8 in = _mm512_mask_cmp_pd_mask(up, value, high, _CMP_LE_OQ);
        upward += (size_t)__builtin_popcount(up);
        _mm512_storeu_pd(to + within, _mm512_maskz_compress_pd(in, value));
        within += (size_t)__builtin_popcount(in);
    }
    const struct sifted_within rest =
        sift_within_blocks(&(struct numbers){of->value + q, of->count - q}, sieve, to + within);
    return (struct sifted_within){q - upward + rest.below, within + rest.within};
}
#endif

struct way {
    size_t (*below)(const struct numbers *of, double limit, uint32_t *place);
    struct sifted (*between)(const struct numbers *of, const struct sieve *sieve, double *to);
    struct sifted_within (*within)(const struct numbers *of, const struct sieve *sieve, double *to);
};

/* Writes the ways of this processor, the fastest first; returns their number. */
static size_t known_ways(struct way known[2]) {
    size_t ways = 0;
#if HAS_V4
    if (RUNS_V4)
        known[ways++] = (struct way){below_wide, between_wide, within_wide};
#endif
    known[ways++] = (struct way){below_alone, sift_between_blocks, sift_within_blocks};
    return ways;
}

size_t sift_ways(void) {
    struct way known[2];
    return known_ways(known);
}

size_t sift_below_by(size_t chosen, const struct numbers *of, double limit, uint32_t *place) {
    struct way known[2];
    known_ways(known);
    return known[chosen].below(of, limit, place);
}

struct sifted sift_between_by(size_t chosen, const struct numbers *of, const struct sieve *sieve,
                              double *to) {
    struct way known[2];
    known_ways(known);
    return known[chosen].between(of, sieve, to);
}

size_t sift_below(const struct numbers *of, double limit, uint32_t *place) {
    return sift_below_by(0, of, limit, place);
}

struct sifted sift_between(const struct numbers *of, const struct sieve *sieve, double *to) {
    return sift_between_by(0, of, sieve, to);
}

struct sifted_within sift_within_by(size_t chosen, const struct numbers *of, const struct sieve *sieve,
                                    double *to) {
    struct way known[2];
    known_ways(known);
    return known[chosen].within(of, sieve, to);
}

struct sifted_within sift_within(const struct numbers *of, const struct sieve *sieve, double *to) {
    return sift_within_by(0, of, sieve, to);
}
