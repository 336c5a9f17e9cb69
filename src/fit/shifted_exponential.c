#include "fitter.h"
#include <math.h>

static bool estimate(const struct sample *sample, double *theta, struct sentence *why) {
    theta[0] = sample_least(sample);
    theta[1] = sample->mean_s - theta[0];
    return sample_varies(sample, why);
}

static double log_density(const double *theta, double seconds, double log_seconds) {
    (void)log_seconds;
    return -log(theta[1]) - (seconds - theta[0]) / theta[1];
}

static struct node *written(const double *theta, struct arena *arena) {
    struct node *law = written_law(arena, "shifted-exponential");
    written_bound(arena, law, "shift", theta[0]);
    written_number(arena, law, "mean", theta[1]);
    return law;
}

const struct fitter fit_shifted_exponential = {"shifted-exponential", 2, estimate, log_density, written};
