/* figure.h: figures of a results folder, be it of a study or of a fit. A figure NAME is figures/NAME.csv (thinned and banded here), figures/NAME.gp
 * (the script of analysis/, with its data and title set on top) and the picture(s) that gnuplot draws from it.
 * Knows the CSV files of a results folder, not the simulator. One file per figure. */
#ifndef LAGGARD_FIGURE_H
#define LAGGARD_FIGURE_H
#include "param.h"
#include "points.h"

/* Points per curve at most, so that no terminal chokes; and as few as still show a curve. */
#define FIGURE_POINTS        400
#define FIGURE_POINTS_FEWEST 10

struct chart;
struct plot_request;
struct figure {
    struct variant head; /* name: loss-time; summary for `list`; no parameters */
    const char *title;   /* of the picture */
    const char
        *file; /* by which a folder has this figure: where it is absent, it is not missed among all figures */
    bool rare; /* nor is it where few studies have it and this one has nothing to show */
    /* Fills the chart's table and settings from the CSV files of the folder. 1: something to draw, 0: nothing to draw
     * here, -1: failed; the last two after writing why. */
    int (*tabulate)(const struct plot_request *request, struct chart *chart, struct sentence *why);
};
extern const struct family
    figure_family; /* loss-time, loss-steps, step-time, time-to-target, timeline, fit, bounds, staleness, workers, loss-spread, scaling, sweep, heatmap, crossover */

/* Whether a folder has any figure, by its files. */
bool figures_possible(const char *folder);

struct plot_request {
    const char *folder;
    const char *into;       /* folder of the pictures; NULL: `figures` in `folder` */
    const char *figure;     /* NULL: every figure that has something to show */
    const char *formats[4]; /* "svg", "png", "pdf"; ended by NULL; none: svg and png */
    const char *scripts;    /* folder of the *.gp scripts */
    struct points points;   /* of a sweep; none chosen: the first ones */
    size_t detail;          /* points per curve of losses and bounds; 0: FIGURE_POINTS */
};
/* Points per curve at most. */
size_t figure_points(const struct plot_request *request);
/* Draws. Returns the number of pictures drawn, or -1 after writing why (first failure); 0 after writing why where a figure
 * was asked for that has nothing to show. Notes (figures with nothing to show, an incomplete folder, characters that cannot be
 * drawn) go to `notes` as one sentence each. gnuplot runs with a time limit, output under a temporary name renamed when
 * it is not empty. The strings of `request` must outlive `notes`. */
int figures_draw(const struct plot_request *request, struct diag *notes, struct sentence *why);
#endif
