#include "fitter.h"
#include <math.h>

static bool estimate(const struct sample *sample, double *theta, struct sentence *why) {
    if (!sample_positive(sample, why))
        return false;
    theta[0] = sample_least(sample);
    theta[1] = 1 / (sample->log_mean - sample->logarithm[0]);
    return true;
}

static double log_density(const double *theta, double seconds, double log_seconds) {
    (void)seconds;
    return log(theta[1]) + theta[1] * log(theta[0]) - (theta[1] + 1) * log_seconds;
}

static struct node *written(const double *theta, struct arena *arena) {
    struct node *law = written_law(arena, "pareto");
    written_bound(arena, law, "minimum", theta[0]);
    written_number(arena, law, "shape", theta[1]);
    return law;
}

const struct fitter fit_pareto = {"pareto", 2, estimate, log_density, written};
