/* elementary.h: exp, log, log1p and the normal quantile without libm, so that every machine and every vector width
 * gives the same bits. Branch-free, built on explicit fma and on additions that round to whole numbers, so that
 * compilers vectorise them without -ffast-math (which would destroy the rounding). */
#ifndef LAGGARD_ELEMENTARY_H
#define LAGGARD_ELEMENTARY_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ELEMENTARY_LN2_HIGH 0x1.62e42fefa39efp-1
#define ELEMENTARY_LN2_LOW  0x1.abc9e3b39803fp-56

static inline double elementary_from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t elementary_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* e^x in the stages of elementary_exp, for loops of one stage each: a long chain of operations leaves a processor little
 * to do side by side. x = k ln 2 + r with |r| <= ln 2 / 2; `shifted` is k + 1.5 2^52, whose lowest bits are k. */
static inline double elementary_exp_shifted(double x) {
    return __builtin_fma(x, 1.4426950408889634, 0x1.8p52);
}

static inline double elementary_exp_rest(double x, double shifted) {
    double k = shifted - 0x1.8p52;
    double r = __builtin_fma(k, -ELEMENTARY_LN2_HIGH, x);
    return __builtin_fma(k, -ELEMENTARY_LN2_LOW, r);
}

/* Taylor to r^13 (next term below 2^-57), from the last term to that of r^7, and on to the first. */
static inline double elementary_exp_begun(double r) {
    double p = 1.0 / 6227020800;
    p = __builtin_fma(p, r, 1.0 / 479001600);
    p = __builtin_fma(p, r, 1.0 / 39916800);
    p = __builtin_fma(p, r, 1.0 / 3628800);
    p = __builtin_fma(p, r, 1.0 / 362880);
    p = __builtin_fma(p, r, 1.0 / 40320);
    return __builtin_fma(p, r, 1.0 / 5040);
}

static inline double elementary_exp_ended(double p, double r) {
    p = __builtin_fma(p, r, 1.0 / 720);
    p = __builtin_fma(p, r, 1.0 / 120);
    p = __builtin_fma(p, r, 1.0 / 24);
    p = __builtin_fma(p, r, 1.0 / 6);
    p = __builtin_fma(p, r, 0.5);
    p = __builtin_fma(p, r, 1);
    return __builtin_fma(p, r, 1);
}

/* 2^k p */
static inline double elementary_exp_scaled(double p, double shifted) {
    return elementary_from_bits(elementary_bits(p) + (elementary_bits(shifted) << 52));
}

/* Beyond them elementary_exp is constant. */
#define ELEMENTARY_EXP_LEAST (-708.0)
#define ELEMENTARY_EXP_MOST  708.0

/* e^x within 2 ulp. The argument is clamped to [-708, 708]: the result is never 0, infinite or subnormal. */
static inline double elementary_exp(double x) {
    x = x < ELEMENTARY_EXP_LEAST ? ELEMENTARY_EXP_LEAST : x;
    x = x > ELEMENTARY_EXP_MOST ? ELEMENTARY_EXP_MOST : x;
    double shifted = elementary_exp_shifted(x);
    double r = elementary_exp_rest(x, shifted);
    return elementary_exp_scaled(elementary_exp_ended(elementary_exp_begun(r), r), shifted);
}

/* Of the series of elementary_twice_atanh in s^2, from the last one on. */
#define ELEMENTARY_LOG_TERMS 10
static const double elementary_log_series[ELEMENTARY_LOG_TERMS] = {
    2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13, 2.0 / 11, 2.0 / 9, 2.0 / 7, 2.0 / 5, 2.0 / 3};

/* 2 atanh(s) = log((1 + s)/(1 - s)) for |s| <= 0.1716, as an odd series to s^21. */
static inline double elementary_twice_atanh(double s) {
    double z = s * s;
    double p = elementary_log_series[0];
    p = __builtin_fma(p, z, elementary_log_series[1]);
    p = __builtin_fma(p, z, elementary_log_series[2]);
    p = __builtin_fma(p, z, elementary_log_series[3]);
    p = __builtin_fma(p, z, elementary_log_series[4]);
    p = __builtin_fma(p, z, elementary_log_series[5]);
    p = __builtin_fma(p, z, elementary_log_series[6]);
    p = __builtin_fma(p, z, elementary_log_series[7]);
    p = __builtin_fma(p, z, elementary_log_series[8]);
    p = __builtin_fma(p, z, elementary_log_series[9]);
    return __builtin_fma(s * z, p, 2 * s);
}

/* The least number above 1 whose logarithm elementary_log takes from its half. */
#define ELEMENTARY_ROOT2 0x1.6a09e667f3bcdp+0

/* log(x) of a positive normal x within 2.1 ulp. x = 2^e m with m in [sqrt(1/2), sqrt(2)), and
 * log m = 2 atanh(s), s = (m - 1)/(m + 1). */
static inline double elementary_log(double x) {
    uint64_t bits = elementary_bits(x);
    int64_t exponent = (int64_t)(bits - 0x3fe6a09e667f3bcdULL) >> 52;
    double m = elementary_from_bits(bits - ((uint64_t)exponent << 52));
    double e = elementary_from_bits((uint64_t)exponent + 0x4338000000000000ULL) - 0x1.8p52;
    double f = m - 1, series = elementary_twice_atanh(f / (2 + f));
    return __builtin_fma(e, ELEMENTARY_LN2_HIGH, __builtin_fma(e, ELEMENTARY_LN2_LOW, series));
}

/* 1/u for 1 <= u <= 2, rounded as a division rounds it, of operations that do not keep a processor from others: a quadratic
 * that is off by at most 2^-6.6, two steps that cube the error, and one from within an ulp, which rounds correctly by
 * Markstein's theorem (Muller et al., Handbook of Floating-Point Arithmetic, 2nd edition, section 4.7) unless u is
 * 2 - 2^-52, where a test shows it. */
static inline double elementary_inverse(double u) {
    double y =
        __builtin_fma(__builtin_fma(0x1.4afd6a052bf5bp-2, u, -0x1.745d1745d1746p+0), u, 0x1.0f83e0f83e0f8p+1);
    double rest = __builtin_fma(-u, y, 1);
    y = __builtin_fma(y, __builtin_fma(rest, rest, rest), y);
    rest = __builtin_fma(-u, y, 1);
    y = __builtin_fma(y, __builtin_fma(rest, rest, rest), y);
    return __builtin_fma(y, __builtin_fma(-u, y, 1), y);
}

/* log(1 + x) for 0 <= x <= 1, accurate for tiny x too: the rounding of 1 + x is put back to first order. */
static inline double elementary_log1p(double x) {
    double u = 1 + x;
    return elementary_log(u) + (x - (u - 1)) / u;
}

/* x^power for a positive normal x, as exp(power log x): relative error about |power log x| ulp. */
static inline double elementary_pow(double x, double power) {
    return elementary_exp(power * elementary_log(x));
}

/* The normal quantile of p in (0, 1): Wichura 1988, algorithm AS 241 (PPND16), relative error about 1e-16. */
double normal_quantile(double p);
/* The same of many, in place, bit for bit. */
void normal_quantiles(double *p, size_t count);
#endif
