/* Losses row by row: values at known points, the far ends of the double range, and the slope as a derivative. */
#include "elementary.h"
#include "objective.h"
#include "sample.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <float.h>
#include <math.h>

struct point {
    const char *loss;
    double score, label;
    long double slope, value;
};

#define LN2 0.693147180559945309417L

/* e^-708 (3.3e-308) stands for whatever is smaller: hence the tolerance of DBL_MIN * 2 beside 4 roundings. */
static const struct point points[] = {
    {"logistic", 0, 1, -0.5L, LN2},
    {"logistic", 0, -1, 0.5L, LN2},
    {"logistic", 1, 1, -0.268941421369995120749L, 0.313261687518222834049L},
    {"logistic", 1, -1, 0.731058578630004879251L, 1.313261687518222834049L},
    {"logistic", -1, 1, -0.731058578630004879251L, 1.313261687518222834049L},
    {"logistic", 40, 1, -4.248354255291588995e-18L, 4.248354255291588986e-18L},
    {"logistic", -40, 1, -1.0L, 40.0L},
    {"logistic", 1e-300, 1, -0.5L, LN2},
    {"logistic", 1e3, 1, 0, 0},
    {"logistic", 1e3, -1, 1, 1000},
    {"logistic", -1e3, 1, -1, 1000},
    {"logistic", -1e3, -1, 0, 0},
    {"logistic", 1e300, 1, 0, 0},
    {"logistic", 1e300, -1, 1, 1e300},
    {"logistic", -1e300, 1, -1, 1e300},
    {"logistic", DBL_MAX, -1, 1, DBL_MAX},
    {"logistic", -DBL_MAX, -1, 0, 0},
    {"linear", 3, 1, 2, 2},
    {"linear", -3, 1, -4, 8},
    {"linear", 0.5, 0.5, 0, 0},
    {"linear", 1e3, -1e3, 2000, 2000000},
    {"linear", 1e150, 0, 1e150L, 0.5e300L},
};

Test(loss, known_points) {
    for (size_t p = 0; p < sizeof points / sizeof *points; p++) {
        const struct point *point = &points[p];
        double slope = point->score, value = NAN;
        loss_named(point->loss)->slopes(&slope, &value, &point->label, 1);
        cr_expect(le(ldbl, fabsl(slope - point->slope), 2 * DBL_EPSILON * fabsl(point->slope) + 2 * DBL_MIN),
                  "%s at %g, label %g: slope %.17g", point->loss, point->score, point->label, slope);
        cr_expect(le(ldbl, fabsl(value - point->value), 2 * DBL_EPSILON * point->value + 2 * DBL_MIN),
                  "%s at %g, label %g: loss %.17g", point->loss, point->score, point->label, value);
    }
}

/* What is done in stages to many rows has the bits of the functions of one number, to which a last bit is a change of every
 * result: scores of all sizes, so that 1 + e is on both sides of the root of 2 and down to 1. */
Test(loss, logistic_rows_are_those_of_the_elementary_functions) {
    enum { ROWS = 1000 };
    double score[ROWS], loss[ROWS], label[ROWS], before[ROWS];
    for (int r = 0; r < ROWS; r++) {
        label[r] = r % 2 ? 1 : -1;
        before[r] = score[r] = (r % 4 < 2 ? 1 : -1) * (r % 5 ? r * 0.01 : ldexp(1, 10 - r / 10));
    }
    loss_named("logistic")->slopes(score, loss, label, ROWS);
    for (int r = 0; r < ROWS; r++) {
        const double s = label[r] * before[r], e = elementary_exp(-fabs(s)), u = 1 + e, inverse = 1 / u;
        cr_expect(eq(dbl, score[r], -label[r] * ((s >= 0 ? e : 1) * inverse)), "slope at %g", s);
        cr_expect(eq(dbl, loss[r], (s >= 0 ? 0 : -s) + (elementary_log(u) + (e - (u - 1)) * inverse)),
                  "loss at %g", s);
    }
}

/* All lengths of a block, so that vector loops and their remainders meet every position. */
Test(loss, rows_do_not_know_each_other) {
    const char *const names[] = {"logistic", "linear"};
    for (size_t n = 0; n < 2; n++)
        for (size_t rows = 0; rows <= 40; rows++) {
            double score[41], loss[41], label[41];
            for (size_t r = 0; r < 41; r++)
                score[r] = 0.37 * r - 6, loss[r] = -1, label[r] = r % 3 ? 1 : -1;
            loss_named(names[n])->slopes(score, loss, label, rows);
            for (size_t r = 0; r < rows; r++) {
                double alone = 0.37 * r - 6, alone_loss;
                loss_named(names[n])->slopes(&alone, &alone_loss, &label[r], 1);
                cr_expect(eq(dbl, score[r], alone), "%s, row %zu of %zu", names[n], r, rows);
                cr_expect(eq(dbl, loss[r], alone_loss), "%s, row %zu of %zu", names[n], r, rows);
            }
            cr_expect(eq(dbl, score[rows], 0.37 * rows - 6), "%s writes no more than %zu", names[n], rows);
            cr_expect(eq(dbl, loss[rows], -1), "%s writes no more than %zu", names[n], rows);
        }
}

/* Against long double over the whole range where the loss bends: 2 ulp of exp and a handful of roundings. */
Test(loss, logistic_is_accurate) {
    const struct loss *logistic = loss_named("logistic");
    for (int k = -7000; k <= 7000; k++) {
        const double score = k / 10.0 + 0.0123, label = k % 2 ? 1 : -1;
        double slope = score, value;
        logistic->slopes(&slope, &value, &label, 1);
        const long double s = (long double)label * score, e = expl(-fabsl(s));
        const long double exact_slope = -label / (1 + expl(s)), exact = fmaxl(-s, 0) + log1pl(e);
        cr_assert(le(ldbl, fabsl(slope - exact_slope), 4 * DBL_EPSILON * fabsl(exact_slope)), "slope at %g",
                  score);
        cr_assert(le(ldbl, fabsl(value - exact), 4 * DBL_EPSILON * exact), "loss at %g", score);
    }
}

Test(loss, what_is_not_finite_stays_so) {
    const double bad[] = {NAN, INFINITY, -INFINITY}, labels[] = {1, -1};
    for (size_t b = 0; b < 3; b++)
        for (size_t l = 0; l < 2; l++) {
            double slope = bad[b], value;
            loss_named("linear")->slopes(&slope, &value, &labels[l], 1);
            cr_expect(zero(int, isfinite(value)), "linear at %g", bad[b]);
            slope = bad[b];
            loss_named("logistic")->slopes(&slope, &value, &labels[l], 1);
            if (bad[b] * labels[l] != INFINITY)
                cr_expect(zero(int, isfinite(value)), "logistic at %g, label %g", bad[b], labels[l]);
        }
}
