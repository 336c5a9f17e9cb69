#include "sift.h"
#include "cloned.h"
#include <stdbool.h>
#if HAS_V4
#include <immintrin.h>
#endif

/* Appends without a branch, as none could be foretold. */
static size_t below_alone(const struct numbers *of, double limit, uint32_t *place) {
    size_t found = 0;
    for (size_t q = 0; q < of->count; q++) {
        place[found] = (uint32_t)q;
        found += of->value[q] < limit;
    }
    return found;
}

static struct sifted between_alone(const struct numbers *of, const struct sieve *sieve, double *to) {
    const double low = sieve->low, high = sieve->high;
    struct sifted sifted = {0};
    for (size_t q = 0; q < of->count; q++) {
        const double value = of->value[q];
        sifted.below += value < low;
        sifted.at_low += value == low;
        sifted.at_high += value == high;
        to[sifted.between] = value;
        sifted.between += (value > low) & (value < high);
    }
    return sifted;
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
    const struct sifted more = between_alone(&rest, sieve, to + sifted.between);
    return (struct sifted){sifted.below + more.below, sifted.at_low + more.at_low,
                           sifted.between + more.between, sifted.at_high + more.at_high};
}
#endif

struct way {
    size_t (*below)(const struct numbers *of, double limit, uint32_t *place);
    struct sifted (*between)(const struct numbers *of, const struct sieve *sieve, double *to);
};

/* Writes the ways of this processor, the fastest first; returns their number. */
static size_t known_ways(struct way known[2]) {
    size_t ways = 0;
#if HAS_V4
    if (RUNS_V4)
        known[ways++] = (struct way){below_wide, between_wide};
#endif
    known[ways++] = (struct way){below_alone, between_alone};
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
