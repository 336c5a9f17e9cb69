#include "elementary.h"
#include "reading.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seeds are fixed, so a test either always passes or always fails; bounds are 5 standard errors, which a right program
 * would exceed for one seed in a million per comparison. */

static const struct asked classes = {.seed = 1, .labels = LABEL_CLASSES};
static const struct asked reals = {.seed = 1, .labels = LABEL_REAL};

static struct reading whole_reading(const char *settings, const struct asked *asked) {
    struct reading reading = reading_of(settings, asked);
    cr_assert(reading.dataset != NULL, "%s: %s", settings, reading.told);
    return reading;
}

static const double *row(const struct reading *reading, size_t r) {
    return reading->dataset->row + r * reading->dataset->stride;
}

static double unit_at(uint32_t feature, uint32_t r, uint32_t number) {
    struct draw draw = {.stream = {1, 0, PURPOSE_DATA}, .worker = feature, .step = r, .draw = number};
    return draw_unit(&draw);
}

/* w* of seed 1 with condition 1, scaled to the given standard deviation of the scores. */
static void hidden_weights(double *w, uint32_t features, double spread) {
    double squares = 0;
    for (uint32_t j = 0; j < features; j++) {
        w[j] = normal_quantile(unit_at(j, 0, 4));
        squares += w[j] * w[j];
    }
    for (uint32_t j = 0; j < features; j++)
        w[j] *= spread / sqrt(squares);
}

static double dot(const double *a, const double *b, size_t length) {
    double sum = 0;
    for (size_t j = 0; j < length; j++)
        sum += a[j] * b[j];
    return sum;
}

static double share_of_positives(const struct dataset *dataset, size_t from, size_t to) {
    size_t positives = 0;
    for (size_t r = from; r < to; r++)
        positives += dataset->label[r] > 0;
    return (double)positives / (double)(to - from);
}

Test(synthetic, entries_are_keyed_draws) {
    struct reading few = whole_reading("type=synthetic samples=20 features=5", &classes);
    struct reading many = whole_reading("type=synthetic samples=50 features=9 intercept=true", &reals);
    for (uint32_t r = 0; r < 20; r++)
        for (uint32_t j = 0; j < 5; j++) {
            double expected = normal_quantile(unit_at(j, r, 0));
            cr_expect(eq(dbl, row(&few, r)[j], expected), "row %u, column %u", r, j);
            cr_expect(eq(dbl, row(&many, r)[j], expected), "row %u, column %u", r, j);
        }
    cr_expect(eq(dbl, row(&many, 49)[9], 1));
    reading_fini(&few);
    reading_fini(&many);
}

Test(synthetic, seed_of_the_scenario_or_its_own) {
    struct asked other = {.seed = 2, .labels = LABEL_REAL};
    struct reading base = whole_reading("type=synthetic samples=10 features=3", &reals);
    struct reading own = whole_reading("type=synthetic samples=10 features=3 seed=1", &other);
    struct reading zero = whole_reading("type=synthetic samples=10 features=3 seed=0", &reals);
    struct reading others = whole_reading("type=synthetic samples=10 features=3", &other);
    cr_expect(memcmp(row(&base, 0), row(&own, 0), 80 * sizeof(double)) == 0);
    cr_expect(memcmp(row(&base, 0), row(&zero, 0), 80 * sizeof(double)) != 0);
    cr_expect(memcmp(row(&base, 0), row(&others, 0), 80 * sizeof(double)) != 0);
    reading_fini(&base);
    reading_fini(&own);
    reading_fini(&zero);
    reading_fini(&others);
}

/* Means 0, variances condition^(-j/(d-1)), no correlation. */
static void expect_covariance(const char *settings, double condition, double kurtosis) {
    struct reading reading = whole_reading(settings, &reals);
    size_t m = reading.dataset->samples, d = reading.dataset->features;
    for (size_t j = 0; j < d; j++)
        for (size_t h = 0; h <= j; h++) {
            double sum = 0, expected = h == j ? pow(condition, -(double)j / (double)(d - 1)) : 0;
            for (size_t r = 0; r < m; r++)
                sum += row(&reading, r)[j] * row(&reading, r)[h];
            /* variance of a product of entries: (kurtosis - 1) var^2 on the diagonal, var_j var_h beside it */
            double scale = pow(condition, -(double)(j + h) / 2 / (double)(d - 1));
            double error = scale * sqrt((h == j ? kurtosis - 1 : 1) / (double)m);
            cr_expect(epsilon_eq(dbl, sum / (double)m, expected, 5 * error), "%s: columns %zu, %zu", settings,
                      j, h);
        }
    reading_fini(&reading);
}

