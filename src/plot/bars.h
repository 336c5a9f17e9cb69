/* bars.h: one number per scheme with its interval, a row each, in a group per point of the sweep: what step-time and
 * time-to-target share. */
#ifndef LAGGARD_BARS_H
#define LAGGARD_BARS_H
#include "chart.h"
#include "memory.h"
#include "results.h"

/* A row of the figure's CSV. */
struct bar {
    uint32_t panel;          /* from 1 */
    uint32_t colour;         /* of the scheme, from 1 */
    double value, low, high; /* NAN: none */
    uint32_t point;
    const char *scheme;
    const char *note; /* what the bar says at its end */
    double row;       /* its place from the top, set by bars_chart */
};

/* What goes with the bars. */
struct bars {
    struct arena *arena;
    const struct panels *panels;
    struct bar *bar; /* by panel */
    size_t count;
};
/* Index of the scheme among those of earlier bars of other panels, or a new one, from 1. */
uint32_t bars_colour(const struct bars *bars, const char *scheme);
/* Writes the table by `columns` of struct bar, and the settings of rows, labels, notes and the axis. */
void bars_chart(struct bars *bars, const struct columns *columns, struct chart *chart);
/* The largest end of a bar or its interval over the smallest value above 0. */
double bars_range(const struct bars *bars);
/* "The first 6 of 20 points." where there are more than are shown, else "". */
const char *bars_shown(const struct bars *bars);
#endif
