#include "ranking.h"
#include "memory.h"
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RARE       0.01
#define NEAR       0.01
#define COMPARABLE 2 /* times the best law's distance: a law that is right in the tail alone is no help */

bool fit_read_law(struct arena *arena, struct node *node, struct picked *law, struct sentence *why) {
    struct diag *diag = diag_new();
    struct binder binder = {.diag = diag, .arena = arena};
    *law = (struct picked){0};
    bool read = param_bind(&binder, node, &law_table, law);
    diag_free(diag);
    if (!read)
        sentence_set(why, "its parameters would be outside those that a scenario accepts");
    return read;
}

/* Repeated times are one step of the sample's function; the limit from below is taken for laws that jump too. */
double fit_distance(const struct picked *law, const struct sample *sample) {
    double largest = 0, count = (double)sample->count;
    for (size_t v = 0, next; v < sample->count; v = next) {
        double time_s = sample->value_s[v];
        for (next = v + 1; next < sample->count && sample->value_s[next] <= time_s;)
            next++;
        double below = law_cdf(law, nextafter(time_s, -HUGE_VAL)) - (double)v / count;
        double above = (double)next / count - law_cdf(law, time_s);
        largest = fmax(largest, fmax(fabs(below), fabs(above)));
    }
    return largest;
}

/* A sample of the law as large as the one that it was fitted to. */
static struct sample *resample(const struct picked *law, size_t count, struct stream stream) {
    double *value_s = memory_zeroed(count, sizeof *value_s);
    for (size_t v = 0; v < count; v++) {
        struct occasion occasion = {.draw = {.stream = stream, .step = (uint32_t)v}};
        value_s[v] = law_sample(law, occasion);
    }
    struct sample *drawn = sample_new(value_s, count);
    free(value_s);
    return drawn;
}

/* The distance of a sample from the law fitted to it; NAN where none can be. */
static double own_distance(const struct fitter *fitter, const struct sample *sample) {
    struct arena *arena = arena_new();
    struct sentence unheard;
    struct picked law;
    double theta[FIT_PARAMETERS] = {0}, distance = (double)NAN;
    if (fitter->estimate(sample, theta, &unheard) &&
        fit_read_law(arena, fitter->written(theta, arena), &law, &unheard))
        distance = fit_distance(&law, sample);
    arena_free(arena);
    return distance;
}

/* Writes the p-value of a law; none where it cannot be fitted to the tested sample. */
static void test_shape(struct fitted *one, const struct sample *tested, struct bootstrap bootstrap) {
    const struct fitter *fitter = one->fitter;
    struct arena *arena = arena_new();
    struct sentence unheard;
    struct picked law;
    double theta[FIT_PARAMETERS] = {0};
    if (fitter->estimate(tested, theta, &unheard) &&
        fit_read_law(arena, fitter->written(theta, arena), &law, &unheard)) {
        double distance = fit_distance(&law, tested);
        double as_far = 1, fitted = 1;
        for (uint32_t s = 0; s < bootstrap.resamples; s++) {
            struct sample *drawn =
                resample(&law, tested->count, (struct stream){bootstrap.seed, s, PURPOSE_SAMPLE});
            double own = own_distance(fitter, drawn);
            as_far += own >= distance;
            fitted += own >= 0;
            sample_free(drawn);
        }
        one->p_value = as_far / fitted;
        one->p_least = 1 / fitted;
    }
    arena_free(arena);
}

/* Whether the `rank`-th largest of as many independent times would be as long as the sample's, and as short, with a
 * probability that is not small: at least `rank` of `count` beyond it, a binomial number whose tail is a beta
 * distribution in the probability of one. Within 1 % counts as reached: a law that ends at the largest time has it. */
static enum reach reach_at(const struct picked *law, const struct sample *sample, size_t rank) {
    double time_s = sample->value_s[sample->count - rank], count = (double)sample->count, r = (double)rank;
    double least_s = nextafter(time_s * (1 - NEAR), -HUGE_VAL); /* a law may jump there */
    double as_long = gsl_cdf_beta_P(1 - law_cdf(law, least_s), r, count - r + 1);
    double as_short = gsl_cdf_beta_Q(1 - law_cdf(law, time_s * (1 + NEAR)), r, count - r + 1);
    return as_long < RARE ? REACH_SHORT : as_short < RARE ? REACH_BEYOND : REACH_FINE;
}

static enum reach reach_of(const struct picked *law, const struct sample *sample) {
    enum reach start = reach_at(law, sample, (sample->count + 999) / 1000);
    enum reach maximum = reach_at(law, sample, 1);
    if (start == REACH_SHORT || maximum == REACH_SHORT)
        return REACH_SHORT;
    return start == REACH_FINE ? maximum : start;
}

static void try_fitter(struct ranking *ranking, const struct fitter *fitter, const struct sample *sample) {
    struct fitted *one = &ranking->fitted[ranking->laws];
    struct declined *refusal = &ranking->declined[ranking->refusals];
    *one = (struct fitted){.fitter = fitter, .p_value = (double)NAN};
    *refusal = (struct declined){.fitter = fitter};
    bool fine = fitter->estimate(sample, one->theta, &refusal->why);
    one->node = fine ? fitter->written(one->theta, ranking->arena) : NULL;
    if (!fine || !fit_read_law(ranking->arena, one->node, &one->law, &refusal->why)) {
        ranking->refusals++;
        return;
    }
    one->log_likelihood = fit_log_likelihood(fitter, one->theta, sample);
    one->criterion = 2 * (double)fitter->parameters - 2 * one->log_likelihood;
    one->distance = fit_distance(&one->law, sample);
    one->reach = reach_of(&one->law, sample);
    ranking->laws++;
}

static int better(const void *left, const void *right) {
    const struct fitted *a = left, *b = right;
    return (a->criterion > b->criterion) - (a->criterion < b->criterion);
}

static void test_shapes(struct ranking *ranking, const struct sample *sample, struct bootstrap bootstrap) {
    struct sample *drawn = sample_drawn(sample, RANKING_TESTED, bootstrap.seed);
    const struct sample *tested = drawn ? drawn : sample;
    for (size_t l = 0; l < ranking->laws; l++)
        test_shape(&ranking->fitted[l], tested, bootstrap);
    ranking->tested = tested->count;
    sample_free(drawn);
}

struct ranking *ranking_new(const struct sample *sample, struct bootstrap bootstrap) {
    struct ranking *ranking = memory_zeroed(1, sizeof *ranking);
    size_t count = 0;
    while (fitters[count])
        count++;
    ranking->arena = arena_new();
    ranking->count = sample->count;
    ranking->fitted = arena_zeroed(ranking->arena, count + 1, sizeof *ranking->fitted);
    ranking->declined = arena_zeroed(ranking->arena, count + 1, sizeof *ranking->declined);
    for (size_t f = 0; f < count; f++)
        try_fitter(ranking, fitters[f], sample);
    qsort(ranking->fitted, ranking->laws, sizeof *ranking->fitted, better);
    if (bootstrap.resamples > 0 && sample_least(sample) < sample_largest(sample))
        test_shapes(ranking, sample, bootstrap);
    return ranking;
}

void ranking_free(struct ranking *ranking) {
    if (!ranking)
        return;
    arena_free(ranking->arena);
    free(ranking);
}

const struct fitted *ranking_reaching(const struct ranking *ranking) {
    for (size_t l = 0; l < ranking->laws; l++)
        if (ranking->fitted[l].reach == REACH_FINE &&
            ranking->fitted[l].distance <= COMPARABLE * ranking->fitted[0].distance)
            return &ranking->fitted[l];
    return NULL;
}
