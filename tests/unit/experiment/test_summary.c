/* Means and intervals against numbers worked out apart from the program. */
#include "summary.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

/* 2, 4, 4, 4, 5, 5, 7, 9: mean 5, sum of squares 32, sd sqrt(32/7); t(0.975, 7) = 2.364624251592785. */
Test(summary, mean_and_interval) {
    const double value[] = {2, 4, 4, 4, 5, 5, 7, 9};
    struct estimate estimate = estimate_of(value, 8);
    double half = 2.364624251592785 * sqrt(32.0 / 7) / sqrt(8);
    cr_expect(eq(sz, estimate.count, 8));
    cr_expect(epsilon_eq(dbl, estimate.mean, 5, 1e-14));
    cr_expect(epsilon_eq(dbl, estimate.deviation, sqrt(32.0 / 7), 1e-14));
    cr_expect(epsilon_eq(dbl, estimate.low, 5 - half, 1e-9));
    cr_expect(epsilon_eq(dbl, estimate.high, 5 + half, 1e-9));
}

Test(summary, missing_values_are_left_out) {
    const double value[] = {NAN, 1, NAN, 3};
    struct estimate estimate = estimate_of(value, 4);
    cr_expect(eq(sz, estimate.count, 2));
    cr_expect(eq(dbl, estimate.mean, 2));
    cr_expect(epsilon_eq(dbl, estimate.deviation, sqrt(2), 1e-14));
}

/* The sum of twenty times 0.1 is not twenty times 0.1. */
Test(summary, equal_values_have_no_spread) {
    double value[20];
    for (size_t r = 0; r < 20; r++)
        value[r] = 0.1;
    struct estimate estimate = estimate_of(value, 20);
    cr_expect(eq(dbl, estimate.mean, 0.1));
    cr_expect(eq(dbl, estimate.deviation, 0));
    int narrow = estimate.low == 0.1 && estimate.high == 0.1;
    cr_expect(eq(int, narrow, 1));
}

Test(summary, one_value_has_no_interval_and_none_no_mean) {
    const double value[] = {3, NAN};
    struct estimate one = estimate_of(value, 2), none = estimate_of(value + 1, 1);
    cr_expect(eq(dbl, one.mean, 3));
    int empty = isnan(one.deviation) && isnan(one.low) && isnan(one.high);
    cr_expect(eq(int, empty, 1));
    empty = isnan(none.mean) && isnan(none.low);
    cr_expect(eq(int, empty, 1));
    cr_expect(eq(sz, none.count, 0));
}
