#include "fitter.h"
#include "score.h"
#include <math.h>

/* The ends of the scenario's parameter. */
#define SHAPE_LEAST 0.05
#define SHAPE_MOST  1000

/* The powers t^shape, over the largest time to the shape so that none overflows: their mean, and the mean of the
 * logarithms that they weigh. */
struct powers {
    double mean, weighed;
};

static struct powers powers_of(const struct sample *sample, double shape) {
    double largest = sample->logarithm[sample->count - 1], sum = 0, weighed = 0;
    for (size_t v = 0; v < sample->count; v++) {
        double power = exp(shape * (sample->logarithm[v] - largest));
        sum += power;
        weighed += power * sample->logarithm[v];
    }
    return (struct powers){sum / (double)sample->count, weighed / sum};
}

/* With the scale at its best. */
static double score_at(double shape, void *context) {
    const struct sample *sample = context;
    return 1 / shape + sample->log_mean - powers_of(sample, shape).weighed;
}

static bool estimate(const struct sample *sample, double *theta, struct sentence *why) {
    if (!sample_positive(sample, why))
        return false;
    struct sample own = *sample;
    struct score score = {score_at, &own};
    if (!score_zero(&score, SHAPE_LEAST, SHAPE_MOST, &theta[0])) {
        sentence_set(why, "its shape would be outside [%g, %g]", SHAPE_LEAST, (double)SHAPE_MOST);
        return false;
    }
    theta[1] = sample_largest(sample) * pow(powers_of(sample, theta[0]).mean, 1 / theta[0]);
    return true;
}

static double log_density(const double *theta, double seconds, double log_seconds) {
    (void)seconds;
    double apart = log_seconds - log(theta[1]);
    return log(theta[0]) - log_seconds + theta[0] * apart - exp(theta[0] * apart);
}

static struct node *written(const double *theta, struct arena *arena) {
    struct node *law = written_law(arena, "weibull");
    written_number(arena, law, "shape", theta[0]);
    written_number(arena, law, "scale", theta[1]);
    return law;
}

const struct fitter fit_weibull = {"weibull", 2, estimate, log_density, written};
