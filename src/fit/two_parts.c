#include "two_parts.h"
#include "memory.h"
#include <gsl/gsl_blas.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>

#define THINNED     4000 /* values that starts are tried on */
#define STARTS      5
#define ROUNDS      12  /* of EM per start */
#define STEPS       120 /* of BFGS */
#define FEWEST      5   /* values that a part must hold */
#define COORDINATES 5
#define BLOCK       512
#define ALIKE       0.01

struct problem {
    const struct part_kind *kind;
    const double *z;
    size_t count;
};

/* What one pass over the data finds. */
struct expectation {
    double log_likelihood;
    struct part_sums sums[2];
};

/* Each part's weighted log-density. */
struct quadratics {
    double c[2][3];
};

static struct quadratics quadratics_of(const struct part_kind *kind, const struct two_parts *mixture) {
    struct quadratics both;
    for (size_t p = 0; p < 2; p++)
        kind->quadratic(mixture->part[p], both.c[p]);
    both.c[0][0] += log(mixture->weight);
    both.c[1][0] += log1p(-mixture->weight);
    return both;
}

static double at(const double c[static 3], double z) {
    return c[0] + z * (c[1] + z * c[2]);
}

double two_parts_log_density(const struct part_kind *kind, const struct two_parts *mixture, double z) {
    struct quadratics both = quadratics_of(kind, mixture);
    double first = at(both.c[0], z), second = at(both.c[1], z);
    return fmax(first, second) + log1p(exp(-fabs(first - second)));
}

/* The factors 1 + odds, at most 2 each, are multiplied in blocks: a logarithm per block is enough. */
static struct expectation expectation_of(const struct problem *problem, const struct two_parts *mixture) {
    struct quadratics both = quadratics_of(problem->kind, mixture);
    struct expectation all = {0};
    struct part_sums whole = {.count = (double)problem->count}, sums = {0};
    double factors = 1;
    for (size_t v = 0; v < problem->count; v++) {
        double z = problem->z[v], first = at(both.c[0], z), second = at(both.c[1], z);
        double larger = first > second ? first : second, odds = exp(first + second - 2 * larger);
        double share = (first > second ? 1 : odds) / (1 + odds);
        all.log_likelihood += larger;
        factors *= 1 + odds;
        if (v % BLOCK == BLOCK - 1) {
            all.log_likelihood += log(factors);
            factors = 1;
        }
        sums.count += share;
        sums.first += share * z;
        sums.second += share * z * z;
        whole.first += z;
        whole.second += z * z;
    }
    all.log_likelihood += log(factors);
    all.sums[0] = sums;
    all.sums[1] = (struct part_sums){fmax(whole.count - sums.count, 0), whole.first - sums.first,
                                     whole.second - sums.second};
    return all;
}

static void maximise(const struct problem *problem, const struct part_sums sums[2],
                     struct two_parts *mixture) {
    double share = sums[0].count / (double)problem->count;
    mixture->weight = fmin(fmax(share, 1e-9), 1 - 1e-9);
    for (size_t p = 0; p < 2; p++)
        if (sums[p].count > 0)
            problem->kind->maximise(&sums[p], mixture->part[p]);
}

/* The values below a quantile against those above. */
static struct two_parts split_at(const struct problem *problem, double quantile) {
    struct part_sums sums[2] = {{0}};
    size_t below = (size_t)(quantile * (double)problem->count);
    for (size_t v = 0; v < problem->count; v++) {
        struct part_sums *one = &sums[v < below ? 0 : 1];
        one->count += 1;
        one->first += problem->z[v];
        one->second += problem->z[v] * problem->z[v];
    }
    struct two_parts mixture = {.weight = 0.5};
    maximise(problem, sums, &mixture);
    return mixture;
}

/* The core against the rest, for tails on both sides. */
static struct two_parts core_and_rest(const struct problem *problem) {
    struct part_sums sums[2] = {{0}};
    for (size_t v = 0; v < problem->count; v++) {
        bool core = v > problem->count / 5 && v < problem->count - problem->count / 5;
        struct part_sums *one = &sums[core ? 0 : 1];
        one->count += 1;
        one->first += problem->z[v];
        one->second += problem->z[v] * problem->z[v];
    }
    struct two_parts mixture = {.weight = 0.5};
    maximise(problem, sums, &mixture);
    return mixture;
}

static struct two_parts best_start(const struct problem *problem) {
    static const double quantiles[STARTS - 1] = {0.5, 0.8, 0.95, 0.99};
    struct two_parts best = {0};
    double highest = -HUGE_VAL;
    for (size_t s = 0; s < STARTS; s++) {
        struct two_parts one = s + 1 < STARTS ? split_at(problem, quantiles[s]) : core_and_rest(problem);
        struct expectation found = expectation_of(problem, &one);
        for (int r = 0; r < ROUNDS; r++) {
            maximise(problem, found.sums, &one);
            found = expectation_of(problem, &one);
        }
        if (found.log_likelihood > highest) {
            highest = found.log_likelihood;
            best = one;
        }
    }
    return best;
}

