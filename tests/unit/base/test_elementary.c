/* exp, log, log1p, pow and the normal quantile against long double, and their bits against every build. */
#include "elementary.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

/* The distance from the exact value in units of its last place; the long double is exact to 1/2048 of one. */
static double ulps(double found, long double exact) {
    double rounded = fabs((double)exact);
    return (double)(fabsl(found - exact) / (nextafter(rounded, HUGE_VAL) - rounded));
}

/* Numbers in (0, 1) that fill it evenly: multiples of the golden ratio. */
static double spread(int k) {
    return fmod((k + 0.5) * 0.6180339887498949, 1);
}

enum { POINTS = 300000 };

Test(elementary, exp_within_two_ulp) {
    double worst = 0, at = 0;
    for (int k = 0; k < POINTS; k++) {
        double x = (spread(k) - 0.5) * (k % 2 ? 1416 : 4);
        double error = ulps(elementary_exp(x), expl(x));
        at = error > worst ? x : at;
        worst = fmax(worst, error);
    }
    cr_expect(worst <= 2.1, "%g ulp at %.17g", worst, at);
}

Test(elementary, exp_is_clamped) {
    cr_expect(eq(dbl, elementary_exp(-1e9), elementary_exp(-708)));
    cr_expect(eq(dbl, elementary_exp(1e9), elementary_exp(708)));
    cr_expect(eq(dbl, elementary_exp(0), 1));
    cr_expect(isnormal(elementary_exp(-HUGE_VAL)));
    cr_expect(isfinite(elementary_exp(HUGE_VAL)));
}

Test(elementary, log_within_two_ulp) {
    double worst = 0, at = 0;
    for (int k = 0; k < POINTS; k++) {
        double x = k % 3 == 0 ? spread(k) : k % 3 == 1 ? 0.6 + spread(k) : exp((spread(k) - 0.5) * 1400);
        double error = x == 1 ? 0 : ulps(elementary_log(x), logl(x));
        at = error > worst ? x : at;
        worst = fmax(worst, error);
    }
    cr_expect(worst <= 2.1, "%g ulp at %.17g", worst, at);
    cr_expect(eq(dbl, elementary_log(1), 0));
}

/* The argument next to 1 is the shortest time a stream can draw: it must not be lost. */
Test(elementary, log_of_the_largest_unit) {
    cr_expect(ulps(elementary_log(1 - 0x1p-53), logl(1 - 0x1p-53L)) <= 2.1);
    cr_expect(ulps(elementary_log(0x1p-53), logl(0x1p-53L)) <= 2.1);
}

/* The correction is of first order and the log has 2.1 ulp. */
Test(elementary, log1p_within_four_ulp) {
    for (int k = 0; k < POINTS; k++) {
        double x = k % 2 ? spread(k) : pow(2, -60 * spread(k));
        cr_assert(ulps(elementary_log1p(x), log1pl(x)) <= 4, "x = %.17g", x);
    }
    cr_expect(eq(dbl, elementary_log1p(0), 0));
}

/* Numbers close to 1 and to 2, which is where an error of rounding would be, and some between. */
Test(elementary, inverse_is_that_of_a_division) {
    for (int k = 0; k < POINTS; k++) {
        double u = k % 3 == 0 ? 1 + spread(k) : k % 3 == 1 ? 1 + k * 0x1p-52 : 2 - k * 0x1p-52;
        cr_assert(eq(dbl, elementary_inverse(u), 1 / u), "u = %a", u);
    }
    cr_expect(eq(dbl, elementary_inverse(1), 1));
    cr_expect(eq(dbl, elementary_inverse(2), 0.5));
    cr_expect(eq(dbl, elementary_inverse(2 - 0x1p-52), 1 / (2 - 0x1p-52)));
}

/* The logarithm's 2.1 ulp and one rounding of the product are multiplied by the size of the exponent. */
Test(elementary, pow_error_grows_with_the_exponent) {
    for (int k = 0; k < POINTS / 10; k++) {
        double x = spread(k), power = -20 * spread(k + 7);
        double bound = 4 + 4 * fabs(power * log(x));
        cr_assert(ulps(elementary_pow(x, power), powl(x, power)) <= bound, "%.17g to the %.17g", x, power);
    }
}

/* One step of Newton from the quantile to where the long double distribution function says it should be. */
static long double quantile_error(double p, double z) {
    long double tail = p < 0.5 ? p : 1 - (long double)p;
    long double found = erfcl(fabsl(z) / sqrtl(2)) / 2;
    long double density = expl(-(long double)z * z / 2) / sqrtl(2 * acosl(-1));
    return fabsl(found - tail) / density;
}

/* AS 241 claims 1e-16; the evaluation of its ratio adds a few roundings. Near p = 1/2 the error is absolute in
 * p - 1/2, which a long double of tails sees to 1e-19. */
Test(elementary, normal_quantile_inverts_the_distribution) {
    for (int k = 0; k < POINTS / 10; k++) {
        double p = k % 3 == 0   ? spread(k)
                   : k % 3 == 1 ? pow(2, -53 * spread(k))
                                : 1 - pow(2, -52 * spread(k));
        double z = normal_quantile(p);
        cr_assert(quantile_error(p, z) <= 2e-15L * fmaxl(fabsl(z), 1e-3L), "p = %.17g, z = %.17g", p, z);
    }
}

Test(elementary, normal_quantile_is_odd_and_grows) {
    cr_expect(eq(dbl, normal_quantile(0.5), 0));
    double before = normal_quantile(0x1p-53);
    cr_expect(lt(dbl, before, -8.2));
    for (int k = 1; k < 4096; k++) {
        double p = k / 4096.0, z = normal_quantile(p);
        cr_assert(eq(dbl, z, -normal_quantile(1 - p)), "p = %g", p);
        cr_assert(lt(dbl, before, z), "p = %g", p);
        before = z;
    }
}

static uint64_t hashed(uint64_t hash, double value) {
    return (hash ^ elementary_bits(value)) * 0x100000001b3;
}

/* The same bits from every compiler, level of optimization and vector width: a change of this number changes every
 * result of the program. */
Test(elementary, bits_are_the_same_everywhere) {
    uint64_t hash = 0xcbf29ce484222325;
    for (int k = 0; k < 20000; k++) {
        double u = (k * 2 + 1) / 40000.0;
        hash = hashed(hash, elementary_log(u));
        hash = hashed(hash, elementary_exp(40 * u - 20));
        hash = hashed(hash, elementary_log1p(u));
        hash = hashed(hash, elementary_pow(u, -0.4));
        hash = hashed(hash, normal_quantile(u));
    }
    cr_expect(eq(u64, hash, 0x6ebe753bf6c0daee), "%#lx", hash);
}
