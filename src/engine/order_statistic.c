#include "order_statistic.h"
#include "memory.h"
#include <assert.h>
#include <float.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#define PRODUCTS_MAX 2e5   /* multiplications to evaluate the integrand once */
#define TOLERANCE    1e-12 /* of one piece, relative to the whole */
#define JUMPS_WORK   2e6   /* jumps times products, beyond which jumps are not told apart */
#define COARSE       1e-6  /* the tolerance then */
#define FAR_S        1e300
#define WIDE         16.0 /* ends further apart may hide between them all that there is from a rule of 21 points */

/* Probabilities of low … high events; all others have none worth a number. */
struct masses {
    uint32_t low, high;
    double *mass; /* indexed by the number of events */
};

struct quadrature {
    const struct crowd *crowd;
    uint32_t workers, lates; /* T_(k) > t: at least `lates` of `workers` are late */
    struct masses sum, part, product;
    double tolerance_s;
    bool
        coarse; /* a table's kinks, or more jumps than can be visited: each is small, so they pass for a slope */
};

/* A stretch of time and the probability at its ends. */
struct stretch {
    double low_s, high_s, at_low, at_high;
};

/* Outward from the most probable number, by the ratio of neighbours, until nothing is left. */
static void binomial_masses(struct masses *out, uint32_t count, double p) {
    p = fmin(p, 1);
    uint32_t mode = (uint32_t)fmin(count, floor((count + 1.0) * p));
    double odds = p / (1 - p), total = 1, *mass = out->mass;
    mass[mode] = 1;
    for (out->high = mode; out->high < count && mass[out->high] > 0; out->high++) {
        mass[out->high + 1] = mass[out->high] * odds * (count - out->high) / (out->high + 1.0);
        total += mass[out->high + 1];
    }
    for (out->low = mode; out->low > 0 && mass[out->low] > 0; out->low--) {
        mass[out->low - 1] = mass[out->low] / odds * out->low / (count - out->low + 1.0);
        total += mass[out->low - 1];
    }
    for (uint32_t j = out->low; j <= out->high; j++)
        mass[j] /= total;
}

static void convolve(struct masses *out, const struct masses *a, const struct masses *b) {
    out->low = a->low + b->low;
    out->high = a->high + b->high;
    for (uint32_t j = out->low; j <= out->high; j++)
        out->mass[j] = 0;
    for (uint32_t q = a->low; q <= a->high; q++)
        for (uint32_t r = b->low; r <= b->high; r++)
            out->mass[q + r] += a->mass[q] * b->mass[r];
}

static void add_group(struct quadrature *quadrature, uint32_t count, double late) {
    binomial_masses(&quadrature->part, count, late);
    convolve(&quadrature->product, &quadrature->sum, &quadrature->part);
    struct masses kept = quadrature->sum;
    quadrature->sum = quadrature->product;
    quadrature->product = kept;
}

/* P(A + B >= first), added from the far end of B, where the masses are smallest. */
static double sum_from(const struct masses *a, const struct masses *b, uint32_t first) {
    double total = 0, beyond = 0; /* beyond: the masses of B from `next` on */
    uint32_t next = b->high + 1;
    for (uint32_t q = a->low; q <= a->high; q++) {
        uint32_t wanted = first > q ? first - q : 0;
        while (next > wanted && next > b->low)
            beyond += b->mass[--next];
        total += a->mass[q] * beyond;
    }
    return fmin(total, 1);
}

/* P(T_(k) > seconds). */
static double survival(struct quadrature *quadrature, double seconds) {
    const struct crowd *crowd = quadrature->crowd;
    uint32_t last = crowd->groups - 1;
    quadrature->sum.low = quadrature->sum.high = 0;
    quadrature->sum.mass[0] = 1;
    for (uint32_t g = 0; g < last; g++)
        add_group(quadrature, crowd->count[g], task_law_survival(&crowd->law[g], seconds));
    binomial_masses(&quadrature->part, crowd->count[last], task_law_survival(&crowd->law[last], seconds));
    return sum_from(&quadrature->sum, &quadrature->part, quadrature->lates);
}

static double integrand(double seconds, void *quadrature) {
    return survival(quadrature, seconds);
}

/* Halves in the logarithm where the ends are orders apart. */
static double middle_of(const struct stretch *stretch) {
    if (stretch->low_s > 0 && stretch->high_s > 4 * stretch->low_s)
        return sqrt(stretch->low_s) * sqrt(stretch->high_s);
    return stretch->low_s + (stretch->high_s - stretch->low_s) / 2;
}

