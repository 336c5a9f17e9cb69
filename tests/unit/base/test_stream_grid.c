/* Many draws at once against one at a time, by every way that this processor knows. */
#include "elementary.h"
#include "memory.h"
#include "stream_grid.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

/* Fewer pairs than lanes and more, blocks that fill the lanes and not, counters at their ends. */
static const struct draw_grid grids[] = {
    {{1, 0, PURPOSE_DELAY}, 0, 1, 0, 1},
    {{1, 0, PURPOSE_DELAY}, 0, 1, 0, 70},
    {{2, 3, PURPOSE_COMPUTE}, 0, 6, 5, 33},
    {{UINT64_MAX, UINT32_MAX, PURPOSE_SAMPLE}, 1000, 7, UINT32_MAX - 40, 40},
    {{0x123456789abcdef0, 7, PURPOSE_DELAY}, 0, 31, 0, 3},
    {{0x123456789abcdef0, 7, PURPOSE_DELAY}, 0, 32, 9, 2},
    {{0x123456789abcdef0, 7, PURPOSE_DELAY}, 3, 33, 9, 5},
    {{5, 1, PURPOSE_BETA}, 0x7fffff00, 250, 1u << 31, 4},
    {{5, 1, PURPOSE_BETA}, 0, 500, 0, 0},
};

Test(stream_grid, every_way_gives_the_bits_of_single_draws) {
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        const struct draw_grid *grid = &grids[g];
        size_t row = 2 * (size_t)grid->pairs, count = row * grid->steps;
        double *unit = memory_zeroed(count + 1, sizeof *unit);
        for (size_t way = 0; way < draw_ways(); way++) {
            unit[count] = -1;
            draw_units_by(way, grid, unit);
            for (size_t q = 0; q < count; q++) {
                struct draw draw = {.stream = grid->stream,
                                    .worker = 2 * grid->pair + (uint32_t)(q % row),
                                    .step = grid->step + (uint32_t)(q / row)};
                cr_assert(unit[q] == draw_unit(&draw), "grid %zu, way %zu, number %zu", g, way, q);
            }
            cr_expect(eq(dbl, unit[count], -1), "grid %zu, way %zu writes beyond its end", g, way);
        }
        free(unit);
    }
}

/* Fewer runs than lanes hold and more, both halves of a block, counters at their ends. */
Test(stream_grid, runs_are_the_bits_of_single_draws) {
    static const struct draw_run run[] = {{0, 0},  {1, 0},       {7, 16},  {6, 24}, {0x7fffffff, 3},
                                          {12, 8}, {1000, 4000}, {999, 0}, {3, 8},  {2, UINT32_MAX - 7},
                                          {5, 5},  {4, 800},     {4, 808}};
    enum { RUNS = sizeof run / sizeof *run };
    const struct stream stream = {0x123456789abcdef0, 9, PURPOSE_DELAY};
    for (size_t runs = 0; runs <= RUNS; runs++)
        for (size_t way = 0; way < draw_ways(); way++) {
            double unit[RUNS * DRAW_RUN + 1] = {0};
            unit[runs * DRAW_RUN] = -1;
            draw_runs_by(way, &stream, &(struct draw_runs){run, runs}, unit);
            for (size_t q = 0; q < runs * DRAW_RUN; q++) {
                const struct draw_run *one = &run[q / DRAW_RUN];
                struct draw draw = {stream, one->worker, one->step + (uint32_t)(q % DRAW_RUN), 0};
                cr_assert(unit[q] == draw_unit(&draw), "%zu runs, way %zu, number %zu", runs, way, q);
            }
            cr_expect(eq(dbl, unit[runs * DRAW_RUN], -1), "%zu runs, way %zu writes beyond its end", runs,
                      way);
        }
}

/* Centre, shoulders and far tails, across the blocks of the vector loop. */
Test(stream_grid, normal_quantiles_are_those_of_single_numbers) {
    enum { MANY = 1000 };
    double p[MANY], quantile[MANY];
    for (int j = 0; j < MANY; j++)
        p[j] = quantile[j] = j % 7 == 0 ? elementary_exp(-0.03 * j) : (j + 0.5) / MANY;
    p[1] = quantile[1] = 0x1p-53;
    p[2] = quantile[2] = 1 - 0x1p-53;
    p[0] = quantile[0] = 0.075;
    normal_quantiles(quantile, MANY);
    for (int j = 0; j < MANY; j++)
        cr_assert(quantile[j] == normal_quantile(p[j]), "p = %g", p[j]);
}
