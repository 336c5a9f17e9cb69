/* Many draws at once against one at a time, by every way that this processor knows. */
#include "elementary.h"
#include "memory.h"
#include "stream_grid.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static double formed(enum draw_form form, struct draw draw) {
    const double unit = draw_unit(&draw);
    return form == DRAW_LOG ? elementary_log(1 - unit) : unit;
}

/* Fewer pairs than lanes and more, blocks that fill the lanes and not, rows with gaps, more than is made at once, counters at
 * their ends. */
static const struct draw_grid grids[] = {
    {{1, 0, PURPOSE_DELAY}, DRAW_UNIT, 0, 1, 0, 1, 2},
    {{1, 0, PURPOSE_DELAY}, DRAW_LOG, 0, 1, 0, 70, 2},
    {{2, 3, PURPOSE_COMPUTE}, DRAW_UNIT, 0, 6, 5, 33, 12},
    {{2, 3, PURPOSE_COMPUTE}, DRAW_LOG, 0, 5, 5, 1200, 10},
    {{UINT64_MAX, UINT32_MAX, PURPOSE_SAMPLE}, DRAW_LOG, 1000, 7, UINT32_MAX - 40, 40, 14},
    {{0x123456789abcdef0, 7, PURPOSE_DELAY}, DRAW_UNIT, 0, 31, 0, 3, 62},
    {{0x123456789abcdef0, 7, PURPOSE_DELAY}, DRAW_LOG, 0, 32, 9, 2, 64},
    {{0x123456789abcdef0, 7, PURPOSE_DELAY}, DRAW_UNIT, 3, 33, 9, 5, 67},
    {{5, 1, PURPOSE_BETA}, DRAW_UNIT, 0x7fffff00, 250, 1u << 31, 4, 500},
    {{5, 1, PURPOSE_BETA}, DRAW_LOG, 0, 1100, 0, 3, 2300},
    {{5, 1, PURPOSE_BETA}, DRAW_UNIT, 0, 500, 0, 0, 1000},
};

static void check_numbers(size_t way, const struct draw_grid *grid, const double *number, size_t g) {
    for (size_t s = 0; s < grid->steps; s++)
        for (size_t q = 0; q < grid->row; q++) {
            const double found = number[s * grid->row + q];
            const struct draw draw = {grid->stream, 2 * grid->pair + (uint32_t)q, grid->step + (uint32_t)s,
                                      0};
            const double wanted = q < 2 * (size_t)grid->pairs ? formed(grid->form, draw) : -9;
            cr_assert(found == wanted, "grid %zu, way %zu, step %zu, number %zu", g, way, s, q);
        }
}

Test(stream_grid, every_way_gives_the_bits_of_single_draws) {
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        const struct draw_grid *grid = &grids[g];
        size_t count = grid->row * grid->steps;
        double *number = memory_zeroed(count + 1, sizeof *number);
        for (size_t way = 0; way < draw_ways(); way++) {
            for (size_t q = 0; q <= count; q++)
                number[q] = -9;
            draw_grid_by(way, grid, number);
            check_numbers(way, grid, number, g);
            cr_expect(eq(dbl, number[count], -9), "grid %zu, way %zu writes beyond its end", g, way);
        }
        free(number);
    }
}

/* Logarithms need many draws before their rare exponents have come up. */
Test(stream_grid, logarithms_are_those_of_single_numbers) {
    enum { STEPS = 20000, ROW = 10 };
    static double unit[STEPS * ROW], log[STEPS * ROW];
    struct draw_grid grid = {{77, 0, PURPOSE_DELAY}, DRAW_UNIT, 0, ROW / 2, 0, STEPS, ROW};
    draw_grid(&grid, unit);
    grid.form = DRAW_LOG;
    for (size_t way = 0; way < draw_ways(); way++) {
        draw_grid_by(way, &grid, log);
        for (size_t q = 0; q < STEPS * ROW; q++)
            cr_assert(log[q] == elementary_log(1 - unit[q]), "way %zu, number %zu: u = %a", way, q, unit[q]);
    }
}

static void check_runs(size_t way, const struct draw_runs *of) {
    enum { MOST = 16 };
    const struct stream stream = {0x123456789abcdef0, 9, PURPOSE_DELAY};
    double number[MOST * DRAW_RUN + 1] = {0};
    number[of->runs * DRAW_RUN] = -9;
    draw_runs_by(way, &stream, of, number);
    for (size_t q = 0; q < of->runs * DRAW_RUN; q++) {
        const struct draw_run *one = &of->run[q / DRAW_RUN];
        const struct draw draw = {stream, one->worker, one->step + (uint32_t)(q % DRAW_RUN), 0};
        cr_assert(number[q] == formed(of->form, draw), "%zu runs, way %zu, form %d, number %zu", of->runs,
                  way, (int)of->form, q);
    }
    cr_expect(eq(dbl, number[of->runs * DRAW_RUN], -9), "%zu runs, way %zu writes beyond its end", of->runs,
              way);
}

/* Fewer runs than lanes hold and more, both halves of a block, counters at their ends. */
Test(stream_grid, runs_are_the_bits_of_single_draws) {
    static const struct draw_run run[] = {{0, 0},  {1, 0},       {7, 16},  {6, 24}, {0x7fffffff, 3},
                                          {12, 8}, {1000, 4000}, {999, 0}, {3, 8},  {2, UINT32_MAX - 7},
                                          {5, 5},  {4, 800},     {4, 808}};
    for (size_t runs = 0; runs <= sizeof run / sizeof *run; runs++)
        for (size_t way = 0; way < draw_ways(); way++)
            for (enum draw_form form = DRAW_UNIT; form <= DRAW_LOG; form++)
                check_runs(way, &(struct draw_runs){run, runs, form});
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
