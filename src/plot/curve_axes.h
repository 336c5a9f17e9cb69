/* curve_axes.h: which part of the plane a picture of loss curves shows, so that those that matter can be read. Knows
 * numbers only. */
#ifndef LAGGARD_CURVE_AXES_H
#define LAGGARD_CURVE_AXES_H
#include <stdbool.h>
#include <stddef.h>

/* A curve is cut on top at this multiple of the largest first loss: one that diverges hides no other. */
#define CURVES_GROWTH 3

/* Where a curve ends; whether it ends because all of its runs reached the target. */
struct curve_end {
    double x;
    bool reached;
};
/* The end of the x axis: that of the last curve to reach the target, and a quarter more where others go on; where none
 * has a target to reach, of the last curve. One that takes more than four times as long as most (the upper median) is
 * cut there too. count >= 1. */
double x_axis_end(const struct curve_end *end, size_t count);

struct loss_extent {
    double lowest, highest; /* of what is shown */
    double start;           /* largest first loss */
    double target;          /* smallest of the panels; NAN: none */
};
struct loss_axis {
    bool logarithmic;
    double low, high;
    bool cut; /* something leaves the picture on top */
};
/* Logarithmic from a ratio of 1.8 of largest to smallest. The target is in the picture unless that would press the
 * curves into less than half of it. */
struct loss_axis loss_axis_of(const struct loss_extent *extent);
#endif
