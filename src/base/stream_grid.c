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

typedef void (*way)(const struct draw_grid *grid, double *unit);

/* Writes the ways of this processor, the fastest first; returns their number. */
static size_t known_ways(way known[3]) {
    size_t ways = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        known[ways++] = units_wide;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        known[ways++] = units_narrow;
#endif
    known[ways++] = units_alone;
    return ways;
}

size_t draw_ways(void) {
    way known[3];
    return known_ways(known);
}

void draw_units_by(size_t chosen, const struct draw_grid *grid, double *unit) {
    way known[3];
    known_ways(known);
    known[chosen](grid, unit);
}

void draw_units(const struct draw_grid *grid, double *unit) {
    draw_units_by(0, grid, unit);
}
