/* band.h: many runs as one curve: the median and the 10th and 90th percentiles over the runs, at common places of x.
 * Before its first point a curve does not begin, and a run that ended counts with its last y until half of the runs
 * have ended, where the curve stops. Where y falls towards a target at which runs end, this gives the true median: a
 * run that ended stays below it. */
#ifndef LAGGARD_BAND_H
#define LAGGARD_BAND_H
#include <stddef.h>

struct course {
    size_t points;       /* >= 1 */
    const double *x, *y; /* x ascending */
};

/* What x is, and with it what a run is between two of its points. */
enum axis {
    AXIS_TIME, /* places at equal distances; a run keeps its y until its next point, as a model does until its update */
    AXIS_STEPS /* whole places, as equally spaced as they can be; a straight line over steps that were not recorded */
};

struct grid {
    double first, last;
    enum axis axis;
    size_t points; /* >= 1 */
};
/* The places of x at which the runs are compared: from the latest first x to the moment half of the runs ended; at most
 * `limit` points. */
struct grid grid_of(const struct course *runs, size_t count, enum axis axis, size_t limit);
/* The same up to `end`, if it ends later: as many places where there is less to show. */
struct grid grid_until(const struct grid *grid, double end, size_t limit);
double grid_place(const struct grid *grid, size_t index);

struct band {
    double median, low, high; /* low, high: NAN with one run */
};
/* Writes grid->points bands. */
void band_over(const struct course *runs, size_t count, const struct grid *grid, struct band *band);
#endif
