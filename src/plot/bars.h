/* bars.h: one number per scheme with its interval, a row each, in a panel per point of the sweep: what step-time and
 * time-to-target share. */
#ifndef LAGGARD_BARS_H
#define LAGGARD_BARS_H
#include "panels.h"

/* A row of the figure's CSV. */
struct bar {
    uint32_t panel, row;     /* from 1; a scheme has the same row, and colour, in all panels */
    double value, low, high; /* NAN: none */
    uint32_t point;
    const char *scheme;
    const char *note; /* what the bar says at its end */
};

/* What goes with the bars. */
struct bars {
    struct arena *arena;
    const struct panels *panels;
    struct bar *bar; /* by panel */
    size_t count;
    const char **scheme; /* [rows] */
    size_t rows;
};
/* Room for a bar per block of the results. */
struct bars bars_of(const struct panels *panels, const struct results *results);
/* A bar for the block, empty but for its place; NULL where its point is not shown. */
struct bar *bars_add(struct bars *bars, const struct block *block);
/* Writes the table by `columns` of struct bar, and the settings of rows, labels, notes and the axis. */
void bars_chart(const struct bars *bars, const struct columns *columns, struct chart *chart);
/* The largest ratio in a panel of the longest bar to the shortest; 1 where some bar is 0. */
double bars_range(const struct bars *bars);
/* Whether some bar has an interval. */
bool bars_uncertain(const struct bars *bars);
/* Whether some interval goes below 0, where the picture cuts it. */
bool bars_cut(const struct bars *bars);
#endif
