/* The pass that leaves slopes in place of gradients: the bits of objective_gradients, for any number of columns. */
#include "sample.h"
#include "slopes.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct shape shapes[] = {
    {"one row each", 1100, 1, 1100, DENSE},
    {"one or two rows each", 1700, 9, 1100, DENSE},
    {"seven or eight rows each", 8799, 13, 1100, DENSE},
    {"three rows each, 100 features", 3300, 100, 1100, DENSE},
    {"sparse, one row each", 1100, 7, 1100, SPARSE},
    {"sparse, three or four rows each", 3900, 33, 1100, SPARSE},
};
static const char *const losses[] = {"logistic", "linear"};
enum { SHAPES = sizeof shapes / sizeof *shapes, COLUMNS = 3 };

static bool same_bits(const double *a, const double *b, size_t length) {
    return memcmp(a, b, length * sizeof *a) == 0;
}

/* -0 and 0 are the same number, and differ where nothing was added to what is not stored. */
static bool same_numbers(const double *a, const double *b, size_t length) {
    size_t j = 0;
    while (j < length && a[j] == b[j])
        j++;
    return j == length;
}

static void expect_gradients(const char *name, const struct objective *objective, const double *w,
                             const struct slopes *slopes) {
    const size_t stride = objective->data->stride, partitions = objective->partitions;
    struct workspace *workspace = workspace_new(objective);
    double *gradient = memory_zeroed(partitions * stride, sizeof(double)),
           *loss = memory_zeroed(partitions, 8);
    double *sum = memory_zeroed(stride, sizeof(double)), *one = memory_zeroed(stride, sizeof(double)),
           losses_sum = 0;
    objective_gradients(objective, workspace, 1, w, gradient, loss);
    for (uint32_t p = 0; p < partitions; p++) {
        losses_sum += loss[p];
        vector_add_scaled(sum, 1, gradient + p * stride, stride);
        slopes_gradient(objective, slopes->slope, p, one);
        cr_expect(same_bits(one, gradient + p * stride, stride), "%s: partition %u", name, p);
    }
    cr_expect(eq(dbl, losses_sum, slopes->loss), "%s", name);
    cr_expect(same_numbers(sum, slopes->sum, stride), "%s: sum", name);
    workspace_free(workspace);
    free(gradient);
    free(loss);
    free(sum);
    free(one);
}

/* Coefficients of which some are 0 pick their partitions. */
static void expect_weighted(const char *name, const struct objective *objective,
                            const struct slopes *slopes) {
    const size_t stride = objective->data->stride, partitions = objective->partitions;
    double *coefficient = memory_zeroed(partitions, sizeof(double)),
           *one = memory_zeroed(stride, sizeof(double));
    double *sum = memory_zeroed(stride, sizeof(double)), *expected = memory_zeroed(stride, sizeof(double));
    for (uint32_t p = 0; p < partitions; p++) {
        coefficient[p] = p % 3 == 1 ? 0 : 1.0 / (p + 1);
        slopes_gradient(objective, slopes->slope, p, one);
        vector_add_scaled(expected, coefficient[p], one, stride);
    }
    slopes_add(objective, slopes->slope, coefficient, sum);
    cr_expect(same_numbers(sum, expected, stride), "%s: weighted sum", name);
    free(coefficient);
    free(one);
    free(sum);
    free(expected);
}

static void check(const char *name, const struct objective *objective) {
    const size_t stride = objective->data->stride;
    double *w = sample_weights(objective->data, COLUMNS);
    struct slopes slopes[COLUMNS];
    for (int c = 0; c < COLUMNS; c++)
        slopes[c] = (struct slopes){.w = w + c * stride,
                                    .slope = memory_zeroed(objective->data->samples, sizeof(double)),
                                    .sum = memory_zeroed(stride, sizeof(double))};
    cr_expect(slopes_serve(objective), "%s", name);
    slopes_take(objective, slopes, COLUMNS);
    for (int c = 0; c < COLUMNS; c++) {
        expect_gradients(name, objective, w + c * stride, &slopes[c]);
        expect_weighted(name, objective, &slopes[c]);
        free(slopes[c].slope);
        free(slopes[c].sum);
    }
    free(w);
}

Test(slopes, are_those_of_the_gradients) {
    for (size_t s = 0; s < SHAPES; s++)
        for (size_t l = 0; l < 2; l++) {
            const struct loss *loss = loss_named(losses[l]);
            struct dataset *data = sample_data(shapes[s], loss->labels);
            struct objective objective = {.data = data, .loss = loss, .partitions = shapes[s].partitions};
            char name[80];
            snprintf(name, sizeof name, "%s, %s", losses[l], shapes[s].name);
            check(name, &objective);
            sample_free(data);
        }
}

Test(slopes, serve_many_small_partitions_that_are_not_cut) {
    const uint32_t cut[] = {0, 1, 2};
    struct dataset data = {.samples = 8000, .stride = 8};
    struct objective objective = {.data = &data, .partitions = 1024};
    cr_expect(not(slopes_serve(&objective)), "few");
    objective.partitions = 1000 + 25;
    cr_expect(slopes_serve(&objective));
    data.samples = 8 * 1025;
    cr_expect(not(slopes_serve(&objective)), "large");
    data.samples--;
    cr_expect(slopes_serve(&objective));
    objective.cut = cut;
    objective.pieces = 2;
    cr_expect(not(slopes_serve(&objective)), "cut");
}
