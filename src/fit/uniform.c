#include "fitter.h"
#include <math.h>

static bool estimate(const struct sample *sample, double *theta, struct sentence *why) {
    theta[0] = sample_least(sample);
    theta[1] = sample_largest(sample);
    return sample_varies(sample, why);
}

static double log_density(const double *theta, double seconds, double log_seconds) {
    (void)seconds;
    (void)log_seconds;
    return -log(theta[1] - theta[0]);
}

static struct node *written(const double *theta, struct arena *arena) {
    struct node *law = written_law(arena, "uniform");
    written_bound(arena, law, "low", theta[0]);
    written_bound(arena, law, "high", theta[1]);
    return law;
}

const struct fitter fit_uniform = {"uniform", 2, estimate, log_density, written};
