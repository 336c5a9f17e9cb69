/* Quantiles of times that are not all kept against those of times that are. */
#include "elementary.h"
#include "memory.h"
#include "step_times.h"
#include "stream.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

enum { TIMES = 3000000, AT_ONCE = 5000 };

/* The q-th time, by u in (0, 1); whether its quantiles stay where they are. */
struct row {
    const char *name;
    double (*time)(size_t q, double u);
    bool stays;
};

static double exponential(size_t q, double u) {
    (void)q;
    return -elementary_log(u);
}
static double always_one(size_t q, double u) {
    (void)q;
    return u > 2 ? 0 : 1;
}
static double mostly_nothing(size_t q, double u) {
    (void)q;
    return u < 0.97 ? 0 : u;
}
static double two_values(size_t q, double u) {
    (void)q;
    return u < 0.5 ? 1 : 2;
}
static double few_values(size_t q, double u) {
    (void)q;
    return (double)(int)(100 * u);
}
static double slowly_up(size_t q, double u) {
    return u * (1 + 5e-9 * (double)q);
}
static double up(size_t q, double u) {
    return u * (double)q;
}
static double down(size_t q, double u) {
    return u / (double)(q + 1);
}
static double up_then_one(size_t q, double u) {
    return q < 2000000 ? u : 10;
}
static const struct row rows[] = {
    {"exponential", exponential, true},
    {"always one", always_one, true},
    {"mostly nothing", mostly_nothing, true},
    {"two values", two_values, true},
    {"few values", few_values, true},
    {"slowly up", slowly_up, true},
    {"up", up, false},
    {"down", down, false},
    {"up, then one", up_then_one, false},
};

static void fill(const struct row *row, struct step_times *times, size_t count) {
    double *seconds = memory_zeroed(AT_ONCE, sizeof *seconds);
    for (size_t first = 0; first < count; first += AT_ONCE) {
        const size_t some = count - first < AT_ONCE ? count - first : AT_ONCE;
        for (size_t q = 0; q < some; q++) {
            struct draw draw = {{3, 0, PURPOSE_DATA}, 0, (uint32_t)(first + q), 0};
            seconds[q] = row->time(first + q, draw_unit(&draw));
        }
        step_times_add_all(times, seconds, some);
    }
    free(seconds);
}

static void expect_same(const struct row *row, size_t count) {
    struct step_times all = {0}, narrow = {0};
    step_times_narrow(&narrow);
    fill(row, &all, count);
    fill(row, &narrow, count);
    cr_assert(step_times_settled(&all), "%s", row->name);
    cr_expect(step_times_settled(&narrow) || !row->stays, "%s, %zu times are not settled", row->name, count);
    for (enum step_quantile q = 0; step_times_settled(&narrow) && q < STEP_QUANTILES; q++)
        cr_expect(step_times_quantile(&narrow, q) == step_times_quantile(&all, q),
                  "%s, %zu times, quantile %d: %.17g not %.17g", row->name, count, (int)q,
                  step_times_quantile(&narrow, q), step_times_quantile(&all, q));
    step_times_fini(&all);
    step_times_fini(&narrow);
}

Test(step_times, few_that_are_kept_tell_the_quantiles_of_all) {
    static const size_t counts[] = {1, 2, 101, TIMES};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            expect_same(&rows[k], counts[c]);
}

Test(step_times, a_run_that_changes_its_ways_is_not_settled) {
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct step_times times = {0};
        step_times_narrow(&times);
        fill(&rows[k], &times, TIMES);
        cr_expect(step_times_settled(&times) == rows[k].stays, "%s", rows[k].name);
        step_times_fini(&times);
    }
}

/* Few are put in order at once, many are looked at quantile by quantile. */
Test(step_times, all_quantiles_together) {
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (size_t count = 1; count < 300; count++) {
            struct step_times times = {0};
            double quantile[STEP_QUANTILES];
            fill(&rows[k], &times, count);
            step_times_quantiles(&times, quantile);
            for (enum step_quantile q = 0; q < STEP_QUANTILES; q++)
                cr_expect(quantile[q] == step_times_quantile(&times, q), "%s: quantile %d of %zu: %g",
                          rows[k].name, (int)q, count, quantile[q]);
            step_times_fini(&times);
        }
}
