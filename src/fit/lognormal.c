#include "fitter.h"
#include <math.h>

static bool estimate(const struct sample *sample, double *theta, struct sentence *why) {
    theta[0] = sample->log_mean;
    theta[1] = sample->log_deviation;
    return sample_positive(sample, why);
}

static double log_density(const double *theta, double seconds, double log_seconds) {
    (void)seconds;
    double apart = (log_seconds - theta[0]) / theta[1];
    return -apart * apart / 2 - log(theta[1] * sqrt(2 * M_PI)) - log_seconds;
}

static struct node *written(const double *theta, struct arena *arena) {
    struct node *law = written_law(arena, "lognormal");
    written_number(arena, law, "mu", theta[0]);
    written_number(arena, law, "sigma", theta[1]);
    return law;
}

const struct fitter fit_lognormal = {"lognormal", 2, estimate, log_density, written};
