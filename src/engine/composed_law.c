/* Why the law with more jumps is the one that is taken at points: a jump within the other one would be smeared over the
 * distance between two of them. */
#include "composed_law.h"
#include "memory.h"
#include <float.h>
#include <gsl/gsl_integration.h>
#include <math.h>
#include <stdlib.h>

#define ORDER      12    /* points between two levels */
#define JUMPS_MAX  512   /* beyond that each is small, and they pass for a slope */
#define POINTS_MAX 20000 /* of a table */
#define TOLERANCE  2e-4  /* of a survival probability, relative */
#define LEAST      1e-15 /* the table ends where less is left */
#define NARROW     1e-7  /* stretches that are shorter, relative to their place, are not halved */
#define STEEP      0.01  /* stretches with a deeper fall may hide a jump, and are halved */
#define FAR_S      1e300

/* Both ends matter: what is left above falls by thirds to 1e-14. */
static const double levels[] = {
    0,         1e-9,      1e-6,      1e-4,      1e-3,      1e-2,      0.03,      0.06,      0.1,
    0.15,      0.2,       0.25,      0.3,       0.35,      0.4,       0.45,      0.5,       0.55,
    0.6,       0.65,      0.7,       0.75,      0.8,       0.85,      0.9,       0.94,      0.97,
    1 - 1e-2,  1 - 3e-3,  1 - 1e-3,  1 - 3e-4,  1 - 1e-4,  1 - 3e-5,  1 - 1e-5,  1 - 3e-6,  1 - 1e-6,
    1 - 3e-7,  1 - 1e-7,  1 - 3e-8,  1 - 1e-8,  1 - 3e-9,  1 - 1e-9,  1 - 3e-10, 1 - 1e-10, 1 - 3e-11,
    1 - 1e-11, 1 - 3e-12, 1 - 1e-12, 1 - 3e-13, 1 - 1e-13, 1 - 3e-14, 1 - 1e-14};
#define LEVELS (sizeof levels / sizeof *levels)
#define BEYOND 1e-14 /* what the last level leaves */

/* One law at points. */
struct points {
    double *seconds, *mass;
    size_t count, capacity;
};

struct composed_law {
    struct picked picked;
    struct composed_law *earlier;                   /* that it is composed of; NULL: of given laws alone */
    double (*rest)(double seconds, double taken_s); /* what the other must exceed */
    double probability;
    struct task_law smooth, at_points, otherwise;
    struct points points;
    double *time_s, *left; /* the table: P(T > time_s), falling */
    size_t count, capacity;
    bool full;
};

static double rest_of_sum(double seconds, double taken_s) {
    return seconds - taken_s;
}

/* Nothing of what never ends is nothing. */
static double rest_of_product(double seconds, double taken_s) {
    if (taken_s <= 0)
        return (double)INFINITY;
    return isinf(taken_s) ? 0 : seconds / taken_s;
}

static void add_point(struct points *points, double seconds, double mass) {
    if (points->count == points->capacity) {
        points->capacity = points->capacity * 2 + 512;
        points->seconds = memory_resized(points->seconds, points->capacity, sizeof *points->seconds);
        points->mass = memory_resized(points->mass, points->capacity, sizeof *points->mass);
    }
    points->seconds[points->count] = seconds;
    points->mass[points->count++] = mass;
}

/* The quantiles between two levels of the fast state, in both states of its regime. */
static void add_slope(struct points *points, const struct task_law *law, double from, double to) {
    gsl_integration_glfixed_table *rule = gsl_integration_glfixed_table_alloc(ORDER);
    for (size_t q = 0; q < ORDER && to > from; q++) {
        double level, mass;
        gsl_integration_glfixed_point(from, to, q, &level, &mass, rule);
        double seconds = task_law_quantile(law, level);
        add_point(points, seconds, mass * (1 - law->slow_share));
        if (law->slow_share > 0)
            add_point(points, seconds * law->slowdown, mass * law->slow_share);
    }
    gsl_integration_glfixed_table_free(rule);
}

static void add_slopes(struct points *points, const struct task_law *law, double from, double to) {
    for (size_t q = 0; q + 1 < LEVELS; q++)
        add_slope(points, law, fmax(from, levels[q]), fmin(to, levels[q + 1]));
}

static void add_jump(struct points *points, const struct task_law *law, double seconds, double mass) {
    add_point(points, seconds, mass * (1 - law->slow_share));
    if (law->slow_share > 0)
        add_point(points, seconds * law->slowdown, mass * law->slow_share);
}

