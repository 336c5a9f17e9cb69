/* Gradients and losses by partition: against the slow twin, against the order of additions written out, and
 * against themselves (columns, hashes, differences). */
#include "objective.h"
#include "sample.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct shape shapes[] = {
    {"one number", 1, 1, 1, DENSE},
    {"one row", 1, 100, 1, DENSE},
    {"one feature", 70, 1, 3, DENSE},
    {"seven features", 50, 7, 4, DENSE},
    {"eight features", 65, 8, 2, DENSE},
    {"nine features, a row each", 9, 9, 9, DENSE},
    {"100 features, uneven", 100, 100, 7, DENSE},
    {"101 features, a row each", 33, 101, 33, DENSE},
    {"1000 features", 41, 1000, 2, DENSE},
    {"10000 features", 11, 10000, 1, DENSE},
    {"sparse, one feature", 20, 1, 3, SPARSE},
    {"sparse, seven features", 50, 7, 4, SPARSE},
    {"sparse, 13 features", 100, 13, 7, SPARSE},
    {"sparse, 101 features, a row each", 33, 101, 33, SPARSE},
};
static const char *const losses[] = {"logistic", "linear"};
enum { SHAPES = sizeof shapes / sizeof *shapes, LOSSES = 2 };

/* A case ready to be asked. */
struct sample {
    struct objective objective;
    struct workspace *workspace;
    size_t columns, stride;
    double *w, *gradient, *loss;
};

static struct sample sample_of(struct shape shape, const char *loss, size_t columns) {
    const struct loss *named = loss_named(loss);
    struct dataset *data = sample_data(shape, named->labels);
    const size_t cells = columns * shape.partitions;
    struct sample sample = {
        .objective = {.data = data, .loss = named, .partitions = shape.partitions},
        .columns = columns,
        .stride = data->stride,
        .w = sample_weights(data, columns),
        .gradient = memory_zeroed(cells * data->stride, sizeof(double)),
        .loss = memory_zeroed(cells, sizeof(double)),
    };
    /* What is not written stands out. */
    memset(sample.gradient, 0xff, cells * data->stride * sizeof(double));
    memset(sample.loss, 0xff, cells * sizeof(double));
    sample.workspace = workspace_new(&sample.objective);
    objective_gradients(&sample.objective, sample.workspace, columns, sample.w, sample.gradient, sample.loss);
    return sample;
}

static void sample_end(struct sample *sample) {
    sample_free((struct dataset *)sample->objective.data);
    workspace_free(sample->workspace);
    free(sample->w);
    free(sample->gradient);
    free(sample->loss);
}

typedef void check_sample(const char *name, struct sample *sample);

/* One check on every shape and loss. */
static void on_all(size_t columns, check_sample *check) {
    for (size_t s = 0; s < SHAPES; s++)
        for (size_t l = 0; l < LOSSES; l++) {
            char name[80];
            snprintf(name, sizeof name, "%s, %s", losses[l], shapes[s].name);
            struct sample sample = sample_of(shapes[s], losses[l], columns);
            check(name, &sample);
            sample_end(&sample);
        }
}

/* The tolerance is the twin's own bound on the roundings. */
static void expect_twin(const char *name, struct sample *sample) {
    const struct objective *objective = &sample->objective;
    for (uint32_t p = 0; p < objective->partitions; p++) {
        const struct known loss = twin_loss(objective, p, sample->w);
        cr_expect(le(ldbl, fabsl(sample->loss[p] - loss.value), loss.error), "%s: loss of partition %u", name,
                  p);
        const size_t some = objective->data->features / 20 + 1;
        for (size_t j = 0; j < objective->data->features; j += some) {
            const struct known g = twin_gradient(objective, p, sample->w, j);
            const double mine = sample->gradient[p * sample->stride + j];
            cr_expect(le(ldbl, fabsl(mine - g.value), g.error), "%s: partition %u, feature %zu", name, p, j);
        }
    }
}

Test(objective, agrees_with_the_slow_twin) {
    on_all(1, expect_twin);
}

