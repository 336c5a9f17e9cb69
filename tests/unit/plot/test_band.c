#include "band.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

static const double short_x[] = {0, 2, 4}, long_x[] = {0, 5, 10}, late_x[] = {1, 3, 9};
static const double falling[] = {8, 4, 2}, flat[] = {6, 6, 6}, rising[] = {1, 2, 3};
static const struct course runs[] = {{3, short_x, falling}, {3, long_x, flat}, {3, late_x, rising}};

static const struct {
    const char *name;
    size_t from, count;
    enum axis axis;
    size_t limit;
    double first, last;
    size_t points;
} grids[] = {
    {"one run ends with itself", 0, 1, AXIS_TIME, 5, 0, 4, 5},
    {"two runs: when the first ended", 0, 2, AXIS_TIME, 5, 0, 4, 5},
    {"three runs: when the second ended", 0, 3, AXIS_TIME, 5, 1, 9, 5},
    {"begins where all have begun", 2, 1, AXIS_TIME, 3, 1, 9, 3},
    {"whole numbers need no more points", 0, 1, AXIS_STEPS, 400, 0, 4, 5},
    {"whole numbers are thinned", 1, 1, AXIS_STEPS, 4, 0, 10, 4},
};

Test(band, grid_spans_the_common_part) {
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        struct grid grid = grid_of(runs + grids[i].from, grids[i].count, grids[i].axis, grids[i].limit);
        cr_expect(eq(dbl, grid.first, grids[i].first), "%s", grids[i].name);
        cr_expect(eq(dbl, grid.last, grids[i].last), "%s", grids[i].name);
        cr_expect(eq(sz, grid.points, grids[i].points), "%s", grids[i].name);
        cr_expect(eq(dbl, grid_place(&grid, 0), grids[i].first), "%s", grids[i].name);
        cr_expect(eq(dbl, grid_place(&grid, grid.points - 1), grids[i].last), "%s", grids[i].name);
    }
}

Test(band, whole_places_are_whole) {
    struct grid grid = grid_of(&runs[1], 1, AXIS_STEPS, 4);
    static const double places[] = {0, 3, 7, 10};
    for (size_t g = 0; g < grid.points; g++)
        cr_expect(eq(dbl, grid_place(&grid, g), places[g]), "place %zu", g);
}

Test(band, a_grid_is_shortened_to_what_is_shown) {
    struct grid grid = grid_of(&runs[1], 1, AXIS_STEPS, 4), shorter = grid_until(&grid, 2.5, 4);
    cr_expect(eq(dbl, shorter.last, 3), "the step that is cut belongs to it");
    cr_expect(eq(sz, shorter.points, 4));
    shorter = grid_until(&grid, 99, 4);
    cr_expect(eq(dbl, shorter.last, 10), "it is never longer");
    grid = grid_of(&runs[1], 1, AXIS_TIME, 4);
    shorter = grid_until(&grid, 2.5, 4);
    cr_expect(eq(dbl, shorter.last, 2.5));
    cr_expect(eq(sz, shorter.points, 4));
    shorter = grid_until(&grid, -1, 4);
    cr_expect(eq(sz, shorter.points, 1), "what begins later is one place");
}

Test(band, one_point_is_a_grid) {
    static const double x[] = {3}, y[] = {7};
    struct course course = {1, x, y};
    struct grid grid = grid_of(&course, 1, AXIS_TIME, 400);
    struct band band;
    cr_assert(eq(sz, grid.points, 1));
    band_over(&course, 1, &grid, &band);
    cr_expect(eq(dbl, band.median, 7));
    cr_expect(isnan(band.low) && isnan(band.high));
}

static const struct {
    const char *name;
    enum axis axis;
    double y[5];
} between[] = {
    {"a model keeps its weights until the next update", AXIS_TIME, {8, 8, 4, 4, 2}},
    {"steps that were not recorded lie on a line", AXIS_STEPS, {8, 6, 4, 3, 2}},
};

Test(band, one_run_is_its_own_curve) {
    for (size_t i = 0; i < sizeof between / sizeof *between; i++) {
        struct grid grid = {.first = 0, .last = 4, .axis = between[i].axis, .points = 5};
        struct band band[5];
        band_over(&runs[0], 1, &grid, band);
        for (size_t g = 0; g < 5; g++)
            cr_expect(eq(dbl, band[g].median, between[i].y[g]), "%s: place %zu", between[i].name, g);
    }
}

Test(band, an_ended_run_keeps_its_last_value) {
    struct grid grid = {.first = 6, .last = 6, .axis = AXIS_STEPS, .points = 1};
    struct band band;
    band_over(runs, 3, &grid, &band);
    /* At 6: 2 (ended), 6, 2.5: the middle is 2.5; the tenth lies a fifth of the way from 2 to 2.5, the ninetieth four
     * fifths from 2.5 to 6. All are exact in binary but for a rounding of the shares. */
    cr_expect(epsilon_eq(dbl, band.median, 2.5, 1e-12));
    cr_expect(epsilon_eq(dbl, band.low, 2.1, 1e-12));
    cr_expect(epsilon_eq(dbl, band.high, 5.3, 1e-12));
}

Test(band, two_updates_at_one_time_count_as_the_later) {
    static const double x[] = {0, 1, 1, 2}, y[] = {5, 4, 3, 2};
    struct course course = {4, x, y};
    struct grid grid = {.first = 0, .last = 2, .points = 3};
    struct band band[3];
    band_over(&course, 1, &grid, band);
    cr_expect(eq(dbl, band[1].median, 3));
}
