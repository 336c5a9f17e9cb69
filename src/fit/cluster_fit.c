#include "cluster_fit.h"
#include "cluster_written.h"
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

/* What dependence makes times longer by, and the seed of the states that are drawn. */
struct taken {
    double *logarithm; /* [workers * rounds], a row per worker */
    uint64_t seed;
};

/* The state of a time that may have been slow is drawn from its probability: dividing by the likelier one would cut the
 * law's tails where the states overlap. */
static bool was_slow(const struct cluster_fit *fit, size_t cell, size_t rounds, uint64_t seed) {
    struct draw draw = {.stream = {seed, 0, PURPOSE_REGIME},
                        .worker = (uint32_t)(cell / rounds),
                        .step = (uint32_t)(cell % rounds)};
    return draw_unit(&draw) < fit->regime->slow[cell];
}

/* Writes to `taken` the logarithm of what each time is longer by, in the shape of the matrix. */
static void take_out(const struct cluster_fit *fit, const struct log_matrix *matrix, const double *centre,
                     struct taken *taken) {
    double common = mean_centre(centre, matrix->workers);
    double spell = fit->spells ? log(fit->regime->slowdown) : 0;
    for (size_t c = 0; c < matrix->workers * matrix->rounds; c++) {
        if (isnan(matrix->value[c]))
            continue;
        if (fit->slowness_deviation > 0)
            taken->logarithm[c] += centre[c / matrix->rounds] - common;
        if (fit->spells && was_slow(fit, c, matrix->rounds, taken->seed))
            taken->logarithm[c] += spell;
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

static void settle_dependence(struct cluster_fit *fit, const struct log_matrix *matrix, enum model model,
                              struct taken *taken) {
    fit->dependence = dependence_of(matrix);
    double *mean = memory_zeroed(matrix->workers, sizeof *mean), *centre = mean;
    log_means(matrix, mean);
    bool slowness = persistent(fit, model);
    look_for_spells(fit, matrix, model, slowness ? CENTRE_PER_WORKER : CENTRE_COMMON);
    if (slowness)
        fit->slowness_deviation = sqrt(fit->dependence.between);
    if (slowness && fit->spells) {
        centre = fit->regime->centre;
        fit->slowness_deviation = centres_deviation(matrix, centre, fit->regime->deviation);
    }
    take_out(fit, matrix, centre, taken);
    if (fit->slowness_deviation > 0)
        settle_slowness(fit, centre, matrix->workers);
    free(mean);
}

/* Times without what dependence explains; those of workers from `first` of all files side by side. Where nothing is taken
 * out, times keep their bits. */
static struct measured_times *evened(const struct measured_times *times, const struct taken *taken,
                                     size_t first, size_t rounds) {
    struct measured_times *even = measured_times_copy(times);
    for (size_t c = 0; c < times->rounds * times->workers; c++) {
        double longer = taken->logarithm[(first + c % times->workers) * rounds + c / times->workers];
        if (fabs(longer) > 0)
            even->value_s[c] *= exp(-longer);
    }
    return even;
}

/* What the load leaves of evened files. */
static struct measured_times *rest_of_files(struct cluster_fit *fit, const struct loaded_times *loaded,
                                            const struct taken *taken, size_t rounds) {
    struct measured_times **even = memory_zeroed(loaded->files, sizeof *even);
    for (size_t f = 0, first = 0; f < loaded->files; first += loaded->times[f++]->workers)
        even[f] = evened(loaded->times[f], taken, first, rounds);
    struct loaded_times even_loaded = {(const struct measured_times *const *)even, loaded->load,
                                       loaded->files};
    fit->line = load_line_of(&even_loaded);
    struct measured_times *rest = load_line_rest(&fit->line, &even_loaded, &fit->left_out);
    for (size_t f = 0; f < loaded->files; f++)
        measured_times_free(even[f]);
    free(even);
    return rest;
}

/* Pearson's chi-squared of the workers' counts of zeros, where one is expected of each: with fewer it says nothing. */
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
    return freedom > 0 && (double)times->zeros > freedom &&
           gsl_cdf_chisq_Q(chi_squared, freedom) < FALSE_ALARM;
}

/* The times that laws are fitted to: what dependence and load leave. */
static struct measured_times *rest_of(struct cluster_fit *fit, const struct measured_times *times,
                                      const struct cluster_request *request) {
    struct taken taken = {memory_zeroed(times->workers * times->rounds, sizeof(double)),
                          request->bootstrap.seed};
    if (times->labelled && times->zeros < times->count) {
        struct log_matrix matrix;
        measured_times_logarithms(times, &matrix);
        if (request->loaded)
            load_line_level(request->loaded, &matrix);
        settle_dependence(fit, &matrix, request->model, &taken);
        free(matrix.value);
    }
    struct measured_times *rest = request->loaded ? rest_of_files(fit, request->loaded, &taken, times->rounds)
                                                  : evened(times, &taken, 0, times->rounds);
    free(taken.logarithm);
    return rest;
}

/* The sample without the zeros that are a part of the law of their own. */
static void settle_sample(struct cluster_fit *fit, const struct measured_times *rest) {
    fit->count = rest->count;
    fit->zeros = rest->zeros < rest->count ? rest->zeros : 0;
    fit->zeros_uneven = fit->zeros > 0 && zeros_uneven(rest);
    double *all = measured_times_all(rest);
    size_t kept = 0;
    for (size_t v = 0; v < rest->count; v++)
        if (fit->zeros == 0 || all[v] > 0)
            all[kept++] = all[v];
    fit->sample = sample_new(all, kept);
    free(all);
}

static void settle_laws(struct cluster_fit *fit, const struct cluster_request *request) {
    fit->ranking = ranking_new(fit->sample, request->bootstrap);
    fit->chosen = &fit->ranking->fitted[0];
    fit->cluster = cluster_written(fit, request);
}

struct cluster_fit *cluster_fit_new(const struct measured_times *times,
                                    const struct cluster_request *request) {
    struct cluster_fit *fit = memory_zeroed(1, sizeof *fit);
    fit->arena = arena_new();
    fit->dependence = (struct dependence){.workers = times->labelled ? times->workers : 1,
                                          .rounds = times->labelled ? times->rounds : 1,
                                          .share = (double)NAN,
                                          .lag_1 = (double)NAN,
                                          .common = (double)NAN,
                                          .memory = 1};
    struct measured_times *rest = rest_of(fit, times, request);
    if (!request->loaded || load_line_holds(&fit->line, &fit->left_out)) {
        settle_sample(fit, rest);
        settle_laws(fit, request);
    }
    measured_times_free(rest);
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
