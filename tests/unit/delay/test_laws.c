/* Every law of the registry: its samples follow its distribution function, its quantile inverts it, its moments are
 * theirs. Seeds are fixed. */
#include "../base/sketch.h"
#include "elementary.h"
#include "given_law.h"
#include "measured.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A group of three workers; the trace has four rounds of three. */
enum { MEMBERS = 3, SAMPLES = 120000 };

/* A law and its moments in closed form. */
struct row {
    const char *text;
    double mean_s, deviation_s;
};

#define FILE_TEXT                                                                                            \
    "round,worker,seconds\n"                                                                                 \
    "0,0,1\n0,1,2\n0,2,3\n1,0,4\n1,1,5\n1,2,6\n2,0,7\n2,1,8\n2,2,9\n3,0,10\n3,1,11\n3,2,12\n"

static const struct row rows[] = {
    {"{type: constant, value: 250ms}", 0.25, 0},
    {"{type: constant, value: 0}", 0, 0},
    {"{type: uniform, low: 1s, high: 4s}", 2.5, 0.8660254037844386},
    {"{type: uniform, low: 2s, high: 2s}", 2, 0},
    {"{type: exponential, mean: 2s}", 2, 2},
    {"{type: exponential, mean: 0}", 0, 0},
    {"{type: shifted-exponential, shift: 1s, mean: 500ms}", 1.5, 0.5},
    {"{type: shifted-exponential, shift: 1s, mean: 0}", 1, 0},
    {"{type: gamma, shape: 4, scale: 500ms}", 2, 1},
    {"{type: gamma, shape: 0.25, scale: 2s}", 0.5, 1},
    {"{type: weibull, shape: 2, scale: 1s}", 0.886226925452758, 0.46325137517610424},
    {"{type: weibull, shape: 0.5, scale: 1s}", 2, 4.47213595499958},
    {"{type: weibull, shape: 1, scale: 3s}", 3, 3},
    {"{type: lognormal, mu: 0, sigma: 0.5}", 1.1331484530668263, 0.6039005332108811},
    {"{type: lognormal, mu: -3, sigma: 0.1}", 0.05003662708658628, 0.005016197965307593},
    {"{type: pareto, minimum: 100ms, shape: 5}", 0.125, 0.03227486121839514},
    {"{type: pareto, minimum: 1s, shape: 2.5}", 1.6666666666666667, 1.4907119849998598},
    {"{type: pareto, minimum: 1s, shape: 1.5}", 3, HUGE_VAL},
    {"{type: pareto, minimum: 1s, shape: 2}", 2, HUGE_VAL},
    {"{type: pareto, minimum: 1s, shape: 1}", HUGE_VAL, HUGE_VAL},
    {"{type: pareto, minimum: 1s, shape: 0.5}", HUGE_VAL, HUGE_VAL},
    {"{type: mixture, parts: [{weight: 1, type: constant, value: 1s}, {weight: 3, type: exponential, mean: "
     "3s}]}",
     2.5, 2.7386127875258306},
    {"{type: mixture, parts: [{weight: 0.5, type: uniform, low: 0, high: 1}, {weight: 0, type: never}, "
     "{weight: 0.5, type: mixture, parts: [{weight: 2, type: gamma, shape: 4, scale: 500ms}]}]}",
     1.25, 1.050793351076541},
    {"{type: mixture, parts: [{weight: 9, type: constant, value: 1s}, {weight: 1, type: never}]}", HUGE_VAL,
     HUGE_VAL},
    {"{type: never}", HUGE_VAL, HUGE_VAL},
    {"{type: exactly, stragglers: 2, law: {type: exponential, mean: 3s}}", 2, 2.8284271247461903},
    {"{type: exactly, stragglers: 0, law: {type: never}}", 0, 0},
    {"{type: exactly, stragglers: 3, law: {type: constant, value: 2s}}", 2, 0},
    {"{type: empirical, path: t.csv, scale: 2s}", 13, 6.904105059069326},
    {"{type: trace, path: t.csv, scale: 1ms}", 0.0065, 0.003452052529534663},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* The law of a row, and the folder of its file. */
struct stand {
    struct measured measured;
    struct given_law given;
};

static struct stand stand_up(const char *text) {
    struct stand stand = {.measured = measured_new(FILE_TEXT)};
    stand.given = given_law(text, MEMBERS, stand.measured.folder);
    cr_assert(stand.given.accepted, "%s", text);
    return stand;
}

static void stand_down(struct stand *stand) {
    given_law_fini(&stand->given);
    measured_free(&stand->measured);
}

Test(laws, every_law_has_a_row) {
    for (const struct variant *const *law = law_family.variants; *law; law++) {
        bool found = false;
        char *type = memory_format("{type: %s", (*law)->name);
        for (int k = 0; k < ROWS; k++)
            found |= strncmp(rows[k].text, type, strlen(type)) == 0;
        cr_expect(found, "%s", (*law)->name);
        free(type);
    }
}

/* Relative 1e-12: a few hundred roundings. */
Test(laws, moments_are_known) {
    for (int k = 0; k < ROWS; k++) {
        struct stand stand = stand_up(rows[k].text);
        struct moments found = law_moments(&stand.given.law);
        bool infinite = isinf(rows[k].mean_s) || isinf(rows[k].deviation_s);
        cr_expect(found.mean_s == rows[k].mean_s || fabs(found.mean_s / rows[k].mean_s - 1) < 1e-12,
                  "%s: mean %.17g", rows[k].text, found.mean_s);
        cr_expect(found.deviation_s == rows[k].deviation_s ||
                      (!infinite && fabs(found.deviation_s / rows[k].deviation_s - 1) < 1e-12),
                  "%s: deviation %.17g", rows[k].text, found.deviation_s);
        stand_down(&stand);
    }
}

static double *samples_of(const struct given_law *given) {
    double *sample = memory_zeroed(SAMPLES, sizeof *sample);
    for (uint32_t k = 0; k < SAMPLES; k++)
        sample[k] = given_sample(given, k % MEMBERS, k / MEMBERS);
    return sample;
}

/* Four standard errors: once in 16,000 seeds a row. Where the deviation is infinite there is no standard error. */
Test(laws, sample_means_are_near_the_mean) {
    for (int k = 0; k < ROWS; k++) {
        if (isinf(rows[k].deviation_s))
            continue;
        struct stand stand = stand_up(rows[k].text);
        double *sample = samples_of(&stand.given), sum = 0;
        for (int s = 0; s < SAMPLES; s++)
            sum += sample[s] - rows[k].mean_s;
        double errors = fabs(sum) / SAMPLES / (rows[k].deviation_s / sqrt(SAMPLES));
        cr_expect(rows[k].deviation_s > 0 ? errors < 4 : fabs(sum) == 0, "%s: %g standard errors",
                  rows[k].text, errors);
        free(sample);
        stand_down(&stand);
    }
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The largest distance between the samples' step function and the law's distribution function, compared just below
 * and at every value, so that jumps of both agree. Sorts the samples. */
static double kolmogorov_distance(const struct picked *law, double *sample) {
    double largest = 0;
    qsort(sample, SAMPLES, sizeof *sample, ascending);
    for (int s = 0; s < SAMPLES;) {
        int from = s;
        while (s < SAMPLES && sample[s] == sample[from])
            s++;
        double below = law_cdf(law, nextafter(sample[from], -1)), at = law_cdf(law, sample[from]);
        largest = fmax(largest, fabs(below - (double)from / SAMPLES));
        largest = fmax(largest, fabs(at - (double)s / SAMPLES));
    }
    return largest;
}

/* sqrt(N) times the distance is beyond 2.4 once in 50,000 seeds a row (2 exp(-2 x^2)), more seldom for jumps. */
Test(laws, samples_follow_the_distribution) {
    for (int k = 0; k < ROWS; k++) {
        struct stand stand = stand_up(rows[k].text);
        double *sample = samples_of(&stand.given);
        double distance = sqrt(SAMPLES) * kolmogorov_distance(&stand.given.law, sample);
        cr_expect(distance < 2.4, "%s: %g", rows[k].text, distance);
        free(sample);
        stand_down(&stand);
    }
}

/* Within 1e-12 of the quantile, which covers the roundings of exp and log, lies the point where the distribution
 * function passes p. The slack in p is that of the function itself. */
static void expect_inverse(const char *text, const struct picked *law, double p) {
    double t = law_quantile(law, p);
    if (isinf(t)) {
        cr_expect(law_cdf(law, DBL_MAX) < p, "%s: p = %.17g", text, p);
        return;
    }
    cr_expect(law_cdf(law, t * (1 + 1e-12)) >= p - 1e-13, "%s: p = %.17g, t = %.17g", text, p, t);
    cr_expect(t == 0 || law_cdf(law, t * (1 - 1e-12)) <= p + 1e-13, "%s: p = %.17g, t = %.17g", text, p, t);
}

Test(laws, quantiles_invert_the_distribution_and_grow) {
    for (int k = 0; k < ROWS; k++) {
        struct stand stand = stand_up(rows[k].text);
        const struct picked *law = &stand.given.law;
        double before = 0;
        for (int g = 1; g < 512; g++) {
            double p = (g + 0.3) / 512, t = law_quantile(law, p);
            cr_expect(t >= before, "%s: p = %g", rows[k].text, p);
            expect_inverse(rows[k].text, law, p);
            before = t;
        }
        expect_inverse(rows[k].text, law, 0x1p-53);
        expect_inverse(rows[k].text, law, 1 - 0x1p-53);
        stand_down(&stand);
    }
}

Test(laws, samples_are_times) {
    for (int k = 0; k < ROWS; k++) {
        struct stand stand = stand_up(rows[k].text);
        for (uint32_t t = 0; t < 10000; t++)
            cr_assert(given_sample(&stand.given, t % MEMBERS, t) >= 0, "%s: step %u", rows[k].text, t);
        stand_down(&stand);
    }
}

/* A sample depends on its occasion alone: asked for again, backwards and of another copy of the law. */
Test(laws, same_occasion_same_bits) {
    enum { STEPS = 500 };
    for (int k = 0; k < ROWS; k++) {
        struct stand one = stand_up(rows[k].text), other = stand_up(rows[k].text);
        double first[STEPS];
        for (uint32_t t = 0; t < STEPS; t++)
            first[t] = given_sample(&one.given, 1, t);
        for (uint32_t t = STEPS; t-- > 0;) {
            double again = given_sample(&other.given, 1, t);
            cr_assert(memcmp(&first[t], &again, sizeof again) == 0, "%s: step %u", rows[k].text, t);
        }
        stand_down(&one);
        stand_down(&other);
    }
}

/* Laws that sample by inversion take one draw, and a larger one is a larger time: what makes schemes comparable. */
Test(laws, inversion_takes_the_first_draw) {
    for (int k = 0; k < ROWS; k++) {
        struct stand stand = stand_up(rows[k].text);
        if (!((const struct law *)stand.given.law.type)->sample)
            for (uint32_t t = 0; t < 100; t++) {
                struct occasion occasion = occasion_at(2, t);
                double expected = law_quantile(&stand.given.law, draw_unit(&occasion.draw));
                cr_assert(eq(dbl, given_sample(&stand.given, 2, t), expected), "%s: step %u", rows[k].text,
                          t);
            }
        stand_down(&stand);
    }
}

/* Every number of a run is made of these: a change here changes all. Gamma is left out: its samples go through the
 * C library's functions, which may round otherwise on another machine. */
Test(laws, bits_are_the_same_everywhere) {
    uint64_t hash = 0xcbf29ce484222325;
    for (int k = 0; k < ROWS; k++) {
        if (strstr(rows[k].text, "gamma"))
            continue;
        struct stand stand = stand_up(rows[k].text);
        for (uint32_t t = 0; t < 200; t++)
            hash = (hash ^ elementary_bits(given_sample(&stand.given, t % MEMBERS, t))) * 0x100000001b3;
        stand_down(&stand);
    }
    cr_expect(eq(u64, hash, 0x52a35461b15486fd), "%#lx", hash);
}

/* Rejections included, a sample stays within the draws that an occasion may take: the last draw it can reach is
 * LAW_DRAWS before one that would end the program. */
Test(laws, gamma_stays_within_its_draws) {
    static const char *const shapes[] = {"0.001", "0.25", "1", "1.5", "30", "100000"};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        char *text = memory_format("{type: gamma, shape: %s, scale: 1s}", shapes[k]);
        struct given_law given = given_law(text, 1, NULL);
        for (uint32_t t = 0; t < 20000; t++) {
            struct occasion occasion = occasion_at(0, t);
            occasion.draw.draw = (1u << 16) - LAW_DRAWS;
            cr_assert(isfinite(law_sample(&given.law, occasion)), "shape %s, step %u", shapes[k], t);
        }
        given_law_fini(&given);
        free(text);
    }
}

/* The incomplete gamma function is asked for at every size of argument, and must never end the program. */
Test(laws, gamma_quantiles_of_all_shapes) {
    static const double shapes[] = {1e-3, 1e-2, 0.1, 0.5, 1, 2, 9.5, 10, 100, 1e3, 1e4, 1e5};
    static const double levels[] = {0x1p-53, 1e-9, 1e-3, 0.1, 0.5, 0.9, 0.99, 1 - 1e-9, 1 - 0x1p-53};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        char *text = memory_format("{type: gamma, shape: %.17g, scale: 1ms}", shapes[k]);
        struct given_law given = given_law(text, 1, NULL);
        double before = 0;
        for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
            double t = law_quantile(&given.law, levels[l]);
            cr_expect(t >= before && isfinite(t), "shape %g, p = %g: %g", shapes[k], levels[l], t);
            before = t;
        }
        double median = law_quantile(&given.law, 0.5) / (1e-3 * shapes[k]);
        /* Wilson and Hilferty's approximation of the median. */
        cr_expect(shapes[k] < 1 || fabs(median / pow(1 - 1 / (9 * shapes[k]), 3) - 1) < 0.02, "shape %g: %g",
                  shapes[k], median);
        given_law_fini(&given);
        free(text);
    }
}

