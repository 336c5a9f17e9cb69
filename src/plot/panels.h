/* panels.h: the points of a sweep that a figure shows, a panel each, and what they are called. */
#ifndef LAGGARD_PANELS_H
#define LAGGARD_PANELS_H
#include "chart.h"
#include "points.h"
#include "results.h"

/* Panels of a figure at most: more cannot be read at half a page. */
enum { PANELS = 6 };
struct panels {
    struct arena *arena;
    size_t count, points; /* shown; in all, or chosen */
    bool chosen;          /* by the user */
    uint32_t point[PANELS];
    const char *label[PANELS]; /* stragglers = 2, learning_rate = 0.5; empty where there is one panel */
    const char *common;        /* the swept keys that are the same in all panels, alike; empty without */
};
/* The first points, or the first of those asked for. Swept columns of runs.csv and summary.csv stand between `point`
 * and `scheme`. False after writing why: none of the points asked for is there. */
bool panels_choose(struct panels *panels, const struct results *results, const struct points *points,
                   struct sentence *why);
/* Index of the panel of `point`, or panels->count. */
size_t panels_find(const struct panels *panels, uint32_t point);
/* Sets labels in one or two lines, what they have in common and the longest line's characters. */
void panels_chart(const struct panels *panels, struct chart *chart);
/* Which points are shown where they are not all, as a sentence; else "". */
const char *panels_shown(const struct panels *panels);
/* Makes the ends of the panels' axes [count] equal unless that would press some panel flat. */
void panels_share_axis(const struct panels *panels, double *end);
#endif