static void expect_zero_padding(const char *name, struct sample *sample) {
    for (uint32_t p = 0; p < sample->objective.partitions; p++)
        for (size_t j = sample->objective.data->features; j < sample->stride; j++)
            cr_expect(zero(dbl, sample->gradient[p * sample->stride + j]), "%s: partition %u, column %zu",
                      name, p, j);
}

Test(objective, padding_is_zero) {
    on_all(1, expect_zero_padding);
}

/* Dot product as objective.h orders it, one number at a time; `position` counts what the row stores. */
static double ordered_score(const struct dataset *data, size_t r, const double *w) {
    double lane[8] = {0};
    size_t position = 0;
    for (size_t j = 0; j < data->features; j++) {
        const double x = sample_value(data, r, j);
        if (data->sparse && x == 0)
            continue;
        lane[position % 8] = fma(x, w[j], lane[position % 8]);
        position++;
    }
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

static void expect_order(const char *name, struct sample *sample) {
    const struct dataset *data = sample->objective.data;
    const double inverse = 1.0 / data->samples;
    for (uint32_t p = 0; p < sample->objective.partitions; p++) {
        double *sum = memory_zeroed(data->features, sizeof(double)), losses_sum = 0;
        const uint32_t begin = partition_begin(&sample->objective, p);
        for (uint32_t r = begin; r < begin + partition_rows(&sample->objective, p); r++) {
            double slope = ordered_score(data, r, sample->w), loss;
            sample->objective.loss->slopes(&slope, &loss, &data->label[r], 1);
            losses_sum += loss;
            for (size_t j = 0; j < data->features; j++)
                sum[j] = fma(slope, sample_value(data, r, j), sum[j]);
        }
        cr_expect(eq(dbl, sample->loss[p], losses_sum * inverse), "%s: loss of partition %u", name, p);
        for (size_t j = 0; j < data->features; j++)
            cr_expect(eq(dbl, sample->gradient[p * sample->stride + j], sum[j] * inverse),
                      "%s: partition %u, feature %zu", name, p, j);
        free(sum);
    }
}

Test(objective, adds_in_the_stated_order) {
    on_all(1, expect_order);
}

static void expect_columns_alone(const char *name, struct sample *sample) {
    const struct objective *objective = &sample->objective;
    const size_t length = objective->partitions * sample->stride;
    double *gradient = memory_zeroed(length, sizeof(double));
    double *loss = memory_zeroed(objective->partitions, sizeof(double));
    for (size_t c = 0; c < sample->columns; c++) {
        objective_gradients(objective, sample->workspace, 1, sample->w + c * sample->stride, gradient, loss);
        const int gradients_differ =
            memcmp(gradient, sample->gradient + c * length, length * sizeof *gradient);
        const int losses_differ =
            memcmp(loss, sample->loss + c * objective->partitions, objective->partitions * sizeof *loss);
        cr_expect(zero(int, gradients_differ), "%s: gradients of column %zu", name, c);
        cr_expect(zero(int, losses_differ), "%s: losses of column %zu", name, c);
    }
    free(gradient);
    free(loss);
}

Test(objective, a_column_gets_the_bits_it_gets_alone) {
    on_all(5, expect_columns_alone);
}

struct golden {
    size_t shape;
    const char *loss;
    uint64_t gradient, losses;
};

/* Every compiler, level of optimisation and instruction set must give these. */
static const struct golden golden[] = {
    {6, "logistic", 0xae696ea8d8ae9889, 0x3362707cde136487},
    {6, "linear", 0xfce936029879940c, 0x460867a327e6d887},
    {7, "logistic", 0x412d6c67b5de010d, 0x301a99778cb79dab},
    {12, "logistic", 0x5b8500555a4d7afb, 0xce834a6ae931f67c},
    {12, "linear", 0xed966e46f8537def, 0xd2be136ad0f44ae4},
};

Test(objective, bits_are_the_same_for_every_build) {
    for (size_t g = 0; g < sizeof golden / sizeof *golden; g++) {
        const struct shape shape = shapes[golden[g].shape];
        struct sample sample = sample_of(shape, golden[g].loss, 1);
        const uint64_t gradient = hash_of(sample.gradient, shape.partitions * sample.stride);
        const uint64_t losses_hash = hash_of(sample.loss, shape.partitions);
        cr_expect(eq(u64, gradient, golden[g].gradient), "%s, %s: gradients have 0x%lx", golden[g].loss,
                  shape.name, gradient);
        cr_expect(eq(u64, losses_hash, golden[g].losses), "%s, %s: losses have 0x%lx", golden[g].loss,
                  shape.name, losses_hash);
        sample_end(&sample);
    }
}

static double value_at(struct sample *sample, const double *w) {
    double *gradient = memory_zeroed(sample->objective.partitions * sample->stride, sizeof(double));
    double *loss = memory_zeroed(sample->objective.partitions, sizeof(double));
    objective_gradients(&sample->objective, sample->workspace, 1, w, gradient, loss);
    double sum = objective_penalty(&sample->objective, w);
    for (uint32_t p = 0; p < sample->objective.partitions; p++)
        sum += loss[p];
    free(gradient);
    free(loss);
    return sum;
}

/* Central differences with h = 1e-5: F is below 1000 and summed from thousands of terms, so rounding is below
 * 1000 * 1e-16 * 10 / h = 1e-7; the third derivative, below 0.1 |x|^3 < 1, adds h^2 / 6 < 1e-10. */
static void expect_differences(const char *name, struct sample *sample) {
    const double h = 1e-5;
    sample->objective.l2 = 0.3;
    double *total = memory_zeroed(sample->stride, sizeof(double));
    for (uint32_t p = 0; p < sample->objective.partitions; p++)
        vector_add_scaled(total, 1, sample->gradient + p * sample->stride, sample->stride);
    objective_add_penalty_gradient(&sample->objective, sample->w, total);
    const size_t features = sample->objective.data->features;
    for (size_t j = 0; j < features; j += features / 5 + 1) {
        const double w = sample->w[j];
        sample->w[j] = w + h;
        const double above = value_at(sample, sample->w);
        sample->w[j] = w - h;
        const double below = value_at(sample, sample->w);
        sample->w[j] = w;
        cr_expect(epsilon_eq(dbl, total[j], (above - below) / (2 * h), 1e-7), "%s: feature %zu", name, j);
    }
    free(total);
}

Test(objective, gradient_is_the_slope_of_the_objective) {
    on_all(1, expect_differences);
}

Test(objective, penalty_leaves_the_intercept_alone) {
    struct dataset data = {.samples = 4, .features = 3, .stride = 8, .intercept = true};
    struct objective objective = {.data = &data, .l2 = 0.5, .partitions = 2};
    const double w[8] = {1, 2, 100};
    double gradient[8] = {10, 20, 30};
    cr_expect(eq(dbl, objective_penalty(&objective, w), 1.25), "(0.5 / 2)(1 + 4)");
    objective_add_penalty_gradient(&objective, w, gradient);
    cr_expect(eq(dbl, gradient[0], 10.5));
    cr_expect(eq(dbl, gradient[1], 21));
    cr_expect(eq(dbl, gradient[2], 30), "the intercept");
    data.intercept = false;
    cr_expect(eq(dbl, objective_penalty(&objective, w), 2501.25), "(0.5 / 2)(1 + 4 + 10000)");
}

/* Partition p holds rows floor(p m / k) ... also where p m exceeds 32 bits. */
Test(objective, partitions_cover_the_rows) {
    static const uint32_t cases[][2] = {{1, 1}, {10, 3}, {7, 7}, {12000, 12}, {4000000000, 1000000}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const uint32_t samples = cases[c][0], partitions = cases[c][1];
        struct dataset data = {.samples = samples};
        struct objective objective = {.data = &data, .partitions = partitions};
        uint64_t next = 0;
        for (uint32_t p = 0; p < partitions; p++) {
            cr_assert(eq(u64, partition_begin(&objective, p), next), "%u of %u, partition %u", samples,
                      partitions, p);
            const uint32_t rows = partition_rows(&objective, p);
            cr_assert(le(u32, rows - samples / partitions, 1), "%u of %u, partition %u", samples, partitions,
                      p);
            next += rows;
        }
        cr_expect(eq(u64, next, samples), "%u of %u", samples, partitions);
    }
}
