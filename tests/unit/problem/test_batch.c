/* Mini-batches: which rows, in which order, and what their gradients add up to. */
#include "batch.h"
#include "sample.h"
#include "stream.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct pass {
    const char *name;
    uint32_t samples, partitions, batch;
};

static const struct pass passes[] = {
    {"even", 24, 2, 4},
    {"short last batch", 23, 2, 4},
    {"one row at a time", 7, 1, 1},
    {"all but one", 10, 1, 9},
    {"more than 65536 rows", 140001, 2, 1000},
};
enum { PASSES = sizeof passes / sizeof *passes };

/* Row numbers alone are asked for: no values are needed. */
static struct objective rows_only(struct dataset *data, struct pass pass) {
    *data = (struct dataset){.samples = pass.samples};
    return (struct objective){
        .data = data, .partitions = pass.partitions, .batch = pass.batch, .seed = 0x1234567890};
}

/* The shuffle as objective.h words it. */
static uint32_t *shuffled(const struct objective *objective, struct batch_place place, uint32_t epoch) {
    const uint32_t p = place.partition, rows = partition_rows(objective, p);
    uint32_t *row = memory_zeroed(rows, sizeof *row);
    for (uint32_t i = 0; i < rows; i++)
        row[i] = partition_begin(objective, p) + i;
    for (uint32_t i = 0; i + 1 < rows; i++) {
        struct draw draw = {{objective->seed, place.replication, PURPOSE_BATCH},
                            p + objective->partitions * (i / 65536),
                            epoch,
                            i % 65536};
        const uint32_t j = i + draw_index(&draw, rows - i), kept = row[i];
        row[i] = row[j];
        row[j] = kept;
    }
    return row;
}

Test(batch, rows_follow_the_stated_shuffle) {
    for (size_t c = 0; c < PASSES; c++) {
        struct dataset data;
        const struct objective objective = rows_only(&data, passes[c]);
        struct batch_orders *orders = batch_orders_new(&objective);
        for (uint32_t p = 0; p < objective.partitions; p++) {
            const uint32_t rows = partition_rows(&objective, p);
            const uint32_t batches = (rows + objective.batch - 1) / objective.batch;
            for (uint32_t b = 0; b < 3 * batches; b++) {
                const struct batch_place place = {3, p, b};
                uint32_t *expected = b % batches == 0 ? shuffled(&objective, place, b / batches) : NULL;
                const struct row_list list = batch_rows(orders, &objective, place);
                const uint32_t first = b % batches * objective.batch;
                const uint32_t used = rows - first < objective.batch ? rows - first : objective.batch;
                cr_assert(eq(sz, list.rows, used), "%s: rows of batch %u", passes[c].name, b);
                if (expected)
                    cr_expect(zero(int, memcmp(list.row, expected, rows * sizeof *expected)),
                              "%s: epoch at batch %u", passes[c].name, b);
                free(expected);
            }
        }
        batch_orders_free(orders);
    }
}

Test(batch, an_epoch_takes_every_row_once) {
    for (size_t c = 0; c < PASSES; c++) {
        struct dataset data;
        const struct objective objective = rows_only(&data, passes[c]);
        struct batch_orders *orders = batch_orders_new(&objective);
        unsigned char *taken = memory_zeroed(data.samples, 1);
        for (uint32_t p = 0; p < objective.partitions; p++) {
            const uint32_t batches = (partition_rows(&objective, p) - 1) / objective.batch + 1;
            for (uint32_t b = batches; b < 2 * batches; b++) {
                const struct row_list list = batch_rows(orders, &objective, (struct batch_place){0, p, b});
                for (size_t r = 0; r < list.rows; r++)
                    taken[list.row[r]]++;
            }
        }
        for (uint32_t r = 0; r < data.samples; r++)
            cr_assert(eq(int, taken[r], 1), "%s: row %u", passes[c].name, r);
        free(taken);
        batch_orders_free(orders);
    }
}

/* Whatever else was asked for in between. */
Test(batch, rows_depend_on_the_place_alone) {
    struct dataset data;
    const struct objective objective = rows_only(&data, passes[1]);
    struct batch_orders *orders = batch_orders_new(&objective), *fresh;
    static const struct batch_place places[] = {{0, 0, 0}, {0, 0, 4}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1},
                                                {0, 0, 1}, {1, 1, 7}, {0, 0, 4}, {0, 1, 1}};
    for (size_t a = 0; a < sizeof places / sizeof *places; a++) {
        const struct row_list list = batch_rows(orders, &objective, places[a]);
        fresh = batch_orders_new(&objective);
        const struct row_list alone = batch_rows(fresh, &objective, places[a]);
        cr_assert(eq(sz, list.rows, alone.rows), "request %zu", a);
        cr_expect(zero(int, memcmp(list.row, alone.row, list.rows * sizeof *list.row)), "request %zu", a);
        batch_orders_free(fresh);
    }
    batch_orders_free(orders);
}