/* Coordinates: the logit of the weight, the parts' own. */
static void to_free(const struct problem *problem, const struct two_parts *mixture, gsl_vector *x) {
    gsl_vector_set(x, 0, log(mixture->weight / (1 - mixture->weight)));
    for (size_t p = 0; p < 2; p++)
        problem->kind->to_free(mixture->part[p], gsl_vector_ptr(x, 1 + p * problem->kind->parameters));
}

static struct two_parts from_free(const struct problem *problem, const gsl_vector *x) {
    struct two_parts mixture = {.weight = 1 / (1 + exp(-gsl_vector_get(x, 0)))};
    mixture.weight = fmin(fmax(mixture.weight, 1e-12), 1 - 1e-12);
    for (size_t p = 0; p < 2; p++)
        problem->kind->from_free(gsl_vector_const_ptr(x, 1 + p * problem->kind->parameters), mixture.part[p]);
    return mixture;
}

/* The log-likelihood per value, turned over: GSL descends. The slopes are those of the expected complete data (Fisher's
 * identity). */
static void descend(const gsl_vector *x, void *context, double *height, gsl_vector *slope) {
    const struct problem *problem = context;
    struct two_parts mixture = from_free(problem, x);
    struct expectation found = expectation_of(problem, &mixture);
    double count = (double)problem->count;
    *height = -found.log_likelihood / count;
    gsl_vector_set(slope, 0, found.sums[0].count - count * mixture.weight);
    for (size_t p = 0; p < 2; p++)
        problem->kind->slope(&found.sums[p], mixture.part[p],
                             gsl_vector_ptr(slope, 1 + p * problem->kind->parameters));
    gsl_vector_scale(slope, -1 / count);
}

static double height_at(const gsl_vector *x, void *context) {
    double height, unused[COORDINATES];
    gsl_vector_view slope = gsl_vector_view_array(unused, x->size);
    descend(x, context, &height, &slope.vector);
    return height;
}

static void slope_at(const gsl_vector *x, void *context, gsl_vector *slope) {
    double height;
    descend(x, context, &height, slope);
}

/* A slope of g per value moves a parameter by g over its information; a standard error is 1 / sqrt(information times
 * count): the slope is followed down to a thousandth of that. */
static void climb(struct problem *problem, struct two_parts *mixture) {
    size_t coordinates = 1 + 2 * problem->kind->parameters;
    gsl_multimin_function_fdf function = {height_at, slope_at, descend, coordinates, problem};
    gsl_vector *x = gsl_vector_alloc(coordinates);
    to_free(problem, mixture, x);
    gsl_multimin_fdfminimizer *search =
        gsl_multimin_fdfminimizer_alloc(gsl_multimin_fdfminimizer_vector_bfgs2, coordinates);
    gsl_multimin_fdfminimizer_set(search, &function, x, 0.01, 0.1);
    for (int s = 0; s < STEPS; s++)
        if (gsl_blas_dnrm2(search->gradient) < 1e-3 / sqrt((double)problem->count) ||
            gsl_multimin_fdfminimizer_iterate(search) != GSL_SUCCESS)
            break;
    struct two_parts found = from_free(problem, search->x);
    /* Not a step that ended in infinity. */
    if (expectation_of(problem, &found).log_likelihood >= expectation_of(problem, mixture).log_likelihood)
        *mixture = found;
    gsl_multimin_fdfminimizer_free(search);
    gsl_vector_free(x);
}

static void order(const struct part_kind *kind, struct two_parts *mixture) {
    if (mixture->part[0][0] <= mixture->part[1][0])
        return;
    mixture->weight = 1 - mixture->weight;
    for (size_t q = 0; q < kind->parameters; q++) {
        double first = mixture->part[0][q];
        mixture->part[0][q] = mixture->part[1][q];
        mixture->part[1][q] = first;
    }
}

/* Evenly spaced values of a sorted sample: nearly the whole likelihood at a small part of the price. */
static struct problem thinned(const struct problem *problem, double *few) {
    for (size_t v = 0; v < THINNED; v++)
        few[v] = problem->z[(2 * v + 1) * problem->count / (2 * THINNED)];
    return (struct problem){problem->kind, few, THINNED};
}

static bool two_shown(const struct part_kind *kind, const struct two_parts *mixture, size_t count,
                      struct sentence *why) {
    bool equal = true;
    for (size_t q = 0; q < kind->parameters; q++)
        equal &= fabs(mixture->part[0][q] - mixture->part[1][q]) < ALIKE;
    if (equal)
        sentence_set(why, "its two parts would be alike");
    else if (fmin(mixture->weight, 1 - mixture->weight) * (double)count < FEWEST)
        sentence_set(why, "a second part would hold fewer than %d times", FEWEST);
    else
        return true;
    return false;
}

bool two_parts_fit(const struct part_kind *kind, const double *z, size_t count, struct two_parts *best,
                   struct sentence *why) {
    struct problem problem = {kind, z, count};
    if (count > THINNED) {
        double *few = memory_zeroed(THINNED, sizeof *few);
        struct problem small = thinned(&problem, few);
        *best = best_start(&small);
        climb(&small, best);
        free(few);
    } else {
        *best = best_start(&problem);
    }
    climb(&problem, best);
    order(kind, best);
    return two_shown(kind, best, count, why);
}
