/* stream_grid.h: many keyed draws at once: the bits of draw_unit, one place after another. */
#ifndef LAGGARD_STREAM_GRID_H
#define LAGGARD_STREAM_GRID_H
#include "stream.h"
#include <stddef.h>

/* The first draws of the workers 2 * pair .. 2 * (pair + pairs) - 1, both of a block each, in the steps from `step` on. */
struct draw_grid {
    struct stream stream;
    uint32_t pair, pairs, step, steps;
};

/* Writes unit[steps][2 * pairs]. */
void draw_units(const struct draw_grid *grid, double *unit);

/* Ways to do so that this processor knows; all give the same bits, draw_units takes the first. */
size_t draw_ways(void);
void draw_units_by(size_t way, const struct draw_grid *grid, double *unit);
#endif
