#include "score.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>

#define STEPS 200

static double at_logarithm(double log_shape, void *context) {
    const struct score *score = context;
    return score->at(exp(log_shape), score->context);
}

bool score_zero(const struct score *score, double low, double high, double *shape) {
    if (!(score->at(low, score->context) > 0 && score->at(high, score->context) < 0))
        return false;
    struct score own = *score;
    gsl_function function = {.function = at_logarithm, .params = &own};
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    gsl_root_fsolver_set(solver, &function, log(low), log(high));
    for (int s = 0; s < STEPS; s++) {
        gsl_root_fsolver_iterate(solver);
        if (gsl_root_test_interval(gsl_root_fsolver_x_lower(solver), gsl_root_fsolver_x_upper(solver), 1e-12,
                                   0) == GSL_SUCCESS)
            break;
    }
    *shape = exp(gsl_root_fsolver_root(solver));
    gsl_root_fsolver_free(solver);
    return true;
}
