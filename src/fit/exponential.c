#include "fitter.h"
#include <math.h>

static bool estimate(const struct sample *sample, double *theta, struct sentence *why) {
    theta[0] = sample->mean_s;
    return sample_varies(sample, why);
}

static double log_density(const double *theta, double seconds, double log_seconds) {
    (void)log_seconds;
    return -log(theta[0]) - seconds / theta[0];
}

static struct node *written(const double *theta, struct arena *arena) {
    struct node *law = written_law(arena, "exponential");
    written_number(arena, law, "mean", theta[0]);
    return law;
}

const struct fitter fit_exponential = {"exponential", 1, estimate, log_density, written};
