#include "elementary.h"
#include "cloned.h"
#include <math.h>

#define TERMS 8

/* The ratio of two polynomials of degree 7, coefficients from the constant on. */
struct ratio {
    double above[TERMS], below[TERMS];
};

/* |p - 1/2| <= 0.425, in 0.180625 - (p - 1/2)^2. */
static const struct ratio centre = {
    {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
     4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3},
    {1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
     2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3}};

/* Tails with r = sqrt(-log(tail probability)) <= 5, in r - 1.6. */
static const struct ratio shoulder = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
     1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2,
     7.74545014278341407640e-4},
    {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9}};

/* Tails further out, in r - 5. */
static const struct ratio far_tail = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
     2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5,
     2.01033439929228813265e-7},
    {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15}};

INLINED double ratio_at(const struct ratio *ratio, double x) {
    double above = ratio->above[TERMS - 1], below = ratio->below[TERMS - 1];
    for (int term = TERMS - 2; term >= 0; term--) {
        above = above * x + ratio->above[term];
        below = below * x + ratio->below[term];
    }
    return above / below;
}

double normal_quantile(double p) {
    double q = p - 0.5;
    if (fabs(q) <= 0.425)
        return q * ratio_at(&centre, 0.180625 - q * q);
    double r = sqrt(-elementary_log(q < 0 ? p : 1 - p));
    double size = r <= 5 ? ratio_at(&shoulder, r - 1.6) : ratio_at(&far_tail, r - 5);
    return q < 0 ? -size : size;
}

/* As if all were in the centre. */
CLONED static void central_quantiles(const double *restrict p, double *restrict quantile, size_t count) {
    for (size_t j = 0; j < count; j++) {
        double q = p[j] - 0.5;
        quantile[j] = q * ratio_at(&centre, 0.180625 - q * q);
    }
}

/* The tails, three in twenty, one by one. */
void normal_quantiles(double *p, size_t count) {
    enum { BLOCK = 256 };
    double quantile[BLOCK];
    for (size_t first = 0; first < count; first += BLOCK) {
        double *part = p + first;
        size_t length = count - first < BLOCK ? count - first : BLOCK;
        central_quantiles(part, quantile, length);
        for (size_t j = 0; j < length; j++)
            part[j] = fabs(part[j] - 0.5) <= 0.425 ? quantile[j] : normal_quantile(part[j]);
    }
}
