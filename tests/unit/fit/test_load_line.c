/* Times that grow with the load: the line, what it leaves, and times that contradict it. */
#include "cluster_fit.h"
#include "drawn.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>

#define FILES 3

/* Files of loads, in memory. */
struct loads {
    double load[FILES];
    struct measured_times times[FILES];
    const struct measured_times *files[FILES];
    struct loaded_times loaded;
};

/* [workers * rounds] times per file, or NULL: zeros to be filled in, on the heap. */
static void loads_init(struct loads *loads, const double *load, size_t workers, size_t rounds) {
    for (size_t f = 0; f < FILES; f++) {
        loads->load[f] = load[f];
        loads->times[f] = (struct measured_times){.workers = workers,
                                                  .rounds = rounds,
                                                  .count = workers * rounds,
                                                  .value_s = calloc(workers * rounds, sizeof(double)),
                                                  .labelled = true};
        loads->files[f] = &loads->times[f];
    }
    loads->loaded = (struct loaded_times){loads->files, loads->load, FILES};
}

static void loads_fini(struct loads *loads) {
    for (size_t f = 0; f < FILES; f++)
        free(loads->times[f].value_s);
}

/* Means 3, 5, 9 at loads 1, 2, 4 lie on 1 + 2 load, whatever their weights. */
Test(load_line, exact) {
    static const double value_s[FILES][4] = {{2, 4, 3, 3}, {4.5, 5.5, 5, 5}, {8, 10, 9, 9}};
    struct loads loads;
    loads_init(&loads, (const double[]){1, 2, 4}, 2, 2);
    for (size_t f = 0; f < FILES; f++)
        for (size_t c = 0; c < 4; c++)
            loads.times[f].value_s[c] = value_s[f][c];
    struct load_line line = load_line_of(&loads.loaded);
    cr_expect(epsilon_eq(dbl, line.base_s, 1, 1e-12));
    cr_expect(epsilon_eq(dbl, line.per_load_s, 2, 1e-12));
    cr_expect(epsilon_eq(dbl, line.played_s, 2, 1e-12), "no time is shorter than 2 load");
    cr_expect(epsilon_eq(dbl, line.misfit, 0, 1e-12));
    cr_expect(epsilon_eq(dbl, line.chance, 1, 1e-12));
    struct left_out left_out;
    struct measured_times *rest = load_line_rest(&line, &loads.loaded, &left_out);
    cr_expect(eq(sz, rest->workers, 6));
    cr_expect(eq(sz, rest->count, 12));
    cr_expect(eq(sz, rest->zeros, 2), "2 and 8, but for rounding");
    cr_expect(eq(sz, left_out.count, 0));
    cr_expect(zero(dbl, rest->value_s[0]), "2 - 2 load");
    cr_expect(epsilon_eq(dbl, rest->value_s[1 * 6 + 5], 1, 1e-12), "9 - 2 load");
    measured_times_free(rest);
    loads_fini(&loads);
}

/* b load, a delay of at least `start_s` beside it, exponential of 0.3 s, all times the worker's factor. A log-normal time
 * of deviation 1 is turned into its survival function, which is uniform. */
static void fill(struct loads *loads, double start_s, const double *factor, uint64_t seed) {
    for (size_t f = 0; f < FILES; f++) {
        const struct measured_times *times = &loads->times[f];
        double *drawn = drawn_times(&(struct drawn_cluster){.workers = times->workers,
                                                            .rounds = times->rounds,
                                                            .deviation = 1,
                                                            .slowdown = 1,
                                                            .seed = seed + f});
        for (size_t c = 0; c < times->count; c++) {
            double delay_s = start_s - 0.3 * log(erfc(log(drawn[c]) / sqrt(2)) / 2);
            times->value_s[c] = (1.5 * loads->load[f] + delay_s) * (factor ? factor[c % times->workers] : 1);
        }
        free(drawn);
    }
}

static struct cluster_fit *fitted(const struct loads *loads) {
    struct measured_times *all = load_line_beside(&loads->loaded);
    struct cluster_fit *fit = cluster_fit_new(
        all, &(struct cluster_request){.bootstrap = {.seed = 1}, .workers = 10, .loaded = &loads->loaded});
    measured_times_free(all);
    return fit;
}

