/* lines.h: points that belong together by scheme, a line each, in panels: what the figures staleness, scaling and sweep
 * share. */
#ifndef LAGGARD_LINES_H
#define LAGGARD_LINES_H
#include "panels.h"

/* A row of the figure's CSV. */
struct line_point {
    uint32_t panel, curve;  /* from 1; a scheme has the same curve, and colour, in all panels */
    double x, y, low, high; /* low, high: NAN where there is no interval */
    uint32_t runs, point;
    const char *scheme;
};

/* Columns of means with their intervals over an x of that name. */
#define MEAN_COLUMNS(x_name)                                                                                 \
    {"panel", COLUMN_COUNT, offsetof(struct line_point, panel)},                                             \
        {"curve", COLUMN_COUNT, offsetof(struct line_point, curve)},                                         \
        {x_name, COLUMN_NUMBER, offsetof(struct line_point, x)},                                             \
        {"mean", COLUMN_NUMBER, offsetof(struct line_point, y)},                                             \
        {"low", COLUMN_NUMBER, offsetof(struct line_point, low)},                                            \
        {"high", COLUMN_NUMBER, offsetof(struct line_point, high)},                                          \
        {"point", COLUMN_COUNT, offsetof(struct line_point, point)}, {                                       \
        "scheme", COLUMN_TEXT, offsetof(struct line_point, scheme)                                           \
    }

struct lines {
    struct arena *arena;
    const struct panels *panels;
    struct line_point *at;
    size_t count, capacity;
    const char **scheme; /* [schemes]: the lines of the key */
    size_t schemes, scheme_capacity;
};
/* Adds a point; its curve follows from its scheme. Points of a curve come by x. */
void lines_add(struct lines *lines, struct line_point point);
/* Writes the table by `columns` of struct line_point, and the settings of panels, key and axes: each panel's largest x and y,
 * and whether its y are so far apart that the axis is logarithmic, with the smallest above 0. */
void lines_chart(const struct lines *lines, const struct columns *columns, struct chart *chart);
#endif