static void check_filled(const struct stand *stand, enum draw_form form, size_t count) {
    enum { MOST = 67 };
    double filled[MOST];
    for (uint32_t t = 0; t < count; t++) {
        struct occasion occasion = occasion_at(1, t);
        const double unit = draw_unit(&occasion.draw);
        filled[t] = form == DRAW_LOG ? elementary_log(1 - unit) : unit;
    }
    law_fill(&stand->given.law, form, filled, count);
    for (uint32_t t = 0; t < count; t++)
        cr_assert(filled[t] == given_sample(&stand->given, 1, t), "%s: form %d, %zu, number %u",
                  stand->given.law.type->name, (int)form, count, t);
}

/* Of every law: the vector loop, with lengths below and not divisible by the width of a vector. */
Test(laws, many_at_once_are_the_bits_of_single_samples) {
    enum { MANY = 67 };
    for (int k = 0; k < ROWS; k++) {
        struct stand stand = stand_up(rows[k].text);
        for (size_t count = 1; law_inverts(&stand.given.law) && count <= MANY; count += 11) {
            check_filled(&stand, DRAW_UNIT, count);
            check_filled(&stand, law_form(&stand.given.law), count);
        }
        for (uint32_t t = 0; law_fixed(&stand.given.law) && t < MANY; t++)
            cr_assert(law_quantile(&stand.given.law, 0.5) == given_sample(&stand.given, t % MEMBERS, t), "%s",
                      rows[k].text);
        stand_down(&stand);
    }
}

