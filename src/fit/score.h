/* score.h: the shape of a law where its likelihood is flat: the zero of a falling function, by GSL.
 * Knows no law. */
#ifndef LAGGARD_SCORE_H
#define LAGGARD_SCORE_H
#include <stdbool.h>

/* The derivative of a likelihood along the shape; falls with it. */
struct score {
    double (*at)(double shape, void *context);
    void *context;
};
/* The zero between `low` and `high` to a relative 1e-12 (Brent's method on the logarithm of the shape). False when the
 * score has one sign on both. */
bool score_zero(const struct score *score, double low, double high, double *shape);
#endif
