/* Data of a known model.
 *
 * Features. x_rj = s_j N(0, 1), independent, with variances s_j^2 = condition^(-j/(d-1)): a geometric spectrum from 1
 * down to 1/condition, so that the largest eigenvalue of the population covariance is 1 whatever the condition.
 * (Covariances that are not diagonal are rotations of this one, which gradient descent does not notice.) An entry is
 * zero with probability `sparsity`; the others are scaled by 1/sqrt(1 - sparsity), which keeps the covariance.
 *
 * Scores. z_r = x_r . w*, where w* ~ N(0, 1) is scaled so that z has the population standard deviation 5 for
 * classes (a Bayes loss near 0.25) and 1 for real labels.
 *
 * Classes. y_r = +1 with probability sigma(z_r + b), by inversion: y_r = +1 where z_r + logit(u_r) >= -b. The offset b
 * is the one with which round(balance m) rows, at least one and at most m - 1, are +1. Then each label is flipped
 * with probability `label_noise`.
 *
 * Real labels. y_r = z_r + label_noise N(0, 1).
 *
 * Skew. Of every 1/skew rows one belongs to a pool, evenly spread over the rows; the pool is sorted by label (ties by
 * row) and put back into its places, so each partition holds a share `skew` of rows from its own part of the
 * sorted labels, and else rows as drawn. */
#include "elementary.h"
#include "source.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLASS_SPREAD 5.0
#define REAL_SPREAD  1.0
#define REAL_NOISE   0.1

struct synthetic {
    uint32_t samples, features;
    uint64_t seed;
    double condition, balance, label_noise, sparsity, skew;
    bool intercept;
};

/* Numbers of the draws at (worker = feature, step = row); labels draw at feature 0, weights at row 0. */
enum { DRAW_VALUE, DRAW_MASK, DRAW_LABEL, DRAW_FLIP, DRAW_WEIGHT };

struct generator {
    const struct synthetic *wish;
    struct stream stream;
    enum label_kind labels;
    double label_noise;
    double *spread, *weight; /* [features]: standard deviation of an entry that is not zero; w* */
};

static double unit_at(const struct generator *generator, uint32_t feature, uint32_t row, uint32_t number) {
    struct draw draw = {.stream = generator->stream, .worker = feature, .step = row, .draw = number};
    return draw_unit(&draw);
}

static void generator_init(struct generator *generator, const struct synthetic *wish,
                           const struct data_request *request) {
    uint64_t seed = node_child(request->node, "seed") ? wish->seed : request->seed;
    bool classes = request->labels == LABEL_CLASSES;
    *generator = (struct generator){
        .wish = wish,
        .stream = {.seed = seed, .purpose = PURPOSE_DATA},
        .labels = request->labels,
        .label_noise = isnan(wish->label_noise) ? (classes ? 0 : REAL_NOISE) : wish->label_noise,
        .spread = memory_zeroed(wish->features, sizeof(double)),
        .weight = memory_zeroed(wish->features, sizeof(double)),
    };
    double variance = 0, kept = 1 - wish->sparsity, steps = wish->features > 1 ? wish->features - 1.0 : 1.0;
    for (uint32_t j = 0; j < wish->features; j++) {
        double eigenvalue = elementary_pow(wish->condition, -(double)j / steps);
        double weight = normal_quantile(unit_at(generator, j, 0, DRAW_WEIGHT));
        generator->spread[j] = sqrt(eigenvalue / kept);
        generator->weight[j] = weight;
        variance += eigenvalue * weight * weight;
    }
    double scale = (classes ? CLASS_SPREAD : REAL_SPREAD) / sqrt(variance);
    for (uint32_t j = 0; j < wish->features; j++)
        generator->weight[j] *= scale;
}

static void generator_fini(struct generator *generator) {
    free(generator->spread);
    free(generator->weight);
}

/* Fills one row and returns its score. */
static double fill_row(const struct generator *generator, uint32_t r, double *x) {
    const struct synthetic *wish = generator->wish;
    double score = 0;
    for (uint32_t j = 0; j < wish->features; j++) {
        if (wish->sparsity > 0 && unit_at(generator, j, r, DRAW_MASK) < wish->sparsity)
            continue;
        x[j] = generator->spread[j] * normal_quantile(unit_at(generator, j, r, DRAW_VALUE));
        score += x[j] * generator->weight[j];
    }
    return score;
}

/* z + logit(u) for classes, z + noise for real labels. */
static double noisy_label(const struct generator *generator, uint32_t r, double score) {
    double u = unit_at(generator, 0, r, DRAW_LABEL);
    if (generator->labels == LABEL_CLASSES)
        return score + elementary_log(u) - elementary_log(1 - u);
    return score + generator->label_noise * normal_quantile(u);
}

