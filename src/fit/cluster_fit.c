#include "cluster_fit.h"
#include "memory.h"
#include "stream.h"
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* Log-likelihood beyond its price in Akaike's criterion that a second part must bring. */
#define DOUBT 5
/* Of a test whether zeros are spread evenly. */
#define FALSE_ALARM 0.001

extern const struct fitter fit_lognormal, fit_mixture_lognormal;

/* Deviation of the workers' centres beyond that of their own errors. */
static double centres_deviation(const struct log_matrix *matrix, const double *centre, double within) {
    double sum = 0, squares = 0, noise = 0, workers = 0;
    for (size_t i = 0; i < matrix->workers; i++) {
        size_t count = 0;
        for (size_t r = 0; r < matrix->rounds; r++)
            count += isnan(matrix->value[i * matrix->rounds + r]) ? 0 : 1;
        if (count == 0)
            continue;
        workers += 1;
        sum += centre[i];
        noise += within * within / (double)count;
    }
    for (size_t i = 0; i < matrix->workers; i++)
        squares += isnan(centre[i]) ? 0 : (centre[i] - sum / workers) * (centre[i] - sum / workers);
    return sqrt(fmax(squares / (workers - 1) - noise / workers, 0));
}

static double mean_centre(const double *centre, size_t workers) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < workers; i++) {
        sum += isnan(centre[i]) ? 0 : centre[i];
        count += isnan(centre[i]) ? 0 : 1;
    }
    return sum / count;
}

static bool persistent(const struct cluster_fit *fit, enum model model) {
    bool possible = fit->dependence.workers > 1 && fit->dependence.rounds > 1;
    return model == MODEL_PERSISTENT ? possible && fit->dependence.between > 0
                                     : model != MODEL_INDEPENDENT && fit->dependence.persistent;
}

static void look_for_spells(struct cluster_fit *fit, const struct log_matrix *matrix, enum model model,
                            enum centres centres) {
    bool wanted = model == MODEL_REGIME || (model == MODEL_SHOWN && fit->dependence.remembers);
    if (!wanted || fit->dependence.rounds < 2 || isnan(fit->dependence.lag_1))
        return;
    fit->regime = regime_fit_new(matrix, centres);
    fit->spells = fit->regime->shown;
}

/* The state of a time that may have been slow is drawn from its probability: dividing by the likelier one would cut the
 * law's tails where the states overlap. */
static bool was_slow(const struct cluster_fit *fit, size_t cell, size_t rounds, uint64_t seed) {
    struct draw draw = {.stream = {seed, 0, PURPOSE_REGIME},
                        .worker = (uint32_t)(cell / rounds),
                        .step = (uint32_t)(cell % rounds)};
    return draw_unit(&draw) < fit->regime->slow[cell];
}

static void take_out(struct cluster_fit *fit, struct log_matrix *matrix, const double *centre,
                     uint64_t seed) {
    double common = mean_centre(centre, matrix->workers);
    double spell = fit->spells ? log(fit->regime->slowdown) : 0;
    for (size_t c = 0; c < matrix->workers * matrix->rounds; c++) {
        if (isnan(matrix->value[c]))
            continue;
        if (fit->slowness_deviation > 0)
            matrix->value[c] -= centre[c / matrix->rounds] - common;
        if (fit->spells && was_slow(fit, c, matrix->rounds, seed))
            matrix->value[c] -= spell;
    }
}

static struct node *written_slowness(const struct cluster_fit *fit, const struct sample *factors) {
    const double lone[] = {0, fit->slowness_deviation};
    double theta[FIT_PARAMETERS];
    struct sentence unheard;
    const struct fitter *one = &fit_lognormal, *two = &fit_mixture_lognormal;
    double gain = two->estimate(factors, theta, &unheard)
                      ? fit_log_likelihood(two, theta, factors) - fit_log_likelihood(one, lone, factors)
                      : 0;
    double price = (double)(two->parameters - one->parameters);
    return gain > price + DOUBT ? two->written(theta, fit->arena) : one->written(lone, fit->arena);
}

/* The spread of the workers' factors brought down to what is theirs, and the better of one and two lognormal laws for
 * them. The median factor of a lone law is 1: the rest is in the law of the times. */
