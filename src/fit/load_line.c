#include "load_line.h"
#include "memory.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>

/* Standard errors of b that chance explains. */
#define SLOPE_ERRORS 4

struct point {
    double mean_s, weight; /* one over the variance of the mean */
    double deviation_s;    /* of a time */
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
    return (struct point){sum / count, 1 / variance, sqrt(squares / (count - 1))};
}

static double lowest_slope(const struct load_line *line) {
    return fmax(line->per_load_s - SLOPE_ERRORS * line->per_load_error_s, 0);
}

/* The times that the least slope does not contradict, with a load above 0, as far as the slope played depends on them. */
struct allowed {
    double steepest_s, load; /* the least of time / load, and the load that it has */
    double times_s, loads, count;
};

static struct allowed allowed_by(const struct load_line *line, const struct loaded_times *loaded) {
    struct allowed allowed = {.steepest_s = HUGE_VAL};
    for (size_t f = 0; f < loaded->files; f++) {
        double load = loaded->load[f], least_s = lowest_slope(line) * load * (1 - ROUNDING);
        for (size_t c = 0; load > 0 && c < loaded->times[f]->rounds * loaded->times[f]->workers; c++) {
            double time_s = loaded->times[f]->value_s[c];
            if (isnan(time_s) || time_s < least_s)
                continue;
            allowed.times_s += time_s;
            allowed.loads += load;
            allowed.count += 1;
            if (time_s / load < allowed.steepest_s) {
                allowed.steepest_s = time_s / load;
                allowed.load = load;
            }
        }
    }
    return allowed;
}

/* The shortest of n delays is about an n-th of their mean above where they start (exactly so for exponential ones). */
static double played_slope(const struct load_line *line, const struct loaded_times *loaded) {
    struct allowed allowed = allowed_by(line, loaded);
    if (!(allowed.steepest_s < line->per_load_s * (1 - ROUNDING)))
        return line->per_load_s;
    double mean_s = (allowed.times_s - allowed.steepest_s * allowed.loads) / allowed.count;
    return fmax(allowed.steepest_s - mean_s / allowed.count / allowed.load, 0);
}

static void judge(struct load_line *line, const struct loaded_times *loaded, const struct point *point,
                  double chi_squared) {
    double farthest = 0;
    for (size_t f = 0; f < loaded->files; f++) {
        double on_line_s = line->base_s + line->per_load_s * loaded->load[f];
        double apart_s = point[f].mean_s - on_line_s, errors = fabs(apart_s) * sqrt(point[f].weight);
        if (errors < farthest)
            continue;
        farthest = errors;
        line->farthest = f;
        line->farthest_part = apart_s / on_line_s;
    }
    if (loaded->files < 3)
        return;
    double freedom = (double)(loaded->files - 2);
    line->misfit = chi_squared / freedom;
    line->chance = gsl_cdf_chisq_Q(chi_squared, freedom);
}

static double spread_power(const struct loaded_times *loaded, const struct point *point) {
    double count = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (size_t f = 0; f < loaded->files; f++) {
        if (!(loaded->load[f] > 0 && point[f].deviation_s > ROUNDING * point[f].mean_s))
            continue;
        double log_load = log(loaded->load[f]), log_deviation = log(point[f].deviation_s);
        count += 1;
        x += log_load;
        y += log_deviation;
        xx += log_load * log_load;
        xy += log_load * log_deviation;
    }
    double spread = count * xx - x * x;
    return spread > 0 ? (count * xy - x * y) / spread : (double)NAN;
}