/* The probability never rises, so a stretch is known to within its drop times its length. */
static double integral(struct quadrature *quadrature, struct stretch stretch) {
    double length_s = stretch.high_s - stretch.low_s, middle_s = middle_of(&stretch);
    double result, error, absolute, spread;
    if ((stretch.at_low - stretch.at_high) * length_s <= quadrature->tolerance_s ||
        middle_s <= stretch.low_s || middle_s >= stretch.high_s)
        return length_s * (stretch.at_low / 2 + stretch.at_high / 2);
    gsl_function function = {integrand, quadrature};
    gsl_integration_qk21(&function, stretch.low_s, stretch.high_s, &result, &error, &absolute, &spread);
    if (error <= quadrature->tolerance_s && stretch.high_s <= WIDE * stretch.low_s)
        return result;
    double at_middle = survival(quadrature, middle_s);
    struct stretch left = {stretch.low_s, middle_s, stretch.at_low, at_middle};
    struct stretch right = {middle_s, stretch.high_s, at_middle, stretch.at_high};
    return integral(quadrature, left) + integral(quadrature, right);
}

/* Between two jumps. The ends are looked at from inside: on which side of a jump a rounded time lies is luck. */
static double smooth_integral(struct quadrature *quadrature, double low_s, double high_s) {
    double length_s = high_s - low_s, rounding_s = 4 * DBL_EPSILON * high_s;
    if (length_s <= 2 * (1e-12 * length_s + rounding_s))
        return length_s * survival(quadrature, low_s + length_s / 2);
    double after_s = low_s > 0 ? fmin(1e-12 * length_s + rounding_s, 1e-9 * low_s) : 1e-12 * length_s;
    struct stretch stretch = {low_s, high_s, survival(quadrature, low_s + after_s),
                              survival(quadrature, high_s - (1e-12 * length_s + rounding_s))};
    return integral(quadrature, stretch);
}

static double jump_after(const struct crowd *crowd, double after_s) {
    double first_s = (double)INFINITY;
    for (uint32_t g = 0; g < crowd->groups; g++)
        first_s = fmin(first_s, task_law_jump(&crowd->law[g], after_s));
    return first_s;
}

static bool composed(const struct crowd *crowd) {
    for (uint32_t g = 0; g < crowd->groups; g++)
        if (crowd->law[g].composed)
            return true;
    return false;
}

static bool jumps_abound(const struct crowd *crowd, double most) {
    double at_s = 0;
    for (double jumps = 0; jumps < most; jumps++) {
        at_s = jump_after(crowd, at_s);
        if (isinf(at_s))
            return false;
    }
    return true;
}

static double integral_between(struct quadrature *quadrature, double low_s, double high_s) {
    double sum = 0;
    while (low_s < high_s) {
        double next_s = quadrature->coarse ? high_s : fmin(high_s, jump_after(quadrature->crowd, low_s));
        sum += smooth_integral(quadrature, low_s, next_s);
        low_s = next_s;
    }
    return sum;
}

/* Where the probability changes: quantiles of every group, in both states. */
static const double levels[] = {1e-300, 1e-12, 1e-6,  1e-3,     0.02,     0.2,       0.5,
                                0.8,    0.98,  0.999, 1 - 1e-6, 1 - 1e-9, 1 - 1e-12, 1 - DBL_EPSILON / 2};
#define LEVELS (sizeof levels / sizeof *levels)

/* Writes 0 and the finite knots in ascending order; returns their number. */
static size_t knots_find(const struct crowd *crowd, double *knot) {
    size_t knots = 1;
    knot[0] = 0;
    for (uint32_t g = 0; g < crowd->groups; g++)
        for (size_t p = 0; p < LEVELS; p++) {
            double seconds = task_law_quantile(&crowd->law[g], levels[p]);
            double slow_s = seconds * crowd->law[g].slowdown;
            if (isfinite(seconds))
                knot[knots++] = seconds;
            if (isfinite(slow_s))
                knot[knots++] = slow_s;
        }
    gsl_sort(knot, 1, knots);
    return knots;
}

/* A lower bound of the mean, as the probability never rises. */
static double bound_below(struct quadrature *quadrature, const double *knot, size_t knots) {
    double bound_s = 0;
    for (size_t q = 1; q < knots; q++)
        bound_s += (knot[q] - knot[q - 1]) * survival(quadrature, knot[q]);
    return bound_s;
}

/* Beyond the last knot, doubling. A tail that falls like t^-index leaves t P(T > t) / (index - 1) beyond t, and no mean
 * when the index is at most 1, which shows in the farthest tail. */
