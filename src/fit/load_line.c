#include "load_line.h"
#include "memory.h"
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>

struct point {
    double mean_s, weight; /* one over the variance of the mean */
};

static struct point point_of(const struct measured_times *times) {
    double *all = measured_times_all(times), sum = 0, squares = 0, count = (double)times->count;
    for (size_t v = 0; v < times->count; v++)
        sum += all[v];
    for (size_t v = 0; v < times->count; v++)
        squares += (all[v] - sum / count) * (all[v] - sum / count);
    free(all);
    /* Equal times would weigh without limit. */
    double variance = fmax(squares / (count - 1) / count, 1e-18 * sum * sum / (count * count));
    return (struct point){sum / count, 1 / variance};
}

struct load_line load_line_of(const struct loaded_times *loaded) {
    double *mean_s = memory_zeroed(loaded->files, sizeof *mean_s);
    double *weight = memory_zeroed(loaded->files, sizeof *weight);
    for (size_t f = 0; f < loaded->files; f++) {
        struct point point = point_of(loaded->times[f]);
        mean_s[f] = point.mean_s;
        weight[f] = point.weight;
    }
    double a_variance, b_variance, covariance, chi_squared;
    struct load_line line = {.misfit = (double)NAN};
    gsl_fit_wlinear(loaded->load, 1, weight, 1, mean_s, 1, loaded->files, &line.base_s, &line.per_load_s,
                    &a_variance, &covariance, &b_variance, &chi_squared);
    line.base_error_s = sqrt(a_variance);
    line.per_load_error_s = sqrt(b_variance);
    if (loaded->files > 2)
        line.misfit = chi_squared / (double)(loaded->files - 2);
    free(mean_s);
    free(weight);
    return line;
}

struct measured_times *load_line_rest(const struct load_line *line, const struct loaded_times *loaded,
                                      size_t *clipped) {
    struct measured_times *rest = memory_zeroed(1, sizeof *rest);
    rest->labelled = true;
    for (size_t f = 0; f < loaded->files; f++) {
        const struct measured_times *times = loaded->times[f];
        rest->workers += times->workers;
        rest->rounds = times->rounds > rest->rounds ? times->rounds : rest->rounds;
        rest->count += times->count;
        rest->labelled &= times->labelled;
    }
    rest->value_s = memory_zeroed(rest->rounds * rest->workers, sizeof *rest->value_s);
    for (size_t c = 0; c < rest->rounds * rest->workers; c++)
        rest->value_s[c] = (double)NAN;
    *clipped = 0;
    for (size_t f = 0, first = 0; f < loaded->files; first += loaded->times[f++]->workers)
        for (size_t c = 0; c < loaded->times[f]->rounds * loaded->times[f]->workers; c++) {
            size_t round = c / loaded->times[f]->workers, worker = c % loaded->times[f]->workers;
            double left_s = loaded->times[f]->value_s[c] - line->per_load_s * loaded->load[f];
            *clipped += left_s < 0;
            rest->value_s[round * rest->workers + first + worker] = left_s < 0 ? 0 : left_s;
        }
    return rest;
}
