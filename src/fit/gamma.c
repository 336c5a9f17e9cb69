#include "fitter.h"
#include "score.h"
#include <gsl/gsl_sf_psi.h>
#include <math.h>

/* The ends of the scenario's parameter: flatter or steeper laws are not this one. */
#define SHAPE_LEAST 1e-3
#define SHAPE_MOST  1e5

/* With the scale at its best, mean / shape, the likelihood is flat where log(shape) - psi(shape) is the logarithm of the
 * mean less the mean of the logarithms. */
static double score_at(double shape, void *context) {
    return log(shape) - gsl_sf_psi(shape) - *(const double *)context;
}

static bool estimate(const struct sample *sample, double *theta, struct sentence *why) {
    if (!sample_positive(sample, why))
        return false;
    double gap = log(sample->mean_s) - sample->log_mean;
    struct score score = {score_at, &gap};
    if (!score_zero(&score, SHAPE_LEAST, SHAPE_MOST, &theta[0])) {
        sentence_set(why, "its shape would be outside [%g, %g]", SHAPE_LEAST, SHAPE_MOST);
        return false;
    }
    theta[1] = sample->mean_s / theta[0];
    return true;
}

static double log_density(const double *theta, double seconds, double log_seconds) {
    return (theta[0] - 1) * log_seconds - seconds / theta[1] - theta[0] * log(theta[1]) - lgamma(theta[0]);
}

static struct node *written(const double *theta, struct arena *arena) {
    struct node *law = written_law(arena, "gamma");
    written_number(arena, law, "shape", theta[0]);
    written_number(arena, law, "scale", theta[1]);
    return law;
}

const struct fitter fit_gamma = {"gamma", 2, estimate, log_density, written};