/* A delay that starts at 0: least squares alone would leave a third of the shortest times negative. No time is lost, and
 * b is within four of its errors of 1.5 s. */
Test(load_line, delays_from_0) {
    struct loads loads;
    loads_init(&loads, (const double[]){1, 2, 4}, 10, 40);
    for (uint64_t seed = 1; seed < 200; seed += 20) {
        fill(&loads, 0, NULL, seed);
        struct cluster_fit *fit = fitted(&loads);
        double errors = fabs(fit->line.played_s - 1.5) / fit->line.per_load_error_s;
        cr_expect(le(dbl, errors, 4), "seed %d: off by %g errors", (int)seed, errors);
        cr_expect(eq(sz, fit->left_out.count, 0), "seed %d: %zu left out", (int)seed, fit->left_out.count);
        cr_expect(zero(sz, fit->zeros), "seed %d", (int)seed);
        cluster_fit_free(fit);
    }
    loads_fini(&loads);
}

/* Workers of 0.5 to 2 times the speed, all along: their factors are found from all three files, and the line is that of
 * their geometric mean, 1: the errors of b are small beside 2 %. Without that, half the times would contradict the line. */
Test(load_line, slow_workers) {
    double factor[10];
    for (size_t i = 0; i < 10; i++)
        factor[i] = exp2(((double)i - 4.5) / 4.5);
    struct loads loads;
    loads_init(&loads, (const double[]){1, 2, 4}, 10, 40);
    fill(&loads, 0.1, factor, 7);
    struct cluster_fit *fit = fitted(&loads);
    cr_assert(ne(ptr, fit->ranking, NULL));
    cr_expect(fit->dependence.persistent);
    for (size_t i = 0; i < 30; i++)
        cr_expect(le(dbl, fabs(fit->factor[i] / factor[i % 10] - 1), 0.1), "worker %zu: %g, not %g", i,
                  fit->factor[i], factor[i % 10]);
    cr_expect(le(dbl, fabs(fit->line.per_load_s / 1.5 - 1), 0.02), "b = %g", fit->line.per_load_s);
    cr_expect(le(dbl, (double)fit->left_out.count, 12), "%zu left out", fit->left_out.count);
    cluster_fit_free(fit);
    loads_fini(&loads);
}

/* Exact multiples of the load, in numbers that are not exact in binary: nothing is left, not even rounding. */
Test(load_line, multiples) {
    struct loads loads;
    loads_init(&loads, (const double[]){1, 3, 7}, 2, 10);
    for (size_t f = 0; f < FILES; f++)
        for (size_t c = 0; c < 20; c++)
            loads.times[f].value_s[c] = 0.1 * loads.load[f];
    struct cluster_fit *fit = fitted(&loads);
    cr_expect(eq(str, (char *)fit->chosen->fitter->name, (char *)"constant"));
    cr_expect(zero(dbl, sample_largest(fit->sample)));
    cr_expect(eq(int, fit->chosen->reach, REACH_FINE));
    cluster_fit_free(fit);
    loads_fini(&loads);
}

/* A square: the line is far off beyond chance, and where its slope contradicts the times no law is fitted. */
Test(load_line, no_line) {
    struct loads loads;
    loads_init(&loads, (const double[]){1, 2, 4}, 10, 40);
    fill(&loads, 0, NULL, 1);
    for (size_t f = 0; f < FILES; f++)
        for (size_t c = 0; c < 400; c++)
            loads.times[f].value_s[c] += loads.load[f] * loads.load[f];
    struct cluster_fit *fit = fitted(&loads);
    cr_expect(lt(dbl, fit->line.chance, 1e-6));
    cr_expect(not(load_line_holds(&fit->line, &fit->left_out)));
    cr_expect(eq(ptr, fit->ranking, NULL));
    cr_expect(eq(ptr, fit->cluster, NULL));
    cluster_fit_free(fit);
    loads_fini(&loads);
}
