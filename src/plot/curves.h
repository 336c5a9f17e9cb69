/* curves.h: the loss of many runs, or another number of their steps, as a picture of banded curves, one per scheme, in a panel per point of the sweep:
 * what loss-time, loss-steps and loss-spread share. */
#ifndef LAGGARD_CURVES_H
#define LAGGARD_CURVES_H
#include "band.h"
#include "chart.h"
#include "diag.h"

/* One point of a curve: a row of the figure's CSV. */
struct curve_row {
    uint32_t panel, curve; /* from 1 */
    double x, median, low, high;
    uint32_t runs, point;
    const char *scheme;
};

struct plot_request;
struct curves_request {
    const struct plot_request *plot;
    const char *x; /* column of steps.csv */
    enum axis axis;
    const struct columns *columns; /* of struct curve_row */
    const char *y;                 /* column of steps.csv; NULL: loss */
};
/* As figure.tabulate. */
int curves_tabulate(const struct curves_request *request, struct chart *chart, struct sentence *why);
#endif