Test(synthetic, covariance) {
    expect_covariance("type=synthetic samples=20000 features=6", 1, 3);
    expect_covariance("type=synthetic samples=20000 features=5 condition=100", 100, 3);
    /* a normal that is zero with probability 3/4: kurtosis 3 / (1 - 3/4) */
    expect_covariance("type=synthetic samples=20000 features=6 sparsity=0.75", 1, 12);
    expect_covariance("type=synthetic samples=20000 features=4 sparsity=0.5 condition=10", 10, 6);
}

Test(synthetic, sparsity) {
    enum { M = 4000, D = 10 };
    struct reading reading = whole_reading("type=synthetic samples=4000 features=10 sparsity=0.9", &reals);
    size_t zeros = 0;
    for (size_t r = 0; r < M; r++)
        for (size_t j = 0; j < D; j++)
            zeros += row(&reading, r)[j] == 0;
    cr_expect(epsilon_eq(dbl, (double)zeros / (M * D), 0.9, 5 * sqrt(0.9 * 0.1 / (M * D))));
    reading_fini(&reading);
}

Test(synthetic, balance_is_exact) {
    static const struct {
        const char *settings;
        double positives;
    } cases[] = {
        {"type=synthetic samples=1000 features=5", 500},
        {"type=synthetic samples=1000 features=5 balance=0.2", 200},
        {"type=synthetic samples=999 features=5 balance=0.9", 899}, /* 899.1 */
        {"type=synthetic samples=1000 features=50 balance=0.3 sparsity=0.9", 300},
        {"type=synthetic samples=2 features=1 balance=0.999", 1},
        {"type=synthetic samples=10 features=1 balance=0.001", 1},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct reading reading = whole_reading(cases[c].settings, &classes);
        size_t m = reading.dataset->samples;
        cr_expect(eq(dbl, share_of_positives(reading.dataset, 0, m) * (double)m, cases[c].positives), "%s",
                  cases[c].settings);
        reading_fini(&reading);
    }
}

/* Labels against the probabilities of the model. The offset of a balance of 1/2 is 0 up to chance; it is itself the
 * median of m noisy scores, whose density at 0 is about 0.07, so it is below 5 * 0.5 / (0.07 sqrt(m)) = 0.12 here, and
 * moves a probability by at most 0.03. */
Test(synthetic, labels_follow_the_logistic_model) {
    enum { M = 90000, D = 8, BINS = 10 };
    struct reading reading = whole_reading("type=synthetic samples=90000 features=8", &classes);
    double w[D], expected[BINS] = {0}, variance[BINS] = {0}, positives[BINS] = {0}, rows[BINS] = {0},
                 squares = 0;
    hidden_weights(w, D, 5);
    for (size_t r = 0; r < M; r++) {
        double z = dot(w, row(&reading, r), D), probability = 1 / (1 + exp(-z));
        size_t bin = (size_t)fmin(BINS - 1, fmax(0, floor(z + BINS / 2)));
        expected[bin] += probability;
        variance[bin] += probability * (1 - probability);
        positives[bin] += reading.dataset->label[r] > 0;
        rows[bin]++;
        squares += z * z;
    }
    cr_expect(epsilon_eq(dbl, squares / M, 25, 5 * 25 * sqrt(2.0 / M)), "the scores' variance");
    for (size_t b = 0; b < BINS; b++)
        cr_expect(epsilon_eq(dbl, positives[b], expected[b], 5 * sqrt(variance[b]) + 0.03 * rows[b]),
                  "bin %zu", b);
    reading_fini(&reading);
}

/* The rows of +1 are those with the largest z + logit(u), u the row's third draw. 1e-9 allows for the rounding of scores
 * below 50 by libm and by our own log, some 1e-14. */
Test(synthetic, classes_are_cut_from_noisy_scores) {
    enum { M = 1000, D = 6 };
    struct reading reading = whole_reading("type=synthetic samples=1000 features=6 balance=0.4", &classes);
    double w[D], least = INFINITY, most = -INFINITY;
    hidden_weights(w, D, 5);
    for (uint32_t r = 0; r < M; r++) {
        double u = unit_at(0, r, 2), score = dot(w, row(&reading, r), D) + log(u / (1 - u));
        if (reading.dataset->label[r] > 0)
            least = fmin(least, score);
        else
            most = fmax(most, score);
    }
    cr_expect(lt(dbl, most, least + 1e-9));
    reading_fini(&reading);
}