static struct task_law fast_of(const struct task_law *law) {
    struct task_law fast = *law;
    fast.slow_share = 0;
    fast.slowdown = 1;
    return fast;
}

/* JUMPS_MAX: that many or more. */
static size_t jumps_of(const struct task_law *law) {
    size_t jumps = 0;
    for (double at_s = task_law_jump(law, -1); isfinite(at_s) && jumps < JUMPS_MAX;
         at_s = task_law_jump(law, at_s))
        jumps++;
    return jumps;
}

static void find_points(struct points *points, const struct task_law *law) {
    struct task_law fast = fast_of(law);
    double from = 0;
    bool jumps = jumps_of(&fast) < JUMPS_MAX;
    for (double at_s = jumps ? task_law_jump(&fast, -1) : (double)INFINITY; isfinite(at_s);
         at_s = task_law_jump(&fast, at_s)) {
        double before = 1 - task_law_survival(&fast, at_s - 4 * DBL_EPSILON * at_s - DBL_MIN);
        double after = 1 - task_law_survival(&fast, at_s + 4 * DBL_EPSILON * at_s);
        add_slopes(points, law, from, before);
        add_jump(points, law, at_s, after - before);
        from = after;
    }
    add_slopes(points, law, from, 1);
}

/* P(T > seconds). What the last level leaves is taken to be large alone. */
static double left_at(const struct composed_law *composed, double seconds) {
    const struct points *points = &composed->points;
    double sum = fmin(BEYOND, task_law_survival(&composed->at_points, seconds));
    for (size_t q = 0; q < points->count; q++) {
        double rest_s = composed->rest(seconds, points->seconds[q]);
        if (points->mass[q] > 0 && !isinf(rest_s))
            sum += points->mass[q] * (rest_s < 0 ? 1 : task_law_survival(&composed->smooth, rest_s));
        else if (rest_s < 0)
            sum += points->mass[q];
    }
    sum = composed->probability * fmin(1, sum);
    if (composed->probability < 1)
        sum += (1 - composed->probability) * task_law_survival(&composed->otherwise, seconds);
    return sum;
}

static void add_row(struct composed_law *composed, double time_s, double left) {
    if (composed->count == POINTS_MAX) {
        composed->full = true;
        return;
    }
    if (composed->count == composed->capacity) {
        composed->capacity = composed->capacity * 2 + 512;
        composed->time_s = memory_resized(composed->time_s, composed->capacity, sizeof *composed->time_s);
        composed->left = memory_resized(composed->left, composed->capacity, sizeof *composed->left);
    }
    composed->time_s[composed->count] = time_s;
    composed->left[composed->count++] = left;
}

/* A stretch of the table. */
struct span {
    double low_s, high_s, at_low, at_high;
};

static double share_of(const struct span *span, double seconds) {
    if (span->low_s > 0)
        return log(seconds / span->low_s) / log(span->high_s / span->low_s);
    return (seconds - span->low_s) / (span->high_s - span->low_s);
}

static double between(const struct span *span, double seconds) {
    double share = share_of(span, seconds);
    if (span->at_high > 0)
        return span->at_low * exp(share * log(span->at_high / span->at_low));
    return span->at_low * (1 - share);
}

/* Adds the rows within a stretch and at its end. */
static void refine(struct composed_law *composed, struct span span) {
    double middle_s = span.low_s + (span.high_s - span.low_s) / 2;
    if (span.low_s > 0)
        middle_s = sqrt(span.low_s) * sqrt(span.high_s);
    if (span.at_low > LEAST && span.high_s - span.low_s > NARROW * span.high_s && !composed->full) {
        double at_middle = left_at(composed, middle_s);
        bool steep = span.at_high < STEEP * span.at_low;
        if (steep || fabs(between(&span, middle_s) - at_middle) > TOLERANCE * at_middle + LEAST) {
            refine(composed, (struct span){span.low_s, middle_s, span.at_low, at_middle});
            refine(composed, (struct span){middle_s, span.high_s, at_middle, span.at_high});
            return;
        }
        add_row(composed, middle_s, at_middle);
    }
    add_row(composed, span.high_s, span.at_high);
}

