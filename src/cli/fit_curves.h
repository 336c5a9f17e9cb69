/* fit_curves.h: a sample and the best laws for it as points of curves, for the figure `fit`. */
#ifndef LAGGARD_FIT_CURVES_H
#define LAGGARD_FIT_CURVES_H
#include "ranking.h"
#include "sheet.h"

/* Fills fit.csv: distribution functions, tails, quantiles against quantiles, of the sample and of the best three laws.
 * The caller ends the sheet with sheet_fini. */
void fit_curves_fill(struct sheet *sheet, const struct ranking *ranking, const struct sample *sample);
#endif