static double tail_integral(struct quadrature *quadrature, double from_s, double sum) {
    double at = survival(quadrature, from_s), tail = 0;
    while (at > 0) {
        double next = survival(quadrature, 2 * from_s), index = log2(at / next);
        double beyond = index > 1 ? from_s * at / (index - 1) : (double)INFINITY;
        if (beyond <= TOLERANCE * (sum + tail))
            return tail;
        if (from_s > FAR_S)
            return index > 1 + 1e-9 ? tail + beyond : (double)INFINITY;
        tail += integral_between(quadrature, from_s, 2 * from_s);
        from_s *= 2;
        at = next;
    }
    return tail;
}

/* Multiplications to evaluate the integrand once. */
static double products_of(const struct crowd *crowd) {
    double products = 0, workers = 0;
    for (uint32_t g = 0; g + 1 < crowd->groups; g++) {
        products += (workers + 1) * (crowd->count[g] + 1.0);
        workers += crowd->count[g];
    }
    return products + workers + crowd->count[crowd->groups - 1];
}

static double mean_of(struct quadrature *quadrature) {
    const struct crowd *crowd = quadrature->crowd;
    if (survival(quadrature, DBL_MAX) > 1 / FAR_S)
        return (double)INFINITY;
    double *knot = memory_zeroed(2 * LEVELS * crowd->groups + 1, sizeof *knot), sum = 0;
    size_t knots = knots_find(crowd, knot);
    quadrature->coarse = composed(crowd) || jumps_abound(crowd, JUMPS_WORK / products_of(crowd));
    quadrature->tolerance_s =
        (quadrature->coarse ? COARSE : TOLERANCE) * bound_below(quadrature, knot, knots);
    for (size_t q = 1; q < knots; q++)
        sum += integral_between(quadrature, knot[q - 1], knot[q]);
    if (knot[knots - 1] > 0)
        sum += tail_integral(quadrature, knot[knots - 1], sum);
    free(knot);
    return sum;
}

double order_statistic_mean(const struct crowd *crowd, uint32_t k) {
    struct quadrature quadrature = {.crowd = crowd};
    for (uint32_t g = 0; g < crowd->groups; g++)
        quadrature.workers += crowd->count[g];
    assert(k >= 1 && k <= quadrature.workers);
    if (products_of(crowd) > PRODUCTS_MAX)
        return (double)NAN;
    size_t room = quadrature.workers + 1;
    double *mass = memory_zeroed(3 * room, sizeof *mass);
    quadrature.lates = quadrature.workers - k + 1;
    quadrature.sum.mass = mass;
    quadrature.part.mass = mass + room;
    quadrature.product.mass = mass + 2 * room;
    double mean_s = mean_of(&quadrature);
    free(mass);
    return mean_s;
}

/* How shocks tie workers together. */
enum ties { TIES_NONE, TIES_ALL, TIES_SOME };

static enum ties ties_of(const struct cluster_spec *spec) {
    bool one = true, apart = true;
    for (uint32_t g = 0; g < spec->groups; g++) {
        const struct group_spec *group = &spec->group[g];
        one &= group_struck(spec, group) && group->rack == spec->group[0].rack;
        apart &= !group_struck(spec, group) || group->count == 1;
        for (uint32_t q = 0; q < g && apart; q++)
            apart = !group_struck(spec, group) || group->rack != spec->group[q].rack;
    }
    return apart ? TIES_NONE : one ? TIES_ALL : TIES_SOME;
}

static bool workers_dependent(const struct cluster_spec *spec) {
    for (uint32_t g = 0; g < spec->groups; g++)
        if ((spec->group[g].compute && law_dependent(spec->group[g].compute)) ||
            (spec->group[g].delay && law_dependent(spec->group[g].delay)))
            return true;
    return false;
}

double cluster_order_mean(const struct cluster_spec *spec, double work, uint32_t k) {
    enum ties ties = ties_of(spec);
    if (ties == TIES_SOME || workers_dependent(spec))
        return (double)NAN;
    struct task_law *law = memory_zeroed(spec->groups, sizeof *law);
    uint32_t *count = memory_zeroed(spec->groups, sizeof *count);
    bool found = true;
    for (uint32_t g = 0; g < spec->groups && found; g++) {
        found = task_law_find(&law[g], spec, &spec->group[g], work) &&
                (ties == TIES_ALL || task_law_strike(&law[g], spec, &spec->group[g]));
        count[g] = spec->group[g].count;
    }
    double mean_s = (double)NAN;
    if (found)
        mean_s = order_statistic_mean(&(struct crowd){spec->groups, law, count}, k);
    if (ties == TIES_ALL)
        mean_s += spec->shock->probability * law_moments(&spec->shock->law).mean_s;
    for (uint32_t g = 0; g < spec->groups; g++)
        task_law_fini(&law[g]);
    free(law);
    free(count);
    return mean_s;
}
