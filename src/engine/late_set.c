#include "late_set.h"
#include "cloned.h"
#if HAS_V3
#include <immintrin.h>
#endif

/* Two vectors at a time, so that one need not wait for the other. */
enum { VECTOR = 8, STRIDE = 2 * VECTOR, WORD = 64 };

INLINED double less_of(double a, double b) {
    return a < b ? a : b;
}
INLINED double more_of(double a, double b) {
    return a > b ? a : b;
}

CLONED static double least(const double *value, size_t count) {
    double a[VECTOR], b[VECTOR];
    size_t i = 0;
    for (size_t l = 0; l < VECTOR; l++)
        a[l] = b[l] = value[0];
    for (; i + STRIDE <= count; i += STRIDE) {
        LANE_LOOP
        for (size_t l = 0; l < VECTOR; l++)
            a[l] = less_of(value[i + l], a[l]);
        LANE_LOOP
        for (size_t l = 0; l < VECTOR; l++)
            b[l] = less_of(value[i + VECTOR + l], b[l]);
    }
    for (; i < count; i++)
        a[0] = less_of(value[i], a[0]);
    for (size_t l = 0; l < VECTOR; l++)
        a[0] = less_of(less_of(a[l], b[l]), a[0]);
    return a[0];
}

double least_of(const double *value, size_t count) {
    return least(value, count);
}

CLONED static void extremes(const double *restrict value, size_t count, double *least, double *most) {
    double low[STRIDE], high[STRIDE];
    size_t i = 0;
    for (size_t l = 0; l < STRIDE; l++)
        low[l] = high[l] = value[0];
    for (; i + STRIDE <= count; i += STRIDE) {
        LANE_LOOP
        for (size_t l = 0; l < VECTOR; l++) {
            low[l] = less_of(value[i + l], low[l]);
            high[l] = more_of(value[i + l], high[l]);
        }
        LANE_LOOP
        for (size_t l = VECTOR; l < STRIDE; l++) {
            low[l] = less_of(value[i + l], low[l]);
            high[l] = more_of(value[i + l], high[l]);
        }
    }
    for (; i < count; i++) {
        low[0] = less_of(value[i], low[0]);
        high[0] = more_of(value[i], high[0]);
    }
    for (size_t l = 1; l < STRIDE; l++) {
        low[0] = less_of(low[l], low[0]);
        high[0] = more_of(high[l], high[0]);
    }
    *least = low[0];
    *most = high[0];
}

void extremes_find(const double *value, size_t count, double *least, double *most) {
    extremes(value, count, least, most);
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
            *last_s = more_of(end_s, *last_s);
    }
    return late;
}

#if HAS_V4
TARGET_V4 static void whole_words_v4(const double *seconds, size_t words, const struct time_limit *limit,
                                     uint64_t *late, double *last_s) {
    const __m512d begin = _mm512_set1_pd(limit->begin_s), until = _mm512_set1_pd(limit->until_s);
    const __m512d before = _mm512_set1_pd(*last_s);
    __m512d last[4] = {before, before, before, before};
    for (size_t w = 0; w < words; w++) {
        uint64_t bits = 0;
        UNROLLED
        for (size_t l = 0; l < WORD; l += VECTOR) {
            __m512d end = _mm512_add_pd(begin, _mm512_loadu_pd(seconds + w * WORD + l));
            __mmask8 in_time = _mm512_cmp_pd_mask(end, until, _CMP_LE_OQ);
            __m512d *of = &last[l / VECTOR % 4];
            *of = _mm512_mask_max_pd(*of, in_time, end, *of);
            bits |= (uint64_t)in_time << l;
        }
        late[w] = ~bits;
    }
    last[0] = _mm512_max_pd(_mm512_max_pd(last[0], last[1]), _mm512_max_pd(last[2], last[3]));
    /* Mostly nothing ends between its due time and the limit. */
    if (_mm512_cmp_pd_mask(last[0], before, _CMP_GT_OQ))
        *last_s = _mm512_reduce_max_pd(last[0]);
}
#endif

#if HAS_V3
TARGET_V3 static void whole_words_v3(const double *seconds, size_t words, const struct time_limit *limit,
                                     uint64_t *late, double *last_s) {
    const __m256d begin = _mm256_set1_pd(limit->begin_s), until = _mm256_set1_pd(limit->until_s);
    const __m256d before = _mm256_set1_pd(*last_s);
    __m256d last[4] = {before, before, before, before};
    for (size_t w = 0; w < words; w++) {
        uint64_t bits = 0;
        UNROLLED
        for (size_t l = 0; l < WORD; l += VECTOR / 2) {
            __m256d end = _mm256_add_pd(begin, _mm256_loadu_pd(seconds + w * WORD + l));
            __m256d after = _mm256_cmp_pd(end, until, _CMP_GT_OQ);
            __m256d *of = &last[l / (VECTOR / 2) % 4];
            *of = _mm256_max_pd(*of, _mm256_andnot_pd(after, end));
            bits |= (uint64_t)(unsigned)_mm256_movemask_pd(after) << l;
        }
        late[w] = bits;
    }
    double lane[4];
    _mm256_storeu_pd(lane, _mm256_max_pd(_mm256_max_pd(last[0], last[1]), _mm256_max_pd(last[2], last[3])));
    *last_s = more_of(more_of(lane[0], lane[1]), more_of(lane[2], lane[3]));
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
    double last_s = limit->due_s;
    whole_words(seconds, words, limit, late, &last_s);
    if (rest > 0)
        late[words] = late_one_by_one(seconds + words * WORD, rest, limit, &last_s);
    return last_s;
}
