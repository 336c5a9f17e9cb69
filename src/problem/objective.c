#include "objective.h"
#include "batch.h"
#include "gram.h"
#include "lockstep.h"
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_ROWS = SINGLE_BLOCK_ROWS, /* enough that the sums of a gradient are fetched and put back seldom */
    BLOCK_ROWS_LEAST = 8,
    LOCKSTEP_LEAST = 3,   /* columns; fewer are faster one by one */
    BLOCK_BYTES = 32768,  /* a block is read twice, the second time from the nearest cache */
    NEAR_BYTES = 4 << 20, /* data that the cores' own caches hold */
};

struct workspace {
    uint32_t block_rows;
    bool far;                  /* the data is worth asking for a block ahead */
    enum direction direction;  /* of the next full pass */
    struct lockstep *lockstep; /* NULL: not yet asked for */
    const struct gram *gram;   /* [partitions], NULL: none, or not yet asked for */
    bool gram_asked;
    double *offset;      /* [stride] */
    const void *weights; /* of the column that is added, in the data's precision */
    float *narrow;       /* [stride] */
    struct batch_orders *orders;
    uint32_t row[BLOCK_ROWS];
    double label[BLOCK_ROWS], slope[BLOCK_ROWS], loss[BLOCK_ROWS];
};

static uint32_t piece_begin(const struct objective *objective, uint32_t piece) {
    uint64_t units = objective->cut[objective->pieces], parts = objective->partitions / objective->pieces;
    uint64_t before = piece / objective->pieces * units + objective->cut[piece % objective->pieces];
    return (uint32_t)(before * objective->data->samples / (parts * units));
}

uint32_t partition_begin(const struct objective *objective, uint32_t partition) {
    if (objective->cut)
        return piece_begin(objective, partition);
    return (uint32_t)((uint64_t)partition * objective->data->samples / objective->partitions);
}

uint32_t partition_rows(const struct objective *objective, uint32_t partition) {
    return partition_begin(objective, partition + 1) - partition_begin(objective, partition);
}

/* In single precision blocks decide on bits, and are as long as those of several columns. */
static uint32_t block_rows(const struct dataset *data) {
    const size_t fitting = BLOCK_BYTES / (data->stride * sizeof(double));
    if (data->sparse || data->single || fitting > BLOCK_ROWS)
        return BLOCK_ROWS;
    return fitting < BLOCK_ROWS_LEAST ? BLOCK_ROWS_LEAST : (uint32_t)fitting;
}

static bool lies_far(const struct dataset *data) {
    return !data->sparse && dataset_bytes(data) > NEAR_BYTES;
}

struct workspace *workspace_new(const struct objective *objective) {
    struct workspace *workspace = memory_zeroed(1, sizeof *workspace);
    workspace->block_rows = block_rows(objective->data);
    workspace->far = lies_far(objective->data) && workspace->block_rows == BLOCK_ROWS;
    workspace->offset = memory_zeroed(objective->data->stride, sizeof(double));
    workspace->narrow = memory_zeroed(objective->data->stride, sizeof(float));
    workspace->orders = batch_orders_new(objective);
    return workspace;
}

void workspace_free(struct workspace *workspace) {
    if (!workspace)
        return;
    batch_orders_free(workspace->orders);
    lockstep_free(workspace->lockstep);
    free(workspace->offset);
    free(workspace->narrow);
    free(workspace);
}

static void take_labels(struct workspace *workspace, const struct dataset *data, struct row_list list) {
    for (size_t r = 0; r < list.rows; r++)
        workspace->label[r] = data->label[list.row[r]];
}

/* A weight vector and what is summed at it. */
struct column {
    const double *w;
    double *gradient, *loss;
};

/* Adds a block, whose labels and the column's weights have been taken. */
static void add_block(const struct objective *objective, struct workspace *workspace, struct row_list list,
                      struct column column) {
    const struct kernel *kernel = kernel_of(objective->data);
    kernel->scores(objective->data, list, workspace->weights, workspace->slope);
    objective->loss->slopes(workspace->slope, workspace->loss, workspace->label, list.rows);
    double loss = *column.loss;
    for (size_t r = 0; r < list.rows; r++)
        loss += workspace->loss[r];
    *column.loss = loss;
    kernel->add_rows(objective->data, list, workspace->slope, column.gradient);
}

static void scale_vector(double *vector, double factor, size_t length) {
    for (size_t j = 0; j < length; j++)
        vector[j] *= factor;
}

/* The block of `workspace->row` that begins at row `begin` and ends before `end` or when full. */
static struct row_list next_block(struct workspace *workspace, uint32_t begin, uint32_t end) {
    const uint32_t rows = end - begin < workspace->block_rows ? end - begin : workspace->block_rows;
    for (size_t r = 0; r < rows; r++)
        workspace->row[r] = begin + (uint32_t)r;
    return (struct row_list){workspace->row, rows, workspace->far ? rows : 0};
}

static void add_rows(const struct objective *objective, struct workspace *workspace, struct prefix prefix,
                     struct column column) {
    const uint32_t first = partition_begin(objective, prefix.partition), end = first + prefix.rows;
    for (uint32_t begin = first; begin < end;) {
        const struct row_list list = next_block(workspace, begin, end);
        take_labels(workspace, objective->data, list);
        add_block(objective, workspace, list, column);
        begin += list.rows;
    }
}

