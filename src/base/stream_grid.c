#include "stream_grid.h"
#include "elementary.h"
#include <stdbool.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* One block at a time. */
static void units_alone(const struct draw_grid *grid, double *unit) {
    struct draw draw = {.stream = grid->stream};
    for (uint32_t s = 0; s < grid->steps; s++)
        for (uint32_t q = 0; q < 2 * grid->pairs; q++) {
            draw.worker = 2 * grid->pair + q;
            draw.step = grid->step + s;
            draw.draw = 0;
            *unit++ = draw_unit(&draw);
        }
}

static void runs_alone(const struct stream *stream, const struct draw_runs *of, double *unit) {
    for (size_t q = 0; q < of->runs; q++)
        for (uint32_t s = 0; s < DRAW_RUN; s++) {
            struct draw draw = {*stream, of->run[q].worker, of->run[q].step + s, 0};
            *unit++ = draw_unit(&draw);
        }
}

#if defined(__x86_64__)
#define WAY          units_wide
#define WAY_VECTOR   wide
#define WAY_WIDTH    8
#define WAY_VECTORS  4
#define WAY_TARGET   "avx512f,avx512dq,avx512vl,avx2,fma"
#define WAY_MULTIPLY _mm512_mul_epu32
#define WAY_WORDS    __m512i
#define WAY_LOW      0, 8, 1, 9, 2, 10, 3, 11
#define WAY_HIGH     4, 12, 5, 13, 6, 14, 7, 15
#include "stream_lanes.h"

#define WAY          units_narrow
#define WAY_VECTOR   narrow
#define WAY_WIDTH    4
#define WAY_VECTORS  2
#define WAY_TARGET   "avx2,fma"
#define WAY_MULTIPLY _mm256_mul_epu32
#define WAY_WORDS    __m256i
#define WAY_LOW      0, 4, 1, 5
#define WAY_HIGH     2, 6, 3, 7
#include "stream_lanes.h"
#endif

struct way {
    void (*units)(const struct draw_grid *grid, double *unit);
    void (*runs)(const struct stream *stream, const struct draw_runs *of, double *unit);
};

/* Writes the ways of this processor, the fastest first; returns their number. */
static size_t known_ways(struct way known[3]) {
    size_t ways = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        known[ways++] = (struct way){units_wide, units_wide_runs};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        known[ways++] = (struct way){units_narrow, units_narrow_runs};
#endif
    known[ways++] = (struct way){units_alone, runs_alone};
    return ways;
}

size_t draw_ways(void) {
    struct way known[3];
    return known_ways(known);
}

void draw_units_by(size_t chosen, const struct draw_grid *grid, double *unit) {
    struct way known[3];
    known_ways(known);
    known[chosen].units(grid, unit);
}

void draw_units(const struct draw_grid *grid, double *unit) {
    draw_units_by(0, grid, unit);
}

void draw_runs_by(size_t chosen, const struct stream *stream, const struct draw_runs *of, double *unit) {
    struct way known[3];
    known_ways(known);
    known[chosen].runs(stream, of, unit);
}

void draw_runs(const struct stream *stream, const struct draw_runs *of, double *unit) {
    draw_runs_by(0, stream, of, unit);
}
