/* Least squares by matrices against the pass over the rows, which a data set that keeps no matrices takes. */
#include "gram.h"
#include "sample.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct shape shapes[] = {
    {"one feature", 70, 1, 3, DENSE},    {"seven features", 50, 7, 2, DENSE},
    {"eight features", 65, 8, 2, DENSE}, {"100 features", 450, 100, 2, DENSE},
    {"53 features", 500, 53, 3, DENSE},  {"some partitions just large enough", 31, 5, 3, DENSE},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, COLUMNS = 20 };

/* A data set that keeps matrices, and its objective. */
static struct objective objective_of(struct shape shape, struct dataset *data) {
    data->grams = gram_store_new();
    return (struct objective){.data = data, .loss = loss_named("linear"), .partitions = shape.partitions};
}

static void end(struct dataset *data) {
    gram_store_free(data->grams);
    sample_free(data);
}

/* What the terms of a sum over the rows of partition p add up to in size: |x_rj| (|x_r| . |w| + |y_r|), or the halves
 * of the squares of the latter factor where `feature` is NULL. */
static double size_of_sum(const struct objective *objective, uint32_t p, const double *w,
                          const size_t *feature) {
    const struct dataset *data = objective->data;
    const uint32_t begin = partition_begin(objective, p), end = partition_begin(objective, p + 1);
    double sum = 0;
    for (uint32_t r = begin; r < end; r++) {
        const double *row = data->row + r * data->stride;
        double size = fabs(data->label[r]);
        for (size_t j = 0; j < data->features; j++)
            size += fabs(row[j] * w[j]);
        sum += feature ? fabs(row[*feature]) * size : size * size / 2;
    }
    return sum / data->samples;
}

/* Both ways round every term at most once for each row and each feature that comes after it, and a few times more. */
static double roundings(const struct objective *objective, uint32_t p) {
    return 2 * (partition_rows(objective, p) + objective->data->features + 8.0) * DBL_EPSILON;
}

static void expect_near(const char *name, const struct objective *objective, const double *w) {
    const size_t stride = objective->data->stride, length = objective->partitions * stride;
    double *gradient = memory_zeroed(2 * length, sizeof(double));
    double *loss = memory_zeroed(2 * objective->partitions, sizeof(double));
    struct dataset rows_only = *objective->data;
    rows_only.grams = NULL;
    struct objective twin = *objective;
    twin.data = &rows_only;
    struct workspace *workspace = workspace_new(objective), *by_rows = workspace_new(&twin);
    objective_gradients(objective, workspace, 1, w, gradient, loss);
    objective_gradients(&twin, by_rows, 1, w, gradient + length, loss + objective->partitions);
    for (uint32_t p = 0; p < objective->partitions; p++) {
        const double error = roundings(objective, p);
        cr_expect(le(dbl, fabs(loss[p] - loss[objective->partitions + p]),
                     error * size_of_sum(objective, p, w, NULL)),
                  "%s: loss of partition %u", name, p);
        for (size_t j = 0; j < objective->data->features; j++)
            cr_expect(le(dbl, fabs(gradient[p * stride + j] - gradient[length + p * stride + j]),
                         error * size_of_sum(objective, p, w, &j)),
                      "%s: partition %u, feature %zu", name, p, j);
        for (size_t j = objective->data->features; j < stride; j++)
            cr_expect(zero(dbl, gradient[p * stride + j]), "%s: partition %u, column %zu", name, p, j);
    }
    workspace_free(workspace);
    workspace_free(by_rows);
    free(gradient);
    free(loss);
}

Test(gram, agrees_with_the_pass_over_the_rows) {
    for (size_t s = 0; s < SHAPES; s++) {
        struct dataset *data = sample_data(shapes[s], LABEL_REAL);
        const struct objective objective = objective_of(shapes[s], data);
        double *w = sample_weights(data, 1);
        expect_near(shapes[s].name, &objective, w);
        free(w);
        end(data);
    }
}