static void settle_slowness(struct cluster_fit *fit, const double *centre, size_t workers) {
    double common = mean_centre(centre, workers), squares = 0, count = 0;
    for (size_t i = 0; i < workers; i++) {
        squares += isnan(centre[i]) ? 0 : (centre[i] - common) * (centre[i] - common);
        count += isnan(centre[i]) ? 0 : 1;
    }
    double shrink = fmin(fit->slowness_deviation / sqrt(squares / (count - 1)), 1);
    double *there = memory_zeroed(workers, sizeof *there);
    fit->factor = memory_zeroed(workers, sizeof *fit->factor);
    size_t known = 0;
    for (size_t i = 0; i < workers; i++) {
        fit->factor[i] = isnan(centre[i]) ? 1 : exp(shrink * (centre[i] - common));
        if (!isnan(centre[i]))
            there[known++] = fit->factor[i];
    }
    struct sample *sample = sample_new(there, known);
    fit->slowness = written_slowness(fit, sample);
    sample_free(sample);
    free(there);
}

static void settle_dependence(struct cluster_fit *fit, struct log_matrix *matrix,
                              const struct cluster_request *request) {
    fit->dependence = dependence_of(matrix);
    double *mean = memory_zeroed(matrix->workers, sizeof *mean), *centre = mean;
    log_means(matrix, mean);
    bool slowness = persistent(fit, request->model);
    look_for_spells(fit, matrix, request->model, slowness ? CENTRE_PER_WORKER : CENTRE_COMMON);
    if (slowness)
        fit->slowness_deviation = sqrt(fit->dependence.between);
    if (slowness && fit->spells) {
        centre = fit->regime->centre;
        fit->slowness_deviation = centres_deviation(matrix, centre, fit->regime->deviation);
    }
    take_out(fit, matrix, centre, request->bootstrap.seed);
    if (fit->slowness_deviation > 0)
        settle_slowness(fit, centre, matrix->workers);
    free(mean);
}

static struct sample *rest_sample(const struct log_matrix *matrix, size_t count) {
    double *rest_s = memory_zeroed(count, sizeof *rest_s);
    size_t taken = 0;
    for (size_t c = 0; c < matrix->workers * matrix->rounds; c++)
        if (!isnan(matrix->value[c]))
            rest_s[taken++] = exp(matrix->value[c]);
    struct sample *sample = sample_new(rest_s, taken);
    free(rest_s);
    return sample;
}

/* Times as they stand, but for the zeros that are a part of their own, keep their bits; exp(log t) would not. */
static struct sample *plain_sample(const struct measured_times *times, size_t zeros) {
    double *all = measured_times_all(times);
    size_t kept = 0;
    for (size_t v = 0; v < times->count; v++)
        if (zeros == 0 || all[v] > 0)
            all[kept++] = all[v];
    struct sample *sample = sample_new(all, kept);
    free(all);
    return sample;
}

/* Pearson's chi-squared of the workers' counts of zeros. */
static bool zeros_uneven(const struct measured_times *times) {
    double share = (double)times->zeros / (double)times->count, chi_squared = 0, freedom = -1;
    for (size_t i = 0; i < times->workers; i++) {
        double zeros = 0, count = 0;
        for (size_t r = 0; r < times->rounds; r++) {
            double time_s = times->value_s[r * times->workers + i];
            count += !isnan(time_s);
            zeros += time_s <= 0;
        }
        if (count <= 0)
            continue;
        freedom += 1;
        chi_squared += (zeros - share * count) * (zeros - share * count) / (share * (1 - share) * count);
    }
    return freedom > 0 && gsl_cdf_chisq_Q(chi_squared, freedom) < FALSE_ALARM;
}

static void settle_sample(struct cluster_fit *fit, const struct measured_times *times,
                          const struct cluster_request *request) {
    struct log_matrix matrix = {0};
    bool some_above = times->zeros < times->count;
    fit->count = times->count;
    fit->zeros = some_above ? times->zeros : 0;
    fit->zeros_uneven = fit->zeros > 0 && zeros_uneven(times);
    fit->dependence = (struct dependence){.workers = times->workers,
                                          .rounds = times->labelled ? times->rounds : 1,
                                          .share = (double)NAN,
                                          .lag_1 = (double)NAN,
                                          .memory = 1};
    if (times->labelled && some_above) {
        measured_times_logarithms(times, &matrix);
        settle_dependence(fit, &matrix, request);
    }
    fit->sample = fit->slowness_deviation > 0 || fit->spells ? rest_sample(&matrix, times->count)
                                                             : plain_sample(times, fit->zeros);
    free(matrix.value);
}