struct refusal {
    const char *text, *message;
};

static const struct refusal refusals[] = {
    {"{type: exactly, stragglers: 4, law: {type: never}}", "must be at most the group's 1 worker"},
    {"{type: paretto, minimum: 1, shape: 2}", "did you mean 'pareto'?"},
    {"{type: exponential}", "mean"},
    {"{type: exponential, mean: -1s}", "mean"},
    {"{type: exponential, mean: nan}", "mean"},
    {"{type: exponential, mean: inf}", "mean"},
    {"{type: exponential, mean: 1s, shift: 1s}", "unknown key 'shift'"},
    {"{type: never, value: 1s}", "unknown key 'value'"},
    {"{type: uniform, low: 2s, high: 1s}", "high = 1 s must be at least low = 2 s"},
    {"{type: gamma, shape: 0, scale: 1s}", "shape"},
    {"{type: gamma, shape: 2, scale: 0}", "scale"},
    {"{type: weibull, shape: 0.01, scale: 1s}", "shape"},
    {"{type: lognormal, mu: 0, sigma: 0}", "sigma"},
    {"{type: lognormal, mu: 51, sigma: 1}", "mu"},
    {"{type: pareto, minimum: 0, shape: 2}", "minimum"},
    {"{type: pareto, minimum: 1, shape: 0}", "shape"},
    {"{type: mixture, parts: []}", "parts"},
    {"{type: mixture, parts: [{weight: 0, type: never}]}", "at least one part must have a weight above 0"},
    {"{type: mixture, parts: [{weight: -1, type: never}]}", "parts[0].weight"},
    {"{type: mixture, parts: [{type: never}]}", "weight"},
    {"{type: mixture, parts: [{weight: 1, type: never}, {weight: 1, type: uniform, low: 2, high: 1}]}",
     "parts[1]"},
};