Test(synthetic, flipped_labels) {
    enum { M = 10000 };
    struct reading clean = whole_reading("type=synthetic samples=10000 features=3", &classes);
    struct reading noisy = whole_reading("type=synthetic samples=10000 features=3 label_noise=0.2", &classes);
    size_t flips = 0;
    for (size_t r = 0; r < M; r++)
        flips += clean.dataset->label[r] != noisy.dataset->label[r];
    cr_expect(epsilon_eq(dbl, (double)flips / M, 0.2, 5 * sqrt(0.2 * 0.8 / M)));
    reading_fini(&clean);
    reading_fini(&noisy);
}

Test(synthetic, real_labels) {
    enum { M = 10000, D = 7 };
    static const struct {
        const char *settings;
        double noise;
    } cases[] = {
        {"type=synthetic samples=10000 features=7", 0.1},
        {"type=synthetic samples=10000 features=7 label_noise=2", 2},
        {"type=synthetic samples=10000 features=7 label_noise=0", 0},
    };
    double w[D];
    hidden_weights(w, D, 1);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct reading reading = whole_reading(cases[c].settings, &reals);
        double squares = 0, noise = cases[c].noise;
        for (size_t r = 0; r < M; r++)
            squares += pow(reading.dataset->label[r] - dot(w, row(&reading, r), D), 2);
        /* 1e-28: the square of a few roundings of scores up to 5 */
        cr_expect(epsilon_eq(dbl, squares / M, noise * noise, 5 * noise * noise * sqrt(2.0 / M) + 1e-28),
                  "%s", cases[c].settings);
        reading_fini(&reading);
    }
}

Test(synthetic, skew_parts_the_classes) {
    static const struct {
        const char *settings;
        double first, last; /* share of +1 in the first and the last quarter */
        double bound;
    } cases[] = {
        {"type=synthetic samples=8000 features=3 skew=1", 0, 1, 0},
        {"type=synthetic samples=8000 features=3 skew=0", 0.5, 0.5, 5 * 0.5 / 44.7},
        /* the half that is not pooled has a share of 1/2 in each quarter: 1/4 and 3/4, from 1000 rows of 2000 */
        {"type=synthetic samples=8000 features=3 skew=0.5", 0.25, 0.75, 0.5 * 5 * 0.5 / 31.6},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct reading reading = whole_reading(cases[c].settings, &classes);
        cr_expect(
            epsilon_eq(dbl, share_of_positives(reading.dataset, 0, 2000), cases[c].first, cases[c].bound),
            "%s", cases[c].settings);
        cr_expect(
            epsilon_eq(dbl, share_of_positives(reading.dataset, 6000, 8000), cases[c].last, cases[c].bound),
            "%s", cases[c].settings);
        reading_fini(&reading);
    }
}

/* Sorting moves whole rows: without noise every label is still the score of its row. */
Test(synthetic, skew_moves_whole_rows) {
    enum { M = 1000, D = 4 };
    struct reading reading =
        whole_reading("type=synthetic samples=1000 features=4 skew=1 label_noise=0 intercept=true", &reals);
    double w[D];
    hidden_weights(w, D, 1);
    for (size_t r = 0; r < M; r++) {
        cr_expect(epsilon_eq(dbl, reading.dataset->label[r], dot(w, row(&reading, r), D), 1e-14), "row %zu",
                  r);
        cr_expect(r == 0 || reading.dataset->label[r - 1] < reading.dataset->label[r], "row %zu", r);
        cr_expect(eq(dbl, row(&reading, r)[D], 1));
    }
    reading_fini(&reading);
}

Test(synthetic, contradictions) {
    static const struct {
        const char *settings, *told;
        struct asked asked;
    } cases[] = {
        {"type=synthetic samples=9 features=2 balance=0.3",
         "s.yaml:1:1: error: balance: belongs to two classes, the loss has real labels\n",
         {1, LABEL_REAL, false}},
        {"type=synthetic samples=9 features=2 label_noise=2",
         "s.yaml:1:1: error: label_noise: with two classes it is the share of labels that are flipped: in "
         "[0, 1], found 2\n",
         {1, LABEL_CLASSES, false}},
        {"type=synthetic samples=1 features=2",
         "s.yaml:1:1: error: samples: two classes need at least two samples\n",
         {1, LABEL_CLASSES, false}},
        {"type=synthetic samples=9 features=2 skew=0.5",
         "s.yaml:1:1: error: skew: would be undone by problem.shuffle: leave one out\n",
         {1, LABEL_CLASSES, true}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct reading reading = reading_of(cases[c].settings, &cases[c].asked);
        cr_expect(reading.dataset == NULL, "%s", cases[c].settings);
        cr_expect(eq(str, reading.told, (char *)cases[c].told), "%s", cases[c].settings);
        reading_fini(&reading);
    }
}
