#include "fitter.h"
#include "memory.h"
#include "two_parts.h"
#include <math.h>
#include <stdlib.h>

/* A part is the mean and the deviation of the logarithm, in deviations of the whole. The likelihood has no top where a
 * part may shrink to one value: none is narrower than this. */
#define NARROWEST 0.02

static void quadratic(const double *part, double c[static 3]) {
    double precision = 1 / (part[1] * part[1]);
    c[0] = -part[0] * part[0] * precision / 2 - log(part[1] * sqrt(2 * M_PI));
    c[1] = part[0] * precision;
    c[2] = -precision / 2;
}

static void maximise(const struct part_sums *sums, double *part) {
    part[0] = sums->first / sums->count;
    double variance = sums->second / sums->count - part[0] * part[0];
    part[1] = fmax(sqrt(fmax(variance, 0)), 1.01 * NARROWEST);
}

static void to_free(const double *part, double *coordinate) {
    coordinate[0] = part[0];
    coordinate[1] = log(part[1] - NARROWEST);
}

static void from_free(const double *coordinate, double *part) {
    part[0] = coordinate[0];
    part[1] = NARROWEST + exp(coordinate[1]);
}

static void slope(const struct part_sums *sums, const double *part, double *by) {
    double squares = sums->second - 2 * part[0] * sums->first + part[0] * part[0] * sums->count;
    by[0] = (sums->first - part[0] * sums->count) / (part[1] * part[1]);
    by[1] = (squares / (part[1] * part[1]) - sums->count) / part[1] * (part[1] - NARROWEST);
}

static const struct part_kind kind = {2, quadratic, maximise, to_free, from_free, slope};

/* theta: the first part's weight; mu and sigma of each. */
static bool estimate(const struct sample *sample, double *theta, struct sentence *why) {
    if (!sample_positive(sample, why))
        return false;
    double *z = memory_zeroed(sample->count, sizeof *z);
    for (size_t v = 0; v < sample->count; v++)
        z[v] = (sample->logarithm[v] - sample->log_mean) / sample->log_deviation;
    struct two_parts found;
    bool fine = two_parts_fit(&kind, z, sample->count, &found, why);
    free(z);
    theta[0] = found.weight;
    for (size_t p = 0; p < 2; p++) {
        theta[1 + 2 * p] = sample->log_mean + found.part[p][0] * sample->log_deviation;
        theta[2 + 2 * p] = found.part[p][1] * sample->log_deviation;
    }
    return fine;
}

static double log_density(const double *theta, double seconds, double log_seconds) {
    (void)seconds;
    struct two_parts mixture = {theta[0], {{theta[1], theta[2]}, {theta[3], theta[4]}}};
    return two_parts_log_density(&kind, &mixture, log_seconds) - log_seconds;
}

static struct node *written(const double *theta, struct arena *arena) {
    struct node *parts = node_list(arena, (struct place){0});
    for (size_t p = 0; p < 2; p++) {
        struct node *part = written_law(arena, "lognormal");
        written_number(arena, part, "weight", p == 0 ? theta[0] : 1 - theta[0]);
        written_number(arena, part, "mu", theta[1 + 2 * p]);
        written_number(arena, part, "sigma", theta[2 + 2 * p]);
        node_append(arena, parts, NULL, part);
    }
    struct node *law = written_law(arena, "mixture");
    node_append(arena, law, "parts", parts);
    return law;
}

const struct fitter fit_mixture_lognormal = {"two lognormals", 5, estimate, log_density, written};