Test(laws, mistakes_are_told) {
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        struct given_law given = given_law(refusals[k].text, 1, NULL);
        char *told = messages(given.diag);
        cr_expect(given.accepted == false, "%s", refusals[k].text);
        cr_expect(strstr(told, refusals[k].message) != NULL, "%s: %s", refusals[k].text, told);
        free(told);
        given_law_fini(&given);
    }
}

/* Every step has its own set, of just as many, and all workers see the same one. */
Test(laws, exactly_so_many_straggle) {
    enum { MANY = 20, STRAGGLERS = 7, STEPS = 2000 };
    struct given_law given =
        given_law("{type: exactly, stragglers: 7, law: {type: constant, value: 3s}}", MANY, ".");
    int often[MANY] = {0};
    cr_assert(given.accepted);
    for (uint32_t t = 0; t < STEPS; t++) {
        int count = 0;
        for (uint32_t i = 0; i < MANY; i++) {
            bool one = given_sample(&given, i, t) == 3;
            count += one;
            often[i] += one;
        }
        cr_assert(eq(int, count, STRAGGLERS), "step %u", t);
    }
    /* Five standard errors of a binomial count of share 7/20. */
    for (uint32_t i = 0; i < MANY; i++)
        cr_expect(le(dbl, fabs(often[i] - STEPS * 0.35), 5 * sqrt(STEPS * 0.35 * 0.65)), "worker %u: %d", i,
                  often[i]);
    given_law_fini(&given);
}

/* A set is the same whoever asked for what before: another step, stream or group size, or nothing at all. */
Test(laws, stragglers_do_not_depend_on_who_asks_first) {
    enum { MANY = 300, STEPS = 8 };
    static const char text[] = "{type: exactly, stragglers: 70, law: {type: constant, value: 3s}}";
    struct given_law given = given_law(text, MANY, "."), fewer = given_law(text, MANY / 2, ".");
    double seconds[STEPS][MANY];
    cr_assert(given.accepted && fewer.accepted);
    for (uint32_t t = 0; t < STEPS; t++)
        for (uint32_t i = 0; i < MANY; i++)
            seconds[t][i] = given_sample(&given, i, t);
    for (uint32_t i = MANY; i-- > 0;)
        for (uint32_t t = 0; t < STEPS; t++) {
            struct occasion other = occasion_at(i, t);
            other.draw.stream.replication = 7;
            law_sample(&given.law, other);
            given_sample(&fewer, i / 2, t);
            cr_assert(eq(dbl, given_sample(&given, i, t), seconds[t][i]), "worker %u, step %u", i, t);
        }
    given_law_fini(&given);
    given_law_fini(&fewer);
}
