/* convergence.h: what a scheme's theorem says of a run that was audited, and whether its conditions hold there. Knows no
 * file.
 *
 * xi and gamma are the largest ratios over the run while |grad F| is above 1e-8 of the first, below which they are
 * rounding: the theorem's conditions hold at every step of it, or fail at one. Its rate is that of the largest step size it allows: below that, F may fall more slowly than the bound. F* is the
 * smaller of what Newton's method found and what the run reached. */
#ifndef LAGGARD_CONVERGENCE_H
#define LAGGARD_CONVERGENCE_H
#include "plan.h"
#include "result.h"

struct convergence {
    const struct theorem *theorem; /* NULL: there is none, or nothing was audited; the rest is then empty */
    double smoothness, convexity;  /* L, lambda; NAN: not known */
    double xi, gamma;
    double learning_rate, limit; /* eta and the most it may be; NAN: not known */
    double rate;                 /* NAN: the bound does not exist */
    double minimum, start;       /* F*, F(w_0); NAN: not known */
    bool holds;
    struct sentence reason; /* the conditions that fail; empty: none */
    uint32_t exceeded_step; /* the first recorded step above the bound; UINT32_MAX: none */
};
struct convergence convergence_of(const struct contest *contest, const struct result *result);

/* F(w_t) - F* of a recorded row, and the bound at its step; NAN where they are not known. */
double convergence_excess(const struct convergence *convergence, const struct step_row *row);
double convergence_bound(const struct convergence *convergence, uint32_t step);
#endif
