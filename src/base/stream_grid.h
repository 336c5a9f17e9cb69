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

/* A worker's first draws in as many steps, from `step` on. */
#define DRAW_RUN 8
struct draw_run {
    uint32_t worker, step;
};
struct draw_runs {
    const struct draw_run *run; /* [runs] */
    size_t runs;
};
/* Writes unit[runs][DRAW_RUN]. */
void draw_runs(const struct stream *stream, const struct draw_runs *of, double *unit);

/* Ways to do so that this processor knows; all give the same bits, draw_units and draw_runs take the first. */
size_t draw_ways(void);
void draw_units_by(size_t way, const struct draw_grid *grid, double *unit);
void draw_runs_by(size_t way, const struct stream *stream, const struct draw_runs *of, double *unit);
#endif
