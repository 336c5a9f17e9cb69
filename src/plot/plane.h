/* plane.h: the points of a sweep by the values of its axes: what the figures sweep, heatmap and crossover share. */
#ifndef LAGGARD_PLANE_H
#define LAGGARD_PLANE_H
#include "chart.h"
#include "points.h"
#include "results.h"

/* Axes that are told apart, at most, and values of one that are. */
enum { PLANE_AXES = 8, PLANE_VALUES = 64 };

/* A swept key that has several values. */
struct plane_axis {
    const char *key;
    size_t column, values;
    const char *word[PLANE_VALUES]; /* ascending where all are numbers, else as they come */
    double number[PLANE_VALUES];
    bool numeric;
};

/* By what schemes are compared: columns of summary.csv. */
struct plane_measure {
    const char *title; /* of an axis: "Seconds to the target loss" */
    const char *noun;  /* in a sentence */
    const char *mean, *low, *high;
};

struct plane {
    const struct results *summary;
    const struct points *points;
    size_t axes, cut; /* axes; values that are left out */
    struct plane_axis axis[PLANE_AXES];
    const char *const **word; /* [axes]: of each row */
    struct plane_measure measure;
    const char **scheme; /* [schemes] */
    size_t schemes;
};
/* Of summary.csv, of the points asked for. */
struct plane plane_of(const struct results *summary, const struct points *points);
/* Index of the block's value on an axis; axis->values: it is left out. */
size_t plane_place(const struct plane *plane, const struct block *block, size_t axis);
/* Index of its scheme. */
size_t plane_scheme(const struct plane *plane, const struct block *block);
/* Its point was asked for, and every axis but the first `shown` has its first value there. */
bool plane_shows(const struct plane *plane, const struct block *block, size_t shown);
/* What the axes that are not shown are set to, as a sentence; else "". */
const char *plane_fixed(const struct plane *plane, size_t shown);
/* The mean of the measure; NAN: no run came to it. */
double plane_mean(const struct plane *plane, const struct block *block);
/* Opens summary.csv of the folder and hands it on; as figure.tabulate. */
struct plot_request;
int plane_tabulate(const struct plot_request *request, struct chart *chart,
                   int (*fill)(const struct plane *plane, struct chart *chart, struct sentence *why),
                   struct sentence *why);
/* The keys and values of the first two axes as settings of a chart: x_key, x_values, y_key, y_values. */
void plane_chart(const struct plane *plane, struct chart *chart);
#endif
