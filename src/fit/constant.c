#include "fitter.h"

static bool estimate(const struct sample *sample, double *theta, struct sentence *why) {
    theta[0] = sample_least(sample);
    if (theta[0] >= sample_largest(sample))
        return true;
    sentence_set(why, "the times differ");
    return false;
}

static double log_density(const double *theta, double seconds, double log_seconds) {
    (void)theta;
    (void)seconds;
    (void)log_seconds;
    return 0;
}

static struct node *written(const double *theta, struct arena *arena) {
    struct node *law = written_law(arena, "constant");
    written_bound(arena, law, "value", theta[0]);
    return law;
}

const struct fitter fit_constant = {"constant", 1, estimate, log_density, written};
