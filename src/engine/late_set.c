#include "late_set.h"
#include "cloned.h"
#if HAS_V3
#include <immintrin.h>
#endif

enum { LANES = 32, WORD = 64 };

static double least_of(double a, double b) {
    return a < b ? a : b;
}
static double most_of(double a, double b) {
    return a > b ? a : b;
}

CLONED static struct extremes extremes(const double *value, size_t count) {
    double least[LANES], most[LANES];
    for (size_t l = 0; l < LANES; l++)
        least[l] = most[l] = value[l < count ? l : 0];
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        LANE_LOOP
        for (size_t l = 0; l < LANES; l++) {
            least[l] = value[i + l] < least[l] ? value[i + l] : least[l];
            most[l] = value[i + l] > most[l] ? value[i + l] : most[l];
        }
    }
    for (; i < count; i++) {
        least[0] = least_of(value[i], least[0]);
        most[0] = most_of(value[i], most[0]);
    }
    for (size_t half = LANES / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half; l++) {
            least[l] = least_of(least[l], least[l + half]);
            most[l] = most_of(most[l], most[l + half]);
        }
    return (struct extremes){least[0], most[0]};
}

struct extremes extremes_of(const double *value, size_t count) {
    return extremes(value, count);
}

/* Of at most a word's. */
static uint64_t late_one_by_one(const double *seconds, size_t count, const struct time_limit *limit,
                                double *last_s) {
    uint64_t late = 0;
    for (size_t i = 0; i < count; i++) {
        double end_s = limit->begin_s + seconds[i];
        if (end_s > limit->until_s)
            late |= UINT64_C(1) << i;
        else
            *last_s = most_of(end_s, *last_s);
    }
    return late;
}

#if HAS_V4
TARGET_V4 static void whole_words_v4(const double *seconds, size_t words, const struct time_limit *limit,
                                     uint64_t *late, double *last_s) {
    const __m512d begin = _mm512_set1_pd(limit->begin_s), until = _mm512_set1_pd(limit->until_s);
    __m512d last = _mm512_set1_pd(*last_s);
    for (size_t w = 0; w < words; w++) {
        uint64_t bits = 0;
        for (size_t l = 0; l < WORD; l += 8) {
            __m512d end = _mm512_add_pd(begin, _mm512_loadu_pd(seconds + w * WORD + l));
            __mmask8 after = _mm512_cmp_pd_mask(end, until, _CMP_GT_OQ);
            last = _mm512_mask_max_pd(last, (__mmask8)~after, end, last);
            bits |= (uint64_t)after << l;
        }
        late[w] = bits;
    }
    *last_s = _mm512_reduce_max_pd(last);
}
#endif

#if HAS_V3
TARGET_V3 static void whole_words_v3(const double *seconds, size_t words, const struct time_limit *limit,
                                     uint64_t *late, double *last_s) {
    const __m256d begin = _mm256_set1_pd(limit->begin_s), until = _mm256_set1_pd(limit->until_s);
    __m256d last = _mm256_set1_pd(*last_s);
    for (size_t w = 0; w < words; w++) {
        uint64_t bits = 0;
        for (size_t l = 0; l < WORD; l += 4) {
            __m256d end = _mm256_add_pd(begin, _mm256_loadu_pd(seconds + w * WORD + l));
            __m256d after = _mm256_cmp_pd(end, until, _CMP_GT_OQ);
            last = _mm256_max_pd(last, _mm256_andnot_pd(after, end));
            bits |= (uint64_t)(unsigned)_mm256_movemask_pd(after) << l;
        }
        late[w] = bits;
    }
    double lane[4];
    _mm256_storeu_pd(lane, last);
    *last_s = most_of(most_of(lane[0], lane[1]), most_of(lane[2], lane[3]));
}
#endif

static void whole_words(const double *seconds, size_t words, const struct time_limit *limit, uint64_t *late,
                        double *last_s) {
#if HAS_V4
    if (RUNS_V4) {
        whole_words_v4(seconds, words, limit, late, last_s);
        return;
    }
#endif
#if HAS_V3
    if (RUNS_V3) {
        whole_words_v3(seconds, words, limit, late, last_s);
        return;
    }
#endif
    for (size_t w = 0; w < words; w++)
        late[w] = late_one_by_one(seconds + w * WORD, WORD, limit, last_s);
}

double late_set_find(const double *seconds, size_t count, const struct time_limit *limit, uint64_t *late) {
    size_t words = count / WORD, rest = count % WORD;
    double last_s = 0;
    whole_words(seconds, words, limit, late, &last_s);
    if (rest > 0)
        late[words] = late_one_by_one(seconds + words * WORD, rest, limit, &last_s);
    return last_s;
}