Test(gram, columns_get_the_bits_they_get_alone) {
    for (size_t s = 0; s < SHAPES; s++) {
        struct dataset *data = sample_data(shapes[s], LABEL_REAL);
        const struct objective objective = objective_of(shapes[s], data);
        const size_t length = objective.partitions * data->stride;
        double *w = sample_weights(data, COLUMNS);
        double *gradient = memory_zeroed((COLUMNS + 1) * length, sizeof(double));
        double *loss = memory_zeroed((COLUMNS + 1) * objective.partitions, sizeof(double));
        double *alone = gradient + COLUMNS * length, *loss_alone = loss + COLUMNS * objective.partitions;
        struct workspace *workspace = workspace_new(&objective);
        objective_gradients(&objective, workspace, COLUMNS, w, gradient, loss);
        for (size_t c = 0; c < COLUMNS; c++) {
            objective_gradients(&objective, workspace, 1, w + c * data->stride, alone, loss_alone);
            const int differ =
                memcmp(alone, gradient + c * length, length * sizeof(double)) ||
                memcmp(loss_alone, loss + c * objective.partitions, objective.partitions * sizeof(double));
            cr_expect(zero(int, differ), "%s: column %zu", shapes[s].name, c);
        }
        workspace_free(workspace);
        free(w);
        free(gradient);
        free(loss);
        end(data);
    }
}

/* 31 rows of 5 features in 3 parts: 10, 10 and 11 rows, of which the last alone is more than twice 5. */
Test(gram, rows_and_features_alone_choose) {
    struct dataset *data = sample_data(shapes[5], LABEL_REAL);
    struct objective objective = objective_of(shapes[5], data);
    const struct gram *gram = gram_matrices(&objective);
    cr_assert(ne(ptr, (void *)gram, NULL));
    cr_expect(zero(ptr, gram[0].square.row));
    cr_expect(zero(ptr, gram[1].square.row));
    cr_expect(ne(ptr, gram[2].square.row, NULL));
    cr_expect(eq(sz, gram_bytes(&objective), (5 + 2) * 8 * sizeof(double)));
    objective.partitions = 4;
    cr_expect(zero(ptr, (void *)gram_matrices(&objective)), "7 or 8 rows");
    objective.partitions = 1;
    cr_expect(ne(ptr, (void *)gram_matrices(&objective), (void *)gram), "another cut");
    objective.partitions = 3;
    cr_expect(eq(ptr, (void *)gram_matrices(&objective), (void *)gram), "made once");
    objective.loss = loss_named("logistic");
    cr_expect(zero(ptr, (void *)gram_matrices(&objective)), "logistic");
    end(data);
}

/* Labels that some weights meet exactly, and weights 1e-4 away from those: each residual is a difference of numbers near
 * 1, exact to 1e-15, and near 1e-4, so the losses of the rows are good to some 1e-11 of themselves; those of the matrices
 * are if nothing larger cancels. At the weights themselves a loss is 0 but for rounding, and not below. */
Test(gram, small_losses_keep_their_digits) {
    struct dataset *data = sample_data(shapes[3], LABEL_REAL);
    const struct objective objective = objective_of(shapes[3], data);
    double *w = sample_weights(data, 1), *gradient = memory_zeroed(2 * data->stride, sizeof(double));
    double loss[2], by_rows[2];
    for (uint32_t r = 0; r < data->samples; r++) {
        data->label[r] = 0;
        for (size_t j = 0; j < data->features; j++)
            data->label[r] += data->row[r * data->stride + j] * w[j];
    }
    struct workspace *workspace = workspace_new(&objective);
    objective_gradients(&objective, workspace, 1, w, gradient, loss);
    cr_expect(le(dbl, 0, loss[0]));
    cr_expect(le(dbl, loss[0], 1e-25));
    for (size_t j = 0; j < data->features; j++)
        w[j] += j % 2 ? 1e-4 : -1e-4;
    objective_gradients(&objective, workspace, 1, w, gradient, loss);
    workspace_free(workspace);
    struct dataset rows_only = *data;
    rows_only.grams = NULL;
    struct objective twin = objective;
    twin.data = &rows_only;
    workspace = workspace_new(&twin);
    objective_gradients(&twin, workspace, 1, w, gradient, by_rows);
    cr_expect(le(dbl, fabs(loss[0] - by_rows[0]), 1e-10 * by_rows[0]), "%g, not %g", loss[0], by_rows[0]);
    cr_expect(lt(dbl, by_rows[0], 1e-5));
    workspace_free(workspace);
    free(w);
    free(gradient);
    end(data);
}