static int by_size(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The smallest noisy score that is +1. */
static double class_threshold(const double *score, uint32_t samples, double balance) {
    double positives = floor(balance * samples + 0.5);
    positives = fmax(1, fmin(positives, samples - 1.0));
    double *sorted = memory_zeroed(samples, sizeof *sorted);
    memcpy(sorted, score, samples * sizeof *sorted);
    qsort(sorted, samples, sizeof *sorted, by_size);
    double threshold = sorted[samples - (size_t)positives];
    free(sorted);
    return threshold;
}

static void classify(const struct generator *generator, double *label) {
    uint32_t samples = generator->wish->samples;
    double threshold = class_threshold(label, samples, generator->wish->balance);
    for (uint32_t r = 0; r < samples; r++) {
        bool positive = label[r] >= threshold;
        if (generator->label_noise > 0)
            positive ^= unit_at(generator, 0, r, DRAW_FLIP) < generator->label_noise;
        label[r] = positive ? 1 : -1;
    }
}

struct pooled {
    double label;
    uint32_t row;
};

static int by_label(const void *left, const void *right) {
    const struct pooled *a = left, *b = right;
    int order = (a->label > b->label) - (a->label < b->label);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* Row r is where the count floor(skew r) of pooled rows steps up. */
static bool in_pool(double skew, uint32_t r) {
    return floor((r + 1.0) * skew) > floor(r * skew);
}

static void sort_pool(struct dataset *dataset, double skew) {
    uint32_t samples = dataset->samples, *order = memory_zeroed(samples, sizeof *order);
    struct pooled *pool = memory_zeroed(samples, sizeof *pool);
    size_t pooled = 0, next = 0;
    for (uint32_t r = 0; r < samples; r++)
        if (in_pool(skew, r))
            pool[pooled++] = (struct pooled){dataset->label[r], r};
    qsort(pool, pooled, sizeof *pool, by_label);
    for (uint32_t r = 0; r < samples; r++)
        order[r] = in_pool(skew, r) ? pool[next++].row : r;
    free(pool);
    dataset_permute(dataset, order);
    free(order);
}

/* Wishes that contradict the loss or the shuffle. */
static bool wishes_agree(const struct synthetic *wish, const struct data_request *request) {
    size_t before = diag_errors(request->diag);
    bool classes = request->labels == LABEL_CLASSES;
    if (classes && wish->label_noise > 1)
        node_error(request->diag, source_node(request, "label_noise"),
                   "with two classes it is the share of labels that are flipped: in [0, 1], found %.15g",
                   wish->label_noise);
    if (classes && wish->samples < 2)
        node_error(request->diag, source_node(request, "samples"), "two classes need at least two samples");
    if (!classes && wish->balance != 0.5)
        node_error(request->diag, source_node(request, "balance"),
                   "belongs to two classes, the loss has real labels");
    if (wish->skew > 0 && request->shuffle)
        node_error(request->diag, source_node(request, "skew"),
                   "would be undone by problem.shuffle: leave one out");
    return diag_errors(request->diag) == before;
}

static struct dataset *read(const void *params, const struct data_request *request) {
    const struct synthetic *wish = params;
    if (!wishes_agree(wish, request))
        return NULL;
    struct generator generator;
    generator_init(&generator, wish, request);
    struct dataset *dataset = dataset_dense_new(wish->samples, wish->features, wish->intercept);
    for (uint32_t r = 0; r < wish->samples; r++) {
        double score = fill_row(&generator, r, dataset->row + r * dataset->stride);
        dataset->label[r] = noisy_label(&generator, r, score);
    }
    if (request->labels == LABEL_CLASSES)
        classify(&generator, dataset->label);
    if (wish->skew > 0)
        sort_pool(dataset, wish->skew);
    generator_fini(&generator);
    return dataset;
}

/* Rows, labels, and while they are made the scores. */
static bool fits_memory(const struct synthetic *wish, const struct data_request *request) {
    double most = memory_bytes_most();
    double bytes = 8.0 * wish->samples * ((double)wish->features + (wish->intercept ? 1 : 0) + 2);
    if (bytes <= most)
        return true;
    node_error(
        request->diag, source_node(request, "samples"),
        "%u samples of %u features are about %.2g GB of data, of at most %.2g GB of memory that can be had",
        wish->samples, wish->features, 1e-9 * bytes, 1e-9 * most);
    return false;
}

static struct dataset *read_if_possible(const void *params, const struct data_request *request) {
    return fits_memory(params, request) ? read(params, request) : NULL;
}

#define AT(field) offsetof(struct synthetic, field)
static const struct param list[] = {
    {"samples", PARAM_COUNT, AT(samples), NULL, 1, 1e9, .unit = "rows", .help = "rows of data"},
    {"features", PARAM_COUNT, AT(features), NULL, 1, 1e6, .help = "columns, the intercept not counted"},
    {"seed", PARAM_SEED, AT(seed), "", .help = "seed of the data; left out: the scenario's"},
    {"condition", PARAM_NUMBER, AT(condition), "1", 1, 1e12,
     .help = "largest over smallest eigenvalue of the population covariance; the largest is 1"},
    {"balance", PARAM_NUMBER, AT(balance), "0.5", 0.001, 0.999,
     .help = "two classes: share of rows with the larger label, before flips"},
    {"label_noise", PARAM_NUMBER, AT(label_noise), "", 0,
     .help = "two classes: share of labels flipped (left out: 0); real labels: standard deviation of the "
             "noise, where "
             "x.w has 1 (left out: 0.1)"},
    {"sparsity", PARAM_NUMBER, AT(sparsity), "0", 0, 0.999, .help = "share of entries that are zero"},
    {"skew", PARAM_NUMBER, AT(skew), "0", 0, 1,
     .help = "how far partitions differ: the share of rows sorted by label"},
    {"intercept", PARAM_FLAG, AT(intercept), "false", .help = "add a last column of ones"},
};
static const struct param_table table = {PARAM_TABLE(struct synthetic, list)};

const struct source source_synthetic = {
    .head = {"synthetic", "normal features, labels of a known logistic or linear model",
             "a definition of this program: the head of src/problem/synthetic.c", &table},
    .read = read_if_possible,
};
