/* Columns side by side against the same columns one by one: every number of them, and shapes drawn at random. */
#include "objective.h"
#include "sample.h"
#include "stream.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 40, RANDOM_SHAPES = 60 };
static const char *const losses[] = {"logistic", "linear"};

/* Gradients and losses of all columns, first what is asked for at once. */
struct sums {
    double *gradient, *loss;
};

static struct sums sums_new(const struct objective *objective, size_t columns) {
    const size_t cells = columns * objective->partitions;
    struct sums sums = {memory_zeroed(cells * objective->data->stride, sizeof(double)),
                        memory_zeroed(cells, sizeof(double))};
    /* What is not written stands out. */
    memset(sums.gradient, 0xff, cells * objective->data->stride * sizeof(double));
    memset(sums.loss, 0xff, cells * sizeof(double));
    return sums;
}

static void sums_free(struct sums *sums) {
    free(sums->gradient);
    free(sums->loss);
}

static struct sums sums_one_by_one(const struct objective *objective, const double *w, size_t columns) {
    const size_t stride = objective->data->stride, partitions = objective->partitions;
    struct sums sums = sums_new(objective, columns);
    struct workspace *workspace = workspace_new(objective);
    for (size_t c = 0; c < columns; c++)
        objective_gradients(objective, workspace, 1, w + c * stride, sums.gradient + c * partitions * stride,
                            sums.loss + c * partitions);
    workspace_free(workspace);
    return sums;
}

/* The first `columns` of the weights give the first of the sums. */
static void expect_same(const char *name, const struct objective *objective, const double *w, size_t columns,
                        const struct sums *alone) {
    const size_t cells = columns * objective->partitions;
    struct sums together = sums_new(objective, columns);
    struct workspace *workspace = workspace_new(objective);
    objective_gradients(objective, workspace, columns, w, together.gradient, together.loss);
    const int gradients_differ =
        memcmp(together.gradient, alone->gradient, cells * objective->data->stride * sizeof(double));
    const int losses_differ = memcmp(together.loss, alone->loss, cells * sizeof(double));
    cr_expect(zero(int, gradients_differ), "%s: gradients of %zu columns", name, columns);
    cr_expect(zero(int, losses_differ), "%s: losses of %zu columns", name, columns);
    workspace_free(workspace);
    sums_free(&together);
}

/* Every number of columns on one shape and loss. */
static void expect_any_number(struct shape shape, const char *loss) {
    const struct loss *named = loss_named(loss);
    struct dataset *data = sample_data(shape, named->labels);
    const struct objective objective = {.data = data, .loss = named, .partitions = shape.partitions};
    double *w = sample_weights(data, MOST_COLUMNS);
    struct sums alone = sums_one_by_one(&objective, w, MOST_COLUMNS);
    char name[120];
    snprintf(name, sizeof name, "%s, %s", loss, shape.name);
    for (size_t columns = 1; columns <= MOST_COLUMNS; columns++)
        expect_same(name, &objective, w, columns, &alone);
    sums_free(&alone);
    free(w);
    sample_free(data);
}

Test(lockstep, any_number_of_columns_gets_the_bits_each_gets_alone) {
    static const struct shape shapes[] = {
        {"one number", 1, 1, 1, DENSE},
        {"one row", 1, 100, 1, DENSE},
        {"more than a block", 131, 29, 1, DENSE},
        {"100 features", 200, 100, 3, DENSE},
        {"a row each", 17, 12, 17, DENSE},
        {"sparse, one feature", 20, 1, 3, SPARSE},
        {"sparse, 101 features", 130, 101, 2, SPARSE},
    };
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t l = 0; l < sizeof losses / sizeof *losses; l++)
            expect_any_number(shapes[s], losses[l]);
}

static uint32_t drawn(uint32_t shape, uint32_t what, uint32_t below) {
    struct draw draw = {{23, 0, PURPOSE_SAMPLE}, what, shape, 0};
    return draw_index(&draw, below);
}

Test(lockstep, shapes_at_random) {
    for (uint32_t s = 0; s < RANDOM_SHAPES; s++) {
        const uint32_t samples = 1 + drawn(s, 0, 160);
        struct shape shape = {"", samples, 1 + drawn(s, 1, 140), 1 + drawn(s, 2, samples),
                              drawn(s, 3, 2) ? SPARSE : DENSE};
        char name[80];
        snprintf(name, sizeof name, "%s %u x %u in %u", shape.layout == SPARSE ? "sparse" : "dense",
                 shape.samples, shape.features, shape.partitions);
        const struct loss *loss = loss_named(losses[drawn(s, 4, 2)]);
        struct dataset *data = sample_data(shape, loss->labels);
        const struct objective objective = {.data = data, .loss = loss, .partitions = shape.partitions};
        const size_t columns = 2 + drawn(s, 5, MOST_COLUMNS - 1);
        double *w = sample_weights(data, columns);
        struct sums alone = sums_one_by_one(&objective, w, columns);
        expect_same(name, &objective, w, columns, &alone);
        sums_free(&alone);
        free(w);
        sample_free(data);
    }
}
