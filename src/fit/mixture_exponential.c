#include "fitter.h"
#include "memory.h"
#include "two_parts.h"
#include <math.h>
#include <stdlib.h>

/* A part is its mean. */
static void quadratic(const double *part, double c[static 3]) {
    c[0] = -log(part[0]);
    c[1] = -1 / part[0];
    c[2] = 0;
}

static void maximise(const struct part_sums *sums, double *part) {
    part[0] = fmax(sums->first / sums->count, 1e-12);
}

static void to_free(const double *part, double *coordinate) {
    coordinate[0] = log(part[0]);
}

static void from_free(const double *coordinate, double *part) {
    part[0] = exp(coordinate[0]);
}

static void slope(const struct part_sums *sums, const double *part, double *by) {
    by[0] = sums->first / part[0] - sums->count;
}

static const struct part_kind kind = {1, quadratic, maximise, to_free, from_free, slope};

/* theta: the first part's weight, the two means. */
static bool estimate(const struct sample *sample, double *theta, struct sentence *why) {
    if (!sample_varies(sample, why))
        return false;
    double *z = memory_zeroed(sample->count, sizeof *z);
    for (size_t v = 0; v < sample->count; v++)
        z[v] = sample->value_s[v] / sample->mean_s;
    struct two_parts found;
    bool fine = two_parts_fit(&kind, z, sample->count, &found, why);
    free(z);
    theta[0] = found.weight;
    theta[1] = found.part[0][0] * sample->mean_s;
    theta[2] = found.part[1][0] * sample->mean_s;
    return fine;
}

static double log_density(const double *theta, double seconds, double log_seconds) {
    (void)log_seconds;
    struct two_parts mixture = {theta[0], {{theta[1]}, {theta[2]}}};
    return two_parts_log_density(&kind, &mixture, seconds);
}

static struct node *written(const double *theta, struct arena *arena) {
    struct node *parts = node_list(arena, (struct place){0});
    for (size_t p = 0; p < 2; p++) {
        struct node *part = written_law(arena, "exponential");
        written_number(arena, part, "weight", p == 0 ? theta[0] : 1 - theta[0]);
        written_number(arena, part, "mean", theta[1 + p]);
        node_append(arena, parts, NULL, part);
    }
    struct node *law = written_law(arena, "mixture");
    node_append(arena, law, "parts", parts);
    return law;
}

const struct fitter fit_mixture_exponential = {"two exponentials", 3, estimate, log_density, written};