struct load_line load_line_of(const struct loaded_times *loaded) {
    struct point *point = memory_zeroed(loaded->files, sizeof *point);
    for (size_t f = 0; f < loaded->files; f++)
        point[f] = point_of(loaded->times[f]);
    size_t stride = sizeof *point / sizeof(double);
    double a_variance, b_variance, covariance, chi_squared;
    struct load_line line = {.files = loaded->files, .misfit = (double)NAN, .chance = (double)NAN};
    gsl_fit_wlinear(loaded->load, 1, &point->weight, stride, &point->mean_s, stride, loaded->files,
                    &line.base_s, &line.per_load_s, &a_variance, &covariance, &b_variance, &chi_squared);
    line.base_error_s = sqrt(a_variance);
    line.per_load_error_s = sqrt(b_variance);
    judge(&line, loaded, point, chi_squared);
    line.spread_power = spread_power(loaded, point);
    line.played_s = played_slope(&line, loaded);
    free(point);
    return line;
}

/* Room for the times of all files side by side. */
static struct measured_times *side_by_side(const struct loaded_times *loaded) {
    struct measured_times *rest = memory_zeroed(1, sizeof *rest);
    rest->labelled = true;
    for (size_t f = 0; f < loaded->files; f++) {
        const struct measured_times *times = loaded->times[f];
        rest->workers += times->workers;
        rest->rounds = times->rounds > rest->rounds ? times->rounds : rest->rounds;
        rest->labelled &= times->labelled;
    }
    rest->value_s = memory_zeroed(rest->rounds * rest->workers, sizeof *rest->value_s);
    for (size_t c = 0; c < rest->rounds * rest->workers; c++)
        rest->value_s[c] = (double)NAN;
    return rest;
}

static void put(struct measured_times *times, size_t round, size_t worker, double time_s) {
    times->value_s[round * times->workers + worker] = time_s;
    times->count += isnan(time_s) ? 0 : 1;
    times->zeros += time_s <= 0 ? 1 : 0;
}

/* A difference that is rounding alone is 0. */
static double beside(double time_s, double load_s) {
    double left_s = time_s - load_s;
    return fabs(left_s) <= ROUNDING * time_s ? 0 : left_s;
}

struct measured_times *load_line_rest(const struct load_line *line, const struct loaded_times *loaded,
                                      struct left_out *left_out) {
    struct measured_times *rest = side_by_side(loaded);
    *left_out = (struct left_out){0};
    for (size_t f = 0, first = 0; f < loaded->files; first += loaded->times[f++]->workers) {
        const struct measured_times *times = loaded->times[f];
        left_out->of += times->count;
        for (size_t c = 0; c < times->rounds * times->workers; c++) {
            double left_s = beside(times->value_s[c], line->played_s * loaded->load[f]);
            if (left_s < 0) {
                left_out->count++;
                left_out->most_s = fmax(left_out->most_s, -left_s);
            } else {
                put(rest, c / times->workers, first + c % times->workers, left_s);
            }
        }
    }
    return rest;
}

bool load_line_holds(const struct load_line *line, const struct left_out *left_out) {
    return line->per_load_s > 0 && (double)left_out->count <= LOAD_LINE_LEFT_OUT * (double)left_out->of;
}

struct measured_times *load_line_beside(const struct loaded_times *loaded) {
    struct measured_times *all = side_by_side(loaded);
    for (size_t f = 0, first = 0; f < loaded->files; first += loaded->times[f++]->workers) {
        const struct measured_times *times = loaded->times[f];
        for (size_t c = 0; c < times->rounds * times->workers; c++)
            put(all, c / times->workers, first + c % times->workers, times->value_s[c]);
    }
    return all;
}

void load_line_level(const struct loaded_times *loaded, struct log_matrix *matrix) {
    for (size_t f = 0, first = 0; f < loaded->files; first += loaded->times[f++]->workers) {
        double *value = &matrix->value[first * matrix->rounds], sum = 0, count = 0;
        size_t cells = loaded->times[f]->workers * matrix->rounds;
        for (size_t c = 0; c < cells; c++) {
            sum += isnan(value[c]) ? 0 : value[c];
            count += isnan(value[c]) ? 0 : 1;
        }
        for (size_t c = 0; c < cells; c++)
            value[c] -= sum / count;
    }
}