/* A first stretch ends at a usual time; further ones double. */
static void tabulate(struct composed_law *composed) {
    double usual_s = composed->rest == rest_of_sum ? task_law_quantile(&composed->smooth, .5) : 0;
    for (size_t q = 0; q < composed->points.count && !(usual_s > 0); q++)
        usual_s = fmax(usual_s, composed->points.seconds[q] * task_law_quantile(&composed->smooth, .5));
    if (!(usual_s > 0 && usual_s < FAR_S))
        usual_s = 1;
    double low_s = 0, high_s = usual_s / 1024, at_low = left_at(composed, 0);
    add_row(composed, 0, at_low);
    while (at_low > LEAST && high_s < FAR_S && !composed->full) {
        double at_high = left_at(composed, high_s);
        refine(composed, (struct span){low_s, high_s, at_low, at_high});
        low_s = high_s;
        at_low = at_high;
        high_s *= 2;
    }
}

/* The last row at or before `seconds`, but not the very last. */
static size_t row_at(const struct composed_law *composed, double seconds) {
    size_t low = 0, high = composed->count - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(composed->time_s[middle] <= seconds ? &low : &high) = middle;
    }
    return low;
}

/* Beyond the table as it fell over its last doubling: a power of the time. */
static double survival(const void *params, double seconds) {
    const struct composed_law *composed = params;
    const double *time_s = composed->time_s, *left = composed->left;
    size_t last = composed->count - 1, high = last, low = 0;
    if (seconds < 0 || last == 0)
        return seconds < 0 ? 1 : left[0];
    if (left[last] <= 0 && seconds >= time_s[last])
        return 0;
    if (seconds < time_s[last]) {
        low = row_at(composed, seconds);
        high = low + 1;
    } else {
        low = row_at(composed, time_s[last] / 2);
    }
    return between(&(struct span){time_s[low], time_s[high], left[low], left[high]}, seconds);
}

static double cdf(const void *params, double seconds) {
    return 1 - survival(params, seconds);
}

/* The first row that leaves no more than 1 - p; INFINITY: none does. */
static double quantile(const void *params, double p) {
    const struct composed_law *composed = params;
    size_t low = 0, high = composed->count - 1;
    if (composed->left[0] <= 1 - p)
        return 0;
    if (composed->left[high] > 1 - p)
        return (double)INFINITY;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(composed->left[middle] > 1 - p ? &low : &high) = middle;
    }
    double from = composed->left[low], to = composed->left[high], begin_s = composed->time_s[low];
    double share = to > 0 ? log((1 - p) / from) / log(to / from) : (from - (1 - p)) / from;
    if (begin_s > 0)
        return begin_s * exp(share * log(composed->time_s[high] / begin_s));
    return share * composed->time_s[high];
}

static struct moments moments(const void *params) {
    (void)params;
    return (struct moments){(double)NAN, (double)NAN};
}

static const struct law tabulated = {
    .head = {.name = "composed"}, .moments = moments, .quantile = quantile, .cdf = cdf, .survival = survival};

/* How far its rare times are from the usual ones. */
static double reach(const struct task_law *law) {
    return task_law_quantile(law, 1 - 1e-12) / task_law_quantile(law, 0.5);
}

/* What the last level leaves is known best of the lighter tail. */
static bool points_of_first(const struct task_law *first, const struct task_law *second) {
    size_t jumps = jumps_of(first), others = jumps_of(second);
    return jumps > others || (jumps == others && reach(first) < reach(second));
}

static struct composed_law *compose(const struct task_law *first, const struct task_law *second,
                                    double (*rest)(double, double), double probability) {
    struct composed_law *composed = memory_zeroed(1, sizeof *composed);
    bool swap = points_of_first(first, second);
    *composed = (struct composed_law){.earlier = first->composed,
                                      .rest = rest,
                                      .probability = probability,
                                      .smooth = swap ? *second : *first,
                                      .at_points = swap ? *first : *second,
                                      .otherwise = *first};
    composed->picked = (struct picked){&tabulated.head, composed};
    find_points(&composed->points, &composed->at_points);
    tabulate(composed);
    if (!composed->full)
        return composed;
    composed->earlier = NULL;
    composed_law_free(composed);
    return NULL;
}

struct composed_law *composed_sum(const struct task_law *first, const struct task_law *second,
                                  double probability) {
    return compose(first, second, rest_of_sum, probability);
}

struct composed_law *composed_product(const struct task_law *first, const struct task_law *second) {
    return compose(first, second, rest_of_product, 1);
}

void composed_law_free(struct composed_law *composed) {
    if (!composed)
        return;
    composed_law_free(composed->earlier);
    free(composed->points.seconds);
    free(composed->points.mass);
    free(composed->time_s);
    free(composed->left);
    free(composed);
}

const struct picked *composed_picked(const struct composed_law *composed) {
    return &composed->picked;
}
