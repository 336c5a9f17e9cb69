#include "dependence.h"
#include "memory.h"
#include "sample.h"
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define MATERIAL     0.25
#define FALSE_ALARM  0.001
#define LAG_LEAST    0.1
#define LAG_ERRORS   4
#define COMMON_LEAST 0.1

/* Sums of squares of an analysis of variance. */
struct squares {
    size_t values, workers, longest;
    double mean, total, between, within;
    double sum_of_squared_counts;
};

/* Summed as differences from the first: equal values have a mean that is equal to them. */
void log_means(const struct log_matrix *matrix, double *mean) {
    for (size_t i = 0; i < matrix->workers; i++) {
        double first = (double)NAN, beyond = 0;
        size_t count = 0;
        for (size_t r = 0; r < matrix->rounds; r++) {
            double value = matrix->value[i * matrix->rounds + r];
            if (isnan(value))
                continue;
            first = count == 0 ? value : first;
            beyond += value - first;
            count++;
        }
        mean[i] = count > 0 ? first + beyond / (double)count : (double)NAN;
    }
}

static size_t row_count(const struct log_matrix *matrix, size_t i) {
    size_t count = 0;
    for (size_t r = 0; r < matrix->rounds; r++)
        count += isnan(matrix->value[i * matrix->rounds + r]) ? 0 : 1;
    return count;
}

static struct squares squares_of(const struct log_matrix *matrix, const double *mean) {
    struct squares squares = {0};
    for (size_t i = 0; i < matrix->workers; i++) {
        size_t count = row_count(matrix, i);
        if (count == 0)
            continue;
        squares.workers++;
        squares.values += count;
        squares.longest = count > squares.longest ? count : squares.longest;
        squares.mean += (double)count * mean[i];
        squares.sum_of_squared_counts += (double)count * (double)count;
    }
    squares.mean /= (double)squares.values;
    for (size_t i = 0; i < matrix->workers; i++)
        for (size_t r = 0; r < matrix->rounds; r++) {
            double value = matrix->value[i * matrix->rounds + r];
            if (isnan(value))
                continue;
            squares.between += (mean[i] - squares.mean) * (mean[i] - squares.mean);
            squares.within += (value - mean[i]) * (value - mean[i]);
        }
    squares.total = squares.between + squares.within;
    return squares;
}

/* The correlation within workers at a lag, over the pairs that are there. */
static double correlation(const struct log_matrix *matrix, const double *mean, size_t lag, size_t *pairs) {
    double product = 0, square = 0;
    *pairs = 0;
    for (size_t i = 0; i < matrix->workers; i++)
        for (size_t r = lag; r < matrix->rounds; r++) {
            double now = matrix->value[i * matrix->rounds + r] - mean[i];
            double then = matrix->value[i * matrix->rounds + r - lag] - mean[i];
            if (isnan(now) || isnan(then))
                continue;
            product += now * then;
            square += (now * now + then * then) / 2;
            (*pairs)++;
        }
    return square > 0 ? product / square : (double)NAN;
}

/* Geyer's initial positive sequence (1992), cut where correlations drown in noise. */
static double memory_of(const struct log_matrix *matrix, const double *mean) {
    double memory = 1;
    for (size_t lag = 1; lag < matrix->rounds / 2; lag++) {
        size_t pairs;
        double found = correlation(matrix, mean, lag, &pairs);
        if (!(found > 2 / sqrt((double)pairs)))
            break;
        memory += 2 * found;
    }
    return memory;
}

/* The variance of workers without any of their own; none where they are equal too. */
static void take_steady_shares(struct dependence *dependence, const struct squares *squares) {
    double workers = (double)squares->workers, values = (double)squares->values;
    double variance = squares->between / values * workers / (workers - 1);
    dependence->persistent = sqrt(variance) > ROUNDING;
    dependence->between = dependence->persistent ? variance : 0;
    dependence->share = dependence->persistent ? 1 : (double)NAN;
}

static void take_shares(struct dependence *dependence, const struct squares *squares) {
    double workers = (double)squares->workers, values = (double)squares->values;
    double mean_between = squares->between / (workers - 1),
           mean_within = squares->within / (values - workers);
    double each = (values - squares->sum_of_squared_counts / values) / (workers - 1);
    double chance = mean_within * dependence->memory;
    dependence->between = fmax((mean_between - chance) / each, 0);
    dependence->share = dependence->between / (dependence->between + mean_within);
    double freedom = (values - workers) / dependence->memory;
    dependence->persistent =
        dependence->share >= MATERIAL &&
        gsl_cdf_fdist_Q(mean_between / chance, workers - 1, fmax(freedom, 1)) < FALSE_ALARM;
}

/* Sums of squares of what is left of times without their workers' means, between and within rounds. */
static struct squares round_squares(const struct log_matrix *matrix, const double *mean) {
    struct squares squares = {0};
    for (size_t r = 0; r < matrix->rounds; r++) {
        double sum = 0, square = 0, count = 0;
        for (size_t i = 0; i < matrix->workers; i++) {
            double apart = matrix->value[i * matrix->rounds + r] - mean[i];
            sum += isnan(apart) ? 0 : apart;
            square += isnan(apart) ? 0 : apart * apart;
            count += isnan(apart) ? 0 : 1;
        }
        if (count <= 0)
            continue;
        squares.longest++;
        squares.values += (size_t)count;
        squares.between += sum * sum / count;
        squares.within += square - sum * sum / count;
    }
    return squares;
}

/* Analysis of variance with workers and rounds as factors, without their interaction. */
static void take_common(struct dependence *dependence, const struct log_matrix *matrix, const double *mean) {
    struct squares squares = round_squares(matrix, mean);
    double values = (double)squares.values, rounds = (double)squares.longest;
    double freedom = values - rounds - (double)dependence->workers + 1;
    if (freedom < 1 || rounds < 2)
        return;
    double between = squares.between / (rounds - 1),
           within = fmax(squares.within / freedom, ROUNDING * ROUNDING);
    double variance = fmax((between - within) * rounds / values, 0);
    dependence->common = variance / (variance + within);
    dependence->shared = dependence->common >= COMMON_LEAST &&
                         gsl_cdf_fdist_Q(between / within, rounds - 1, freedom) < FALSE_ALARM;
}

struct dependence dependence_of(const struct log_matrix *matrix) {
    double *mean = memory_zeroed(matrix->workers, sizeof *mean);
    log_means(matrix, mean);
    struct squares squares = squares_of(matrix, mean);
    struct dependence dependence = {.workers = squares.workers,
                                    .rounds = squares.longest,
                                    .variance = squares.total / (double)squares.values,
                                    .share = (double)NAN,
                                    .lag_1 = (double)NAN,
                                    .memory = 1,
                                    .common = (double)NAN};
    dependence.steady = sqrt(squares.within / (double)squares.values) <= ROUNDING;
    if (squares.longest > 1 && !dependence.steady) {
        size_t pairs;
        dependence.lag_1 = correlation(matrix, mean, 1, &pairs);
        dependence.memory = memory_of(matrix, mean);
        double least = fmax(LAG_LEAST, LAG_ERRORS / sqrt((double)pairs));
        dependence.remembers = dependence.lag_1 >= least;
        dependence.alternates = dependence.lag_1 <= -least;
        take_common(&dependence, matrix, mean);
    }
    if (squares.longest > 1 && squares.workers > 1) {
        if (dependence.steady)
            take_steady_shares(&dependence, &squares);
        else
            take_shares(&dependence, &squares);
    }
    free(mean);
    return dependence;
}
