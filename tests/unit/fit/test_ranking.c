/* What is said of laws: their order, the test of their shape, the largest times; and the line of the loads. */
#include "drawn.h"
#include "load_line.h"
#include "ranking.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The place of a law; ranking->laws where it was declined. */
static size_t place_of(const struct ranking *ranking, const char *name) {
    size_t l = 0;
    while (l < ranking->laws && strcmp(ranking->fitted[l].fitter->name, name) != 0)
        l++;
    return l;
}

static const struct fitted *law_of(const struct ranking *ranking, const char *name) {
    size_t place = place_of(ranking, name);
    cr_assert(lt(sz, place, ranking->laws), "%s was declined", name);
    return &ranking->fitted[place];
}

static const char *const drawn[][2] = {
    {"exponential", "{type: exponential, mean: 1}"},
    {"shifted-exponential", "{type: shifted-exponential, shift: 1, mean: 1}"},
    {"uniform", "{type: uniform, low: 1, high: 2}"},
    {"gamma", "{type: gamma, shape: 4, scale: 1}"},
    {"weibull", "{type: weibull, shape: 3, scale: 1}"},
    {"lognormal", "{type: lognormal, mu: 0, sigma: 1}"},
    {"pareto", "{type: pareto, minimum: 1, shape: 3}"},
    {"two lognormals",
     "{type: mixture, parts: [{weight: 0.9, type: lognormal, mu: 0, sigma: 0.2}, {weight: 0.1, "
     "type: lognormal, mu: 1, sigma: 0.6}]}"},
};

/* The law that times were drawn from is within ten of the best by Akaike's criterion (a law that holds it with k more
 * parameters exceeds that with the probability of chi-squared(k) > 10 + 2 k, 5e-4 for k = 1), and its largest time is
 * within the middle 98 % of what it gives: a false alarm of 2 % per law, 15 % over the table, once. */
Test(ranking, the_law_itself) {
    for (size_t d = 0; d < sizeof drawn / sizeof *drawn; d++) {
        struct sample *sample = drawn_sample(drawn[d][1], 1000, 51 + d);
        struct ranking *ranking = ranking_new(sample, (struct bootstrap){1, 0});
        const struct fitted *own = law_of(ranking, drawn[d][0]);
        cr_expect(le(dbl, own->criterion - ranking->fitted[0].criterion, 10), "%s: behind %s", drawn[d][0],
                  ranking->fitted[0].fitter->name);
        cr_expect(eq(int, own->reach, REACH_FINE), "%s", drawn[d][0]);
        ranking_free(ranking);
        sample_free(sample);
    }
}

/* The p-value of the law itself is as likely below a fifth as a fifth: of 60 samples, between 0 and 24 (12 and four
 * standard deviations of 3.1); and it does not stick to either end: its mean is within four standard errors of a half,
 * 0.29 / sqrt(60), and of the 1/40 that counting the sample itself adds. */
Test(ranking, p_values) {
    double below = 0, sum = 0;
    for (uint64_t s = 0; s < 60; s++) {
        struct sample *sample = drawn_sample("{type: weibull, shape: 2, scale: 1}", 100, 100 + s);
        struct ranking *ranking = ranking_new(sample, (struct bootstrap){s, 19});
        double p_value = law_of(ranking, "weibull")->p_value;
        below += p_value <= 0.2;
        sum += p_value;
        ranking_free(ranking);
        sample_free(sample);
    }
    cr_expect(le(dbl, below, 24), "%g of 60 are below a fifth", below);
    cr_expect(le(dbl, fabs(sum / 60 - 0.525), 4 * 0.29 / sqrt(60)), "their mean is %g", sum / 60);
}

/* Another shape is refused by the test at the least p-value there is. */
Test(ranking, another_shape) {
    struct sample *sample = drawn_sample("{type: lognormal, mu: 0, sigma: 1}", 3000, 61);
    struct ranking *ranking = ranking_new(sample, (struct bootstrap){1, RANKING_RESAMPLES});
    cr_expect(epsilon_eq(dbl, law_of(ranking, "exponential")->p_value, 0.01, 1e-12));
    cr_expect(eq(int, law_of(ranking, "exponential")->reach, REACH_SHORT));
    cr_expect(eq(int, law_of(ranking, "weibull")->reach, REACH_SHORT));
    ranking_free(ranking);
    sample_free(sample);
}