/* Each of 6 rows stands first in 12000 orders about equally often: chi-square of 5 degrees of freedom stays below
 * 35.9 but for one seed in a million. So it does over replications and over epochs. */
Test(batch, every_row_is_equally_likely) {
    struct dataset data;
    const struct objective objective = rows_only(&data, (struct pass){"six", 6, 1, 2});
    for (int by_epoch = 0; by_epoch < 2; by_epoch++) {
        struct batch_orders *orders = batch_orders_new(&objective);
        double first[6] = {0}, chi_square = 0;
        for (uint32_t n = 0; n < 12000; n++) {
            const struct batch_place place = {by_epoch ? 0 : n, 0, by_epoch ? 3 * n : 0};
            first[batch_rows(orders, &objective, place).row[0]]++;
        }
        for (int r = 0; r < 6; r++)
            chi_square += (first[r] - 2000) * (first[r] - 2000) / 2000;
        cr_expect(lt(dbl, chi_square, 35.9), "%s", by_epoch ? "epochs" : "replications");
        batch_orders_free(orders);
    }
}

struct gradient_case {
    struct shape shape;
    const char *loss;
    uint32_t batch;
};

static const struct gradient_case gradients[] = {
    {{"dense", 103, 13, 4, DENSE}, "logistic", 5},
    {{"sparse", 103, 13, 4, SPARSE}, "linear", 25},
    {{"longer than a block", 400, 9, 3, DENSE}, "linear", 77},
};
enum { GRADIENTS = sizeof gradients / sizeof *gradients };

/* The batches of an epoch, each weighted by its rows, are the whole gradient: sum over b of
 * (rows used / rows of p) g_b = g_p, to the roundings of a few hundred terms below 10 each. */
Test(batch, gradients_of_an_epoch_add_up) {
    for (size_t c = 0; c < GRADIENTS; c++) {
        const struct loss *loss = loss_named(gradients[c].loss);
        struct dataset *data = sample_data(gradients[c].shape, loss->labels);
        const struct objective objective = {.data = data,
                                            .loss = loss,
                                            .partitions = gradients[c].shape.partitions,
                                            .batch = gradients[c].batch,
                                            .seed = 5};
        struct workspace *workspace = workspace_new(&objective);
        double *w = sample_weights(data, 1), *gradient = memory_zeroed(data->stride, sizeof(double));
        for (uint32_t p = 0; p < objective.partitions; p++) {
            const uint32_t rows = partition_rows(&objective, p), batch = objective.batch;
            double *sum = memory_zeroed(data->stride, sizeof(double));
            for (uint32_t b = 0; b * batch < rows; b++) {
                const double used = rows - b * batch < batch ? rows - b * batch : batch;
                objective_batch_gradient(&objective, workspace, 2, p, b, w, gradient);
                vector_add_scaled(sum, used / rows, gradient, data->stride);
            }
            for (size_t j = 0; j < data->features; j++)
                cr_expect(epsilon_eq(ldbl, sum[j], twin_gradient(&objective, p, w, j).value, 1e-13),
                          "%s: partition %u, feature %zu", gradients[c].shape.name, p, j);
            free(sum);
        }
        free(w);
        free(gradient);
        workspace_free(workspace);
        sample_free(data);
    }
}

/* Without a batch, and with one that no partition exceeds. */
Test(batch, a_full_batch_has_the_bits_of_the_full_pass) {
    for (size_t c = 0; c < GRADIENTS; c++)
        for (uint32_t batch = 0; batch <= 1000; batch += 1000) {
            const struct loss *loss = loss_named(gradients[c].loss);
            struct dataset *data = sample_data(gradients[c].shape, loss->labels);
            const uint32_t partitions = gradients[c].shape.partitions;
            const struct objective objective = {
                .data = data, .loss = loss, .partitions = partitions, .batch = batch};
            struct workspace *workspace = workspace_new(&objective);
            double *w = sample_weights(data, 1), *alone = memory_zeroed(data->stride, sizeof(double));
            double *all = memory_zeroed(partitions * data->stride, sizeof(double)), *losses;
            losses = memory_zeroed(partitions, sizeof(double));
            objective_gradients(&objective, workspace, 1, w, all, losses);
            for (uint32_t p = 0; p < partitions; p++) {
                objective_batch_gradient(&objective, workspace, 0, p, 9, w, alone);
                cr_expect(zero(int, memcmp(alone, all + p * data->stride, data->stride * sizeof *alone)),
                          "%s, batch %u: partition %u", gradients[c].shape.name, batch, p);
            }
            free(w);
            free(alone);
            free(all);
            free(losses);
            workspace_free(workspace);
            sample_free(data);
        }
}
