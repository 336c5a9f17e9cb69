#include "stream_grid.h"
#include "elementary.h"
#include <stdbool.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

static double formed(enum draw_form form, struct draw *draw) {
    const double unit = draw_unit(draw);
    return form == DRAW_LOG ? elementary_log(1 - unit) : unit;
}

/* One block at a time. */
static void grid_alone(const struct draw_grid *grid, double *number) {
    for (uint32_t s = 0; s < grid->steps; s++)
        for (uint32_t q = 0; q < 2 * grid->pairs; q++) {
            struct draw draw = {grid->stream, 2 * grid->pair + q, grid->step + s, 0};
            number[s * grid->row + q] = formed(grid->form, &draw);
        }
}

static void runs_alone(const struct stream *stream, const struct draw_runs *of, double *number) {
    for (size_t q = 0; q < of->runs; q++)
        for (uint32_t s = 0; s < DRAW_RUN; s++) {
            struct draw draw = {*stream, of->run[q].worker, of->run[q].step + s, 0};
            *number++ = formed(of->form, &draw);
        }
}

/* Of a grid, what is made at once. */
enum { PAIRS_AT_ONCE = 512, STEPS_AT_ONCE = 512, WIDEST = 8, BEYOND = 5 * WIDEST };

#if defined(__x86_64__)
/* Of its pairs, one after another and from the first on again, so that a vector may begin at every one: what meets in round 2;
 * and in which of the next steps they are, as places of 32-bit words. Of its steps, and some beyond: the left product of
 * round 1. */
struct parts {
    uint64_t own[PAIRS_AT_ONCE + WIDEST], right[PAIRS_AT_ONCE + WIDEST], high[PAIRS_AT_ONCE + WIDEST],
        left[PAIRS_AT_ONCE + WIDEST], pick[PAIRS_AT_ONCE + WIDEST];
    uint64_t step[STEPS_AT_ONCE + BEYOND + WIDEST];
};

/* Where a vector begins, and how far the next one is. */
struct place {
    size_t pair, step, pairs, pairs_on, steps_on;
};

static void go_round(struct parts *parts, size_t pairs) {
    for (size_t q = 0; q < pairs; q++)
        parts->pick[q] = (uint64_t)1 << 32;
    for (size_t q = pairs; q < pairs + WIDEST; q++) {
        parts->own[q] = parts->own[q - pairs];
        parts->right[q] = parts->right[q - pairs];
        parts->high[q] = parts->high[q - pairs];
        parts->left[q] = parts->left[q - pairs];
        parts->pick[q] = parts->pick[q - pairs] + ((uint64_t)2 << 32 | 2);
    }
}

#define WAY                 grid_wide
#define WAY_VECTOR          wide
#define WAY_WIDTH           8
#define WAY_VECTORS         4
#define WAY_TARGET          "avx512f,avx512dq,avx512vl,avx2,fma"
#define WAY_MULTIPLY        _mm512_mul_epu32
#define WAY_FUSED           _mm512_fmadd_pd
#define WAY_PICKED(of, at)  _mm512_permutexvar_epi32(at, of)
#define WAY_JOIN(low, high) _mm512_mask_shuffle_epi32((__m512i)(low), 0xaaaa, (__m512i)(high), _MM_PERM_CCAA)
#define WAY_WORDS           __m512i
#define WAY_REALS           __m512d
#define WAY_LOW             0, 8, 1, 9, 2, 10, 3, 11
#define WAY_HIGH            4, 12, 5, 13, 6, 14, 7, 15
#include "stream_lanes.h"

#define WAY                grid_narrow
#define WAY_VECTOR         narrow
#define WAY_WIDTH          4
#define WAY_VECTORS        2
#define WAY_TARGET         "avx2,fma"
#define WAY_MULTIPLY       _mm256_mul_epu32
#define WAY_FUSED          _mm256_fmadd_pd
#define WAY_PICKED(of, at) _mm256_permutevar8x32_epi32(of, at)
#define WAY_JOIN(low, high)                                                                                  \
    _mm256_blend_epi32((__m256i)(low), _mm256_shuffle_epi32((__m256i)(high), 0xa0), 0xaa)
#define WAY_WORDS __m256i
#define WAY_REALS __m256d
#define WAY_LOW   0, 4, 1, 5
#define WAY_HIGH  2, 6, 3, 7
#include "stream_lanes.h"
#endif

struct way {
    void (*grid)(const struct draw_grid *grid, double *number);
    void (*runs)(const struct stream *stream, const struct draw_runs *of, double *number);
};

/* Writes the ways of this processor, the fastest first; returns their number. */
static size_t known_ways(struct way known[3]) {
    size_t ways = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        known[ways++] = (struct way){grid_wide, grid_wide_runs};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        known[ways++] = (struct way){grid_narrow, grid_narrow_runs};
#endif
    known[ways++] = (struct way){grid_alone, runs_alone};
    return ways;
}

size_t draw_ways(void) {
    struct way known[3];
    return known_ways(known);
}

void draw_grid_by(size_t chosen, const struct draw_grid *grid, double *number) {
    struct way known[3];
    struct draw_grid part = *grid;
    known_ways(known);
    for (uint32_t s = 0; s < grid->steps; s += part.steps)
        for (uint32_t q = 0; q < grid->pairs; q += part.pairs) {
            part.pair = grid->pair + q;
            part.pairs = grid->pairs - q < PAIRS_AT_ONCE ? grid->pairs - q : PAIRS_AT_ONCE;
            part.step = grid->step + s;
            part.steps = grid->steps - s < STEPS_AT_ONCE ? grid->steps - s : STEPS_AT_ONCE;
            known[chosen].grid(&part, number + s * grid->row + 2 * (size_t)q);
        }
}

void draw_grid(const struct draw_grid *grid, double *number) {
    draw_grid_by(0, grid, number);
}

void draw_runs_by(size_t chosen, const struct stream *stream, const struct draw_runs *of, double *number) {
    struct way known[3];
    known_ways(known);
    known[chosen].runs(stream, of, number);
}

void draw_runs(const struct stream *stream, const struct draw_runs *of, double *number) {
    draw_runs_by(0, stream, of, number);
}
