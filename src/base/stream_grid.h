/* stream_grid.h: many keyed draws at once, bit for bit those that are made one after another. */
#ifndef LAGGARD_STREAM_GRID_H
#define LAGGARD_STREAM_GRID_H
#include "stream.h"
#include <stddef.h>

/* What is written of a draw u = draw_unit. */
enum draw_form {
    DRAW_UNIT, /* u */
    DRAW_LOG,  /* elementary_log(1 - u): made at once with the draw it costs half of what it does later */
};

/* The first draws of the workers 2 * pair .. 2 * (pair + pairs) - 1, both of a block each, in the steps from `step` on. */
struct draw_grid {
    struct stream stream;
    enum draw_form form;
    uint32_t pair, pairs, step, steps;
    size_t row; /* numbers from the first of a step to the first of the next: 2 * pairs or more */
};

/* Writes 2 * pairs numbers of every step. */
void draw_grid(const struct draw_grid *grid, double *number);

/* A worker's first draws in as many steps, from `step` on. */
#define DRAW_RUN 8
struct draw_run {
    uint32_t worker, step;
};
struct draw_runs {
    const struct draw_run *run; /* [runs] */
    size_t runs;
    enum draw_form form;
};
/* Writes number[runs][DRAW_RUN]. */
void draw_runs(const struct stream *stream, const struct draw_runs *of, double *number);

/* Ways to do so that this processor knows; all give the same bits, draw_grid and draw_runs take the first. */
size_t draw_ways(void);
void draw_grid_by(size_t way, const struct draw_grid *grid, double *number);
void draw_runs_by(size_t way, const struct stream *stream, const struct draw_runs *of, double *number);
#endif
