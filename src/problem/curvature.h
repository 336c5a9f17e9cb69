/* curvature.h: how curved an objective is, and its smallest value: what claims of convergence are made of. Knows no run.
 *
 * With loss'' in [least, most] over all scores and I' the unit matrix without the intercept, every Hessian of F lies
 * between least X'X/m + l2 I' and most X'X/m + l2 I' (logistic: 0 and 1/4; linear: 1 and 1, so both are the Hessian). */
#ifndef LAGGARD_CURVATURE_H
#define LAGGARD_CURVATURE_H
#include "objective.h"

/* Features at most: the eigenvalues of a dense matrix take the third power of them. */
enum { CURVATURE_FEATURES = 256 };

enum curvature_status { CURVATURE_KNOWN, CURVATURE_NOT_CONVEX, CURVATURE_TOO_LARGE };

struct curvature {
    enum curvature_status
        status; /* unless KNOWN the numbers are NAN: the loss has no known bounds, or too many features */
    double smoothness; /* L: the largest eigenvalue of the upper matrix */
    double
        convexity; /* lambda: the smallest eigenvalue of the lower one; 0: not strongly convex. With the logistic
                         loss that is l2, and 0 with an intercept, which l2 does not hold */
    double minimum; /* F*, the infimum, by Newton's method; NAN: not found */
};

/* Time grows as m d^2 + d^3, some ten times. */
struct curvature curvature_of(const struct objective *objective);
#endif
