/* load_line.h: how times grow with the partitions a task has: T(load) = a + b load, from a file per load.
 * Knows no law.
 *
 * A scenario plays it as b load, always, and a delay beside it that is never negative: no time is shorter than b load. So
 * the slope that is played is that of least squares, lowered within its error to what the shortest times allow; times
 * that contradict even the least slope within four errors are left out. */
#ifndef LAGGARD_LOAD_LINE_H
#define LAGGARD_LOAD_LINE_H
#include "measured_times.h"

/* Of all times, that may be left out. */
#define LOAD_LINE_LEFT_OUT 0.01

struct load_line {
    size_t files;
    double base_s, base_error_s;         /* a and its standard error */
    double per_load_s, per_load_error_s; /* b */
    double misfit;        /* chi-squared of the means about the line, over its degrees; NAN with two loads */
    double chance;        /* probability of a misfit as large where the line is right; NAN with two loads */
    size_t farthest;      /* the file whose mean is farthest from the line, in errors */
    double farthest_part; /* how far, as a part of the line; below it negative */
    double
        spread_power; /* p where the deviation of the times grows as load^p: least squares on logarithms; NAN where
                             fewer than two loads above 0 have times that vary */
    double played_s; /* b as it is played: at most per_load_s */
};

/* Files, each of one load. */
struct loaded_times {
    const struct measured_times *const *times; /* [files] */
    const double *load;
    size_t files;
};

/* Weighted least squares of the mean times on the loads, of which two at least differ. Errors take the times as
 * independent. */
struct load_line load_line_of(const struct loaded_times *loaded);

/* Times that are shorter than the least slope within its error times their load. */
struct left_out {
    size_t count, of; /* of: times in all */
    double most_s;    /* the farthest that one is short of it */
};

/* What is left beside the load: the times of all files less b as it is played times their load, the workers of each file
 * beside those of the others; NAN for those left out. */
struct measured_times *load_line_rest(const struct load_line *line, const struct loaded_times *loaded,
                                      struct left_out *left_out);
/* False where times do not grow, or too many are left out. */
bool load_line_holds(const struct load_line *line, const struct left_out *left_out);

/* All times as they stand, the workers of each file beside those of the others. */
struct measured_times *load_line_beside(const struct loaded_times *loaded);
/* Takes the mean of each file out of logarithms of such times, a row per worker: what a load makes longer is no worker's
 * slowness. */
void load_line_level(const struct loaded_times *loaded, struct log_matrix *matrix);
#endif