static struct node *written_regime(struct arena *arena, const struct regime_fit *fit) {
    struct node *regime = node_mapping(arena, (struct place){0});
    written_number(arena, regime, "p_slow", fit->p_slow);
    written_number(arena, regime, "p_recover", fit->p_recover);
    written_number(arena, regime, "slowdown", fit->slowdown);
    return regime;
}

/* A mixture of 0 and the law. */
static struct node *beside_zeros(const struct cluster_fit *fit, struct node *law) {
    double share = (double)fit->zeros / (double)fit->count;
    struct node *parts = node_list(fit->arena, (struct place){0}),
                *zero = written_law(fit->arena, "constant");
    written_number(fit->arena, zero, "value", 0);
    written_number(fit->arena, zero, "weight", share);
    written_number(fit->arena, law, "weight", 1 - share);
    node_append(fit->arena, parts, NULL, zero);
    node_append(fit->arena, parts, NULL, law);
    struct node *mixture = written_law(fit->arena, "mixture");
    node_append(fit->arena, mixture, "parts", parts);
    return mixture;
}

static void write_laws(const struct cluster_fit *fit, const struct cluster_request *request,
                       struct node *group) {
    struct node *law = node_clone(fit->arena, fit->chosen->node);
    if (fit->zeros > 0)
        law = beside_zeros(fit, law);
    if (!request->line) {
        node_append(fit->arena, group, "compute", law);
        return;
    }
    struct node *compute = written_law(fit->arena, "constant");
    written_number(fit->arena, compute, "value", request->line->played_s);
    node_append(fit->arena, group, "compute", compute);
    node_append(fit->arena, group, "delay", law);
}

static struct node *written_group(const struct cluster_fit *fit, const struct cluster_request *request) {
    struct node *group = node_mapping(fit->arena, (struct place){0});
    bool own = request->slowness == SLOWNESS_OWN && fit->factor;
    written_number(fit->arena, group, "count", own ? 1 : request->workers);
    write_laws(fit, request, group);
    if (fit->spells)
        node_append(fit->arena, group, "regime", written_regime(fit->arena, fit->regime));
    if (!own && fit->slowness)
        node_append(fit->arena, group, "slowness", fit->slowness);
    return group;
}

/* Groups of one worker; a list of equal laws is long but says all there is. */
static void write_workers(const struct cluster_fit *fit, const struct cluster_request *request,
                          struct node *workers) {
    if (request->slowness != SLOWNESS_OWN || !fit->factor) {
        node_append(fit->arena, workers, NULL, written_group(fit, request));
        return;
    }
    for (uint32_t i = 0; i < request->workers; i++) {
        struct node *group = written_group(fit, request), *slowness = written_law(fit->arena, "constant");
        written_number(fit->arena, slowness, "value", fit->factor[i]);
        node_append(fit->arena, group, "slowness", slowness);
        node_append(fit->arena, workers, NULL, group);
    }
}

static struct node *written_cluster(const struct cluster_fit *fit, const struct cluster_request *request) {
    struct arena *arena = fit->arena;
    struct node *root = node_mapping(arena, (struct place){0});
    struct node *cluster = node_mapping(arena, (struct place){0});
    struct node *workers = node_list(arena, (struct place){0});
    write_workers(fit, request, workers);
    node_append(arena, root, "cluster", cluster);
    node_append(arena, cluster, "workers", workers);
    return root;
}

struct cluster_fit *cluster_fit_new(const struct measured_times *times,
                                    const struct cluster_request *request) {
    struct cluster_fit *fit = memory_zeroed(1, sizeof *fit);
    fit->arena = arena_new();
    settle_sample(fit, times, request);
    fit->ranking = ranking_new(fit->sample, request->bootstrap);
    fit->chosen = &fit->ranking->fitted[0];
    fit->cluster = written_cluster(fit, request);
    return fit;
}

void cluster_fit_free(struct cluster_fit *fit) {
    if (!fit)
        return;
    regime_fit_free(fit->regime);
    free(fit->factor);
    sample_free(fit->sample);
    ranking_free(fit->ranking);
    arena_free(fit->arena);
    free(fit);
}