static void prefix_gradient(const struct objective *objective, struct workspace *workspace,
                            struct prefix prefix, struct column column) {
    const size_t stride = objective->data->stride;
    const double inverse_samples = 1.0 / objective->data->samples;
    memset(column.gradient, 0, stride * sizeof(double));
    *column.loss = 0;
    workspace->weights = kernel_weights(objective->data, column.w, workspace->narrow);
    add_rows(objective, workspace, prefix, column);
    scale_vector(column.gradient, inverse_samples, stride);
    *column.loss *= inverse_samples;
}

/* The matrices of a partition; NULL: its rows are added. */
static const struct gram *gram_of(const struct objective *objective, struct workspace *workspace,
                                  uint32_t partition) {
    if (!workspace->gram_asked)
        workspace->gram = gram_matrices(objective);
    workspace->gram_asked = true;
    const struct gram *gram = workspace->gram ? &workspace->gram[partition] : NULL;
    return gram && gram->square.row ? gram : NULL;
}

static void partition_gradient(const struct objective *objective, struct workspace *workspace,
                               uint32_t partition, struct column column) {
    const struct gram *gram = gram_of(objective, workspace, partition);
    if (gram) {
        gram_offset(gram, column.w, workspace->offset);
        gram_gradient(gram, workspace->offset, column.gradient, column.loss);
        scale_vector(column.gradient, 1.0 / objective->data->samples, objective->data->stride);
        *column.loss *= 1.0 / objective->data->samples;
        return;
    }
    prefix_gradient(objective, workspace, (struct prefix){partition, partition_rows(objective, partition)},
                    column);
}

void objective_prefix_gradient(const struct objective *objective, struct workspace *workspace,
                               struct prefix prefix, const double *w, double *gradient) {
    double loss = 0;
    prefix_gradient(objective, workspace, prefix, (struct column){w, gradient, &loss});
}

/* One column. */
static void single_pass(const struct objective *objective, struct workspace *workspace,
                        const struct lockstep_columns *column) {
    const uint32_t partitions = objective->partitions;
    for (uint32_t visited = 0; visited < partitions; visited++) {
        const uint32_t p = workspace->direction == FORWARD ? visited : partitions - 1 - visited;
        partition_gradient(
            objective, workspace, p,
            (struct column){column->w, column->gradient + p * objective->data->stride, column->loss + p});
    }
}

/* Columns that the next pass takes of the `left`. */
static size_t columns_taken(const struct workspace *workspace, size_t left) {
    if (!workspace->lockstep || left < LOCKSTEP_LEAST)
        return 1;
    const size_t most = lockstep_most(workspace->lockstep);
    return left < most ? left : most;
}

/* Every other pass goes from the last partition to the first: it begins with what the pass before left in the cache,
 * which saves a fifth of the time on data of twice the cache's size. */
void objective_gradients(const struct objective *objective, struct workspace *workspace, size_t columns,
                         const double *w, double *gradient, double *loss) {
    const size_t stride = objective->data->stride, partitions = objective->partitions;
    if (columns >= LOCKSTEP_LEAST && !workspace->lockstep)
        workspace->lockstep = lockstep_new(objective);
    for (size_t c = 0, taken; c < columns; c += taken) {
        taken = columns_taken(workspace, columns - c);
        const struct lockstep_columns group = {taken, w + c * stride, gradient + c * partitions * stride,
                                               loss + c * partitions};
        if (taken == 1)
            single_pass(objective, workspace, &group);
        else
            lockstep_pass(workspace->lockstep, objective, &group, workspace->direction);
        workspace->direction = workspace->direction == FORWARD ? BACKWARD : FORWARD;
    }
}

static void batch_gradient(const struct objective *objective, struct workspace *workspace,
                           struct batch_place place, struct column column) {
    const struct row_list batch = batch_rows(workspace->orders, objective, place);
    const double part = partition_rows(objective, place.partition) / (double)batch.rows;
    memset(column.gradient, 0, objective->data->stride * sizeof(double));
    workspace->weights = kernel_weights(objective->data, column.w, workspace->narrow);
    for (uint32_t r = 0; r < batch.rows; r += workspace->block_rows) {
        const uint32_t rest = batch.rows - r;
        const struct row_list list = {batch.row + r,
                                      rest < workspace->block_rows ? rest : workspace->block_rows, 0};
        take_labels(workspace, objective->data, list);
        add_block(objective, workspace, list, column);
    }
    scale_vector(column.gradient, 1.0 / objective->data->samples * part, objective->data->stride);
}

void objective_batch_gradient(const struct objective *objective, struct workspace *workspace,
                              uint32_t replication, uint32_t partition, uint32_t batch, const double *w,
                              double *gradient) {
    double loss = 0;
    if (objective->batch == 0 || objective->batch >= partition_rows(objective, partition))
        partition_gradient(objective, workspace, partition, (struct column){w, gradient, &loss});
    else
        batch_gradient(objective, workspace, (struct batch_place){replication, partition, batch},
                       (struct column){w, gradient, &loss});
}

static size_t penalized_features(const struct dataset *data) {
    return data->features - (data->intercept ? 1 : 0);
}

double objective_penalty(const struct objective *objective, const double *w) {
    double sum[8] = {0};
    const size_t features = penalized_features(objective->data);
    for (size_t j = 0; j < features; j++)
        sum[j % 8] = __builtin_fma(w[j], w[j], sum[j % 8]);
    const double square = ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
    return objective->l2 / 2 * square;
}

void objective_add_penalty_gradient(const struct objective *objective, const double *w, double *gradient) {
    vector_add_scaled(gradient, objective->l2, w, penalized_features(objective->data));
}
