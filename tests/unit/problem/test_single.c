/* Data in single precision: against the slow twin on the rounded data, several columns against one, matrices against those
 * of the same numbers in double precision; and how far a gradient is from that of double precision. */
#include "gram.h"
#include "sample.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct shape shapes[] = {
    {"one number", 1, 1, 1, SINGLE},           {"one row", 1, 100, 1, SINGLE},
    {"nine features", 70, 9, 3, SINGLE},       {"100 features, uneven", 100, 100, 7, SINGLE},
    {"more than a block", 131, 29, 1, SINGLE}, {"a row each", 33, 101, 33, SINGLE},
    {"1000 features", 41, 1000, 2, SINGLE},
};
static const char *const losses[] = {"logistic", "linear"};
enum { SHAPES = sizeof shapes / sizeof *shapes, LOSSES = 2, COLUMNS = 70 };

/* The sums of some columns at once. */
struct sums {
    double *gradient, *loss;
};

static struct sums sums_of(const struct objective *objective, size_t columns, const double *w) {
    const size_t cells = columns * objective->partitions;
    struct sums sums = {memory_zeroed(cells * objective->data->stride, sizeof(double)),
                        memory_zeroed(cells, sizeof(double))};
    struct workspace *workspace = workspace_new(objective);
    objective_gradients(objective, workspace, columns, w, sums.gradient, sums.loss);
    workspace_free(workspace);
    return sums;
}

static void sums_free(struct sums *sums) {
    free(sums->gradient);
    free(sums->loss);
}

/* The tolerance is the twin's own bound on the roundings. */
static void expect_twin(const char *name, const struct objective *objective, const double *w) {
    struct sums sums = sums_of(objective, 1, w);
    for (uint32_t p = 0; p < objective->partitions; p++) {
        const struct known loss = twin_loss(objective, p, w);
        cr_expect(le(ldbl, fabsl(sums.loss[p] - loss.value), loss.error), "%s: loss of %u", name, p);
        for (size_t j = 0; j < objective->data->features; j += objective->data->features / 20 + 1) {
            const struct known g = twin_gradient(objective, p, w, j);
            const double mine = sums.gradient[p * objective->data->stride + j];
            cr_expect(le(ldbl, fabsl(mine - g.value), g.error), "%s: partition %u, feature %zu", name, p, j);
        }
    }
    sums_free(&sums);
}

static void expect_columns_alone(const char *name, const struct objective *objective, const double *w) {
    const size_t stride = objective->data->stride, partitions = objective->partitions;
    for (size_t columns = 2; columns <= COLUMNS; columns += columns < 40 ? 1 : 15) {
        struct sums together = sums_of(objective, columns, w);
        for (size_t c = 0; c < columns; c++) {
            struct sums alone = sums_of(objective, 1, w + c * stride);
            const int differ =
                memcmp(alone.gradient, together.gradient + c * partitions * stride,
                       partitions * stride * sizeof(double)) ||
                memcmp(alone.loss, together.loss + c * partitions, partitions * sizeof(double));
            cr_expect(zero(int, differ), "%s: column %zu of %zu", name, c, columns);
            sums_free(&alone);
        }
        sums_free(&together);
    }
}

Test(single, agrees_with_the_slow_twin_and_columns_with_each_alone) {
    for (size_t s = 0; s < SHAPES; s++)
        for (size_t l = 0; l < LOSSES; l++) {
            const struct loss *loss = loss_named(losses[l]);
            struct dataset *data = sample_data(shapes[s], loss->labels);
            const struct objective objective = {
                .data = data, .loss = loss, .partitions = shapes[s].partitions};
            double *w = sample_weights(data, COLUMNS);
            char name[80];
            snprintf(name, sizeof name, "%s, %s", losses[l], shapes[s].name);
            expect_twin(name, &objective, w);
            expect_columns_alone(name, &objective, w);
            free(w);
            sample_free(data);
        }
}

/* The same numbers in double precision. */
static struct dataset *widened(const struct dataset *single) {
    struct dataset *data = memory_zeroed(1, sizeof *data);
    *data = *single;
    data->single = NULL;
    data->grams = NULL;
    data->row = memory_zeroed(single->samples * single->stride, sizeof(double));
    data->label = memory_zeroed(single->samples, sizeof(double));
    memcpy(data->label, single->label, single->samples * sizeof(double));
    for (size_t r = 0; r < single->samples; r++)
        dataset_row(single, r, data->row + r * data->stride);
    return data;
}

Test(single, matrices_are_those_of_the_same_numbers) {
    struct shape shape = {"", 131, 29, 1, SINGLE};
    struct dataset *data = sample_data(shape, LABEL_REAL), *wide = widened(data);
    data->grams = gram_store_new();
    wide->grams = gram_store_new();
    const struct objective objective = {.data = data, .loss = loss_named("linear"), .partitions = 2};
    struct objective twin = objective;
    twin.data = wide;
    double *w = sample_weights(data, COLUMNS);
    for (size_t columns = 1; columns <= COLUMNS; columns += 23) {
        struct sums sums = sums_of(&objective, columns, w), same = sums_of(&twin, columns, w);
        const int differ =
            memcmp(sums.gradient, same.gradient, columns * 2 * data->stride * sizeof(double)) ||
            memcmp(sums.loss, same.loss, columns * 2 * sizeof(double));
        cr_expect(zero(int, differ), "%zu columns", columns);
        sums_free(&sums);
        sums_free(&same);
    }
    gram_store_free(data->grams);
    gram_store_free(wide->grams);
    free(w);
    sample_free(data);
    sample_free(wide);
}

/* 20,000 rows of 100 features, rounded one by one: the error of a mean over rows shrinks as that of each row's roundings
 * does, some 2^-24 sqrt(100 / 8) of the slope, and what blocks of 32 rows add is of that order too. A sum that were of
 * single precision throughout would err by 1e-5. */
Test(single, gradient_of_many_rows_is_good_to_a_few_roundings) {
    struct shape shape = {"", 20000, 100, 1, SINGLE};
    struct dataset *data = sample_data(shape, LABEL_CLASSES), *wide = widened(data);
    const struct objective objective = {.data = data, .loss = loss_named("logistic"), .partitions = 1};
    struct objective twin = objective;
    twin.data = wide;
    double *w = sample_weights(data, 1), most = 0, largest = 0;
    struct sums sums = sums_of(&objective, 1, w), exact = sums_of(&twin, 1, w);
    for (size_t j = 0; j < data->features; j++) {
        most = fmax(most, fabs(sums.gradient[j] - exact.gradient[j]));
        largest = fmax(largest, fabs(exact.gradient[j]));
    }
    cr_expect(lt(dbl, most, 5e-7 * largest), "%g of %g", most, largest);
    cr_expect(lt(dbl, fabs(sums.loss[0] - exact.loss[0]), 5e-7 * exact.loss[0]));
    sums_free(&sums);
    sums_free(&exact);
    free(w);
    sample_free(data);
    sample_free(wide);
}
