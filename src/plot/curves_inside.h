/* curves_inside.h: what the files that make a picture of curves share, and nobody else. */
#ifndef LAGGARD_CURVES_INSIDE_H
#define LAGGARD_CURVES_INSIDE_H
#include "curve_axes.h"
#include "curves.h"
#include "panels.h"

/* A scheme in one panel; no runs: it has no loss there. */
struct curve {
    const struct block *block; /* of steps.csv */
    struct course *course;     /* [runs] */
    size_t runs;
    struct grid grid;   /* to its end, which may lie beyond the picture */
    bool reached;       /* all of its runs reached the target */
    size_t first, rows; /* of the part that is shown, in the table */
};

struct curves {
    const struct curves_request *request;
    struct chart *chart;
    struct arena *arena;
    struct results runs, steps, summary; /* summary.csv == NULL: there is none */
    const char **status;                 /* [runs]; NULL: runs.csv does not say */
    struct panels panels;
    size_t entries;
    const char **scheme; /* [entries], as steps.csv orders them: the lines of the key */
    struct curve *curve; /* [panel * entries + entry] */
    struct curve_row *row;
    size_t rows;
    double x_high[PANELS], target[PANELS]; /* target: NAN where there is none */
    size_t replications;                   /* most of any curve */
};

/* Sets the key: schemes, how runs ended that did not as asked for, and where curves end that have no target. */
void curves_key(struct curves *curves);
/* Sets the lines below the picture. `axis` is that of the loss. */
void curves_caption(struct curves *curves, const struct loss_axis *axis);
/* Runs of the block's point and scheme that ended with `status`. */
size_t curves_ended(const struct curves *curves, const struct block *like, const char *status);
/* The column of steps.csv that is shown, and whether that is the loss, which may have a target and a limit of growth. */
const char *curves_y(const struct curves *curves);
bool curves_of_loss(const struct curves *curves);
/* Whether some panel has a target. */
bool curves_targeted(const struct curves *curves);
#endif