/* Two times of a thousand medians among 3,000: no law that fits the rest has them. */
Test(ranking, a_tail_out_of_reach) {
    struct sample *sample = drawn_sample("{type: lognormal, mu: 0, sigma: 0.1}", 3000, 62);
    sample->value_s[2998] = sample->value_s[2999] = 1000;
    struct sample *tailed = sample_new(sample->value_s, 3000);
    struct ranking *ranking = ranking_new(tailed, (struct bootstrap){1, 0});
    cr_expect(eq(ptr, (void *)ranking_reaching(ranking), NULL));
    cr_expect(eq(int, ranking->fitted[0].reach, REACH_SHORT));
    ranking_free(ranking);
    sample_free(tailed);
    sample_free(sample);
}

/* The times 0.2, 0.7, 0.7, 0.9 step to 1/4, 3/4, 1; the largest gap to a uniform law on [0, 1] is 0.7 - 1/4, just below the
 * second step. */
Test(ranking, distance_by_hand) {
    struct sample *sample = sample_new((const double[]){0.7, 0.2, 0.9, 0.7}, 4);
    struct arena *arena = arena_new();
    struct node *node = written_law(arena, "uniform");
    written_number(arena, node, "low", 0);
    written_number(arena, node, "high", 1);
    struct picked law;
    struct sentence why;
    cr_assert(fit_read_law(arena, node, &law, &why));
    cr_expect(epsilon_eq(dbl, fit_distance(&law, sample), 0.45, 1e-12));
    arena_free(arena);
    sample_free(sample);
}

static const struct {
    const char *name;
    double value[10];
    const char *only;     /* a law that is fitted */
    const char *declined; /* one that is declined */
} odd[] = {
    {"all equal", {2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, "constant", "exponential"},
    {"zeros", {0, 0, 1, 2, 3, 4, 5, 6, 7, 8}, "exponential", "lognormal"},
    {"two values", {1, 1, 1, 1, 1, 1, 1, 1, 1, 3}, "gamma", "constant"},
    {"nearly equal", {1, 1, 1, 1, 1, 1, 1, 1, 1, 1.0000001}, "uniform", "gamma"},
    {"far apart", {1e-9, 1e-6, 1e-3, 1, 10, 1e3, 1e5, 1e7, 1e9, 1e12}, "exponential", "lognormal"},
};

Test(ranking, odd_samples) {
    for (size_t s = 0; s < sizeof odd / sizeof *odd; s++) {
        struct sample *sample = sample_new(odd[s].value, 10);
        struct ranking *ranking = ranking_new(sample, (struct bootstrap){1, 9});
        cr_expect(lt(sz, place_of(ranking, odd[s].only), ranking->laws), "%s: %s", odd[s].name, odd[s].only);
        cr_expect(eq(sz, place_of(ranking, odd[s].declined), ranking->laws), "%s: %s", odd[s].name,
                  odd[s].declined);
        for (size_t l = 0; l < ranking->laws; l++)
            cr_expect(not(isnan(ranking->fitted[l].criterion)), "%s: %s", odd[s].name,
                      ranking->fitted[l].fitter->name);
        ranking_free(ranking);
        sample_free(sample);
    }
}

/* Rounding joins: 0.1 + 0.2 is 0.3, a million-millionth beside 1 is not 1. */
static const struct {
    const char *name;
    double value[3], kept[3];
} roundings[] = {
    {"rounding", {0.1 + 0.2, 0.3, 0.5}, {0.3, 0.3, 0.5}},
    {"small times", {3e-20, 3e-20 * (1 + 4e-16), 5e-20}, {3e-20, 3e-20, 5e-20}},
    {"a clock's last digit", {1, 1 + 1e-11, 2}, {1, 1 + 1e-11, 2}},
    {"all equal", {0.1 + 0.2, 0.3, 0.1 + 0.2}, {0.3, 0.3, 0.3}},
    {"zeros", {0, 0, 1e-300}, {0, 0, 1e-300}},
};

Test(ranking, rounding) {
    for (size_t q = 0; q < sizeof roundings / sizeof *roundings; q++) {
        struct sample *sample = sample_new(roundings[q].value, 3);
        for (size_t v = 0; v < 3; v++)
            cr_expect(epsilon_eq(dbl, sample->value_s[v], roundings[q].kept[v], 0), "%s: %.17g",
                      roundings[q].name, sample->value_s[v]);
        sample_free(sample);
    }
}
