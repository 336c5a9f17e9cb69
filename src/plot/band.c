#include "band.h"
#include "memory.h"
#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The end by which half of the runs have ended. */
static double common_end(const struct course *runs, size_t count) {
    double *end = memory_zeroed(count, sizeof *end);
    for (size_t i = 0; i < count; i++)
        end[i] = runs[i].x[runs[i].points - 1];
    qsort(end, count, sizeof *end, ascending);
    double last = end[(count - 1) / 2];
    free(end);
    return last;
}

/* Spreads the places over the span. */
static void grid_fill(struct grid *grid, size_t limit) {
    double span = grid->last - grid->first;
    if (span <= 0) {
        grid->last = grid->first;
        grid->points = 1;
    } else {
        grid->points = grid->axis == AXIS_STEPS && span + 1 < (double)limit ? (size_t)span + 1 : limit;
    }
}

struct grid grid_of(const struct course *runs, size_t count, enum axis axis, size_t limit) {
    struct grid grid = {.first = runs[0].x[0], .last = common_end(runs, count), .axis = axis};
    for (size_t i = 1; i < count; i++)
        grid.first = fmax(grid.first, runs[i].x[0]);
    grid_fill(&grid, limit);
    return grid;
}

struct grid grid_until(const struct grid *grid, double end, size_t limit) {
    struct grid shorter = *grid;
    shorter.last = fmin(grid->last, grid->axis == AXIS_STEPS ? ceil(end) : end);
    grid_fill(&shorter, limit);
    return shorter;
}

double grid_place(const struct grid *grid, size_t index) {
    if (index + 1 == grid->points)
        return grid->last;
    double x = grid->first + (grid->last - grid->first) * (double)index / (double)(grid->points - 1);
    return grid->axis == AXIS_STEPS ? round(x) : x;
}

/* y at x; `cursor` is the last point at or before an earlier, smaller x. */
static double value_at(const struct course *run, double x, enum axis axis, size_t *cursor) {
    while (*cursor + 1 < run->points && run->x[*cursor + 1] <= x)
        ++*cursor;
    size_t i = *cursor;
    if (axis == AXIS_TIME || i + 1 == run->points || x <= run->x[i])
        return run->y[i];
    double share = (x - run->x[i]) / (run->x[i + 1] - run->x[i]);
    return run->y[i] + share * (run->y[i + 1] - run->y[i]);
}

/* Between the order statistics around it (type 7 of Hyndman and Fan 1996). */
static double quantile(const double *sorted, size_t count, double share) {
    double place = share * (double)(count - 1);
    size_t below = (size_t)place;
    if (below + 1 == count)
        return sorted[below];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

void band_over(const struct course *runs, size_t count, const struct grid *grid, struct band *band) {
    size_t *cursor = memory_zeroed(count, sizeof *cursor);
    double *value = memory_zeroed(count, sizeof *value);
    for (size_t g = 0; g < grid->points; g++) {
        double x = grid_place(grid, g);
        for (size_t i = 0; i < count; i++)
            value[i] = value_at(&runs[i], x, grid->axis, &cursor[i]);
        qsort(value, count, sizeof *value, ascending);
        band[g] = (struct band){.median = quantile(value, count, 0.5),
                                .low = count > 1 ? quantile(value, count, 0.1) : (double)NAN,
                                .high = count > 1 ? quantile(value, count, 0.9) : (double)NAN};
    }
    free(cursor);
    free(value);
}
