#include "lockstep.h"
#include "cloned.h"
#include "gram.h"
#include "lockstep_kernel.h"
#include <stdlib.h>
#include <string.h>

/* Rows of a block: enough that a tile of the gradients' sums is fetched and put back seldom, few enough that the rows
 * are still near when they are added. */
enum { BLOCK_ROWS = 48, LANES = 8 };

struct lockstep {
    const struct lockstep_kernel *kernel;
    const struct gram *gram;        /* [partitions]; NULL: none */
    size_t columns;                 /* side by side in the arrays below; more than asked for hold zeros */
    double *w, *gradient;           /* [features][columns] */
    double *offset;                 /* [features][columns]: w from the centre of a matrix */
    double *label, *score, *losses; /* [BLOCK_ROWS][columns] */
    double *loss;                   /* [columns] */
    double *lane;                   /* [LANES][columns] */
};

size_t lockstep_most(const struct lockstep *lockstep) {
    return 2 * lockstep->kernel->register_columns;
}

struct lockstep *lockstep_new(const struct objective *objective) {
    const struct lockstep_kernel *kernel = lockstep_kernel_of(objective->data);
    if (!kernel)
        return NULL;
    struct lockstep *lockstep = memory_zeroed(1, sizeof *lockstep);
    lockstep->kernel = kernel;
    lockstep->gram = gram_matrices(objective);
    const size_t most = lockstep_most(lockstep), features = objective->data->features;
    lockstep->w = memory_zeroed(features * most, sizeof(double));
    lockstep->gradient = memory_zeroed(features * most, sizeof(double));
    lockstep->offset = memory_zeroed(features * most, sizeof(double));
    lockstep->label = memory_zeroed(BLOCK_ROWS * most, sizeof(double));
    lockstep->score = memory_zeroed(BLOCK_ROWS * most, sizeof(double));
    lockstep->losses = memory_zeroed(BLOCK_ROWS * most, sizeof(double));
    lockstep->loss = memory_zeroed(most, sizeof(double));
    lockstep->lane = memory_zeroed(LANES * most, sizeof(double));
    return lockstep;
}

void lockstep_free(struct lockstep *lockstep) {
    if (!lockstep)
        return;
    free(lockstep->w);
    free(lockstep->gradient);
    free(lockstep->offset);
    free(lockstep->label);
    free(lockstep->score);
    free(lockstep->losses);
    free(lockstep->loss);
    free(lockstep->lane);
    free(lockstep);
}

static void take_weights(struct lockstep *lockstep, const struct dataset *data,
                         const struct lockstep_columns *columns) {
    const size_t one = lockstep->kernel->register_columns;
    lockstep->columns = columns->count > one ? 2 * one : one;
    memset(lockstep->w, 0, data->features * lockstep->columns * sizeof(double));
    for (size_t c = 0; c < columns->count; c++)
        for (size_t j = 0; j < data->features; j++)
            lockstep->w[j * lockstep->columns + c] = columns->w[c * data->stride + j];
}

static struct lockstep_block block_of(const struct lockstep *lockstep, const struct dataset *data,
                                      uint32_t first, uint32_t rows) {
    return (struct lockstep_block){.data = data,
                                   .first = first,
                                   .rows = rows,
                                   .columns = lockstep->columns,
                                   .w = lockstep->w,
                                   .score = lockstep->score,
                                   .label = lockstep->label,
                                   .losses = lockstep->losses,
                                   .gradient = lockstep->gradient,
                                   .loss = lockstep->loss};
}

static void add_block(struct lockstep *lockstep, const struct objective *objective, uint32_t first,
                      uint32_t rows) {
    const struct lockstep_block block = block_of(lockstep, objective->data, first, rows);
    lockstep->kernel->scores(&block);
    objective->loss->slopes(lockstep->score, lockstep->losses, lockstep->label, rows * lockstep->columns);
    lockstep->kernel->add_rows(&block);
}

/* Hands out what was summed over partition p. */
static void give_sums(const struct lockstep *lockstep, const struct objective *objective, uint32_t p,
                      const struct lockstep_columns *columns) {
    const struct dataset *data = objective->data;
    const double inverse_samples = 1.0 / data->samples;
    for (size_t c = 0; c < columns->count; c++) {
        const size_t cell = c * objective->partitions + p;
        double *gradient = columns->gradient + cell * data->stride;
        for (size_t j = 0; j < data->features; j++)
            gradient[j] = lockstep->gradient[j * lockstep->columns + c] * inverse_samples;
        memset(gradient + data->features, 0, (data->stride - data->features) * sizeof(double));
        columns->loss[cell] = lockstep->loss[c] * inverse_samples;
    }
}

static void add_partition(struct lockstep *lockstep, const struct objective *objective, uint32_t p) {
    const uint32_t end = partition_begin(objective, p + 1);
    memset(lockstep->gradient, 0, objective->data->features * lockstep->columns * sizeof(double));
    memset(lockstep->loss, 0, lockstep->columns * sizeof(double));
    for (uint32_t begin = partition_begin(objective, p); begin < end;) {
        const uint32_t rows = end - begin < BLOCK_ROWS ? end - begin : BLOCK_ROWS;
        add_block(lockstep, objective, begin, rows);
        begin += rows;
    }
}

static void take_offsets(struct lockstep *lockstep, const double *centre, size_t features) {
    for (size_t j = 0; j < features; j++)
        for (size_t c = 0; c < lockstep->columns; c++)
            lockstep->offset[j * lockstep->columns + c] = lockstep->w[j * lockstep->columns + c] - centre[j];
}

/* gram_gradient, side by side: gradient = z + g, and the lanes of (z + 2 g)'u. */
CLONED static void take_residuals(const struct lockstep *lockstep, size_t first, size_t rows) {
    const size_t columns = lockstep->columns;
    for (size_t j = first; j < first + rows; j++) {
        double *restrict gradient = lockstep->gradient + j * columns;
        double *restrict lane = lockstep->lane + j % LANES * columns;
        const double *restrict offset = lockstep->offset + j * columns;
        const double *restrict b = lockstep->label + (j - first) * columns;
        for (size_t c = 0; c < columns; c++) {
            gradient[c] -= b[c];
            lane[c] = __builtin_fma(gradient[c] - b[c], offset[c], lane[c]);
        }
    }
}

static void take_gram(struct lockstep *lockstep, const struct gram *gram) {
    const size_t columns = lockstep->columns;
    const uint32_t features = gram->square.features;
    memset(lockstep->lane, 0, LANES * columns * sizeof(double));
    take_offsets(lockstep, gram->centre, features);
    for (uint32_t first = 0, rows; first < features; first += rows) {
        rows = features - first < BLOCK_ROWS ? features - first : BLOCK_ROWS;
        struct lockstep_block block = block_of(lockstep, &gram->square, first, rows);
        block.w = lockstep->offset;
        block.score = lockstep->gradient + first * columns;
        lockstep->kernel->scores(&block);
        take_residuals(lockstep, first, rows);
    }
    for (size_t c = 0; c < columns; c++)
        lockstep->loss[c] = gram_loss(gram, lockstep->lane + c, columns);
}

static void pass_partition(struct lockstep *lockstep, const struct objective *objective, uint32_t p,
                           const struct lockstep_columns *columns) {
    if (lockstep->gram && lockstep->gram[p].square.row)
        take_gram(lockstep, &lockstep->gram[p]);
    else
        add_partition(lockstep, objective, p);
    give_sums(lockstep, objective, p, columns);
}

void lockstep_pass(struct lockstep *lockstep, const struct objective *objective,
                   const struct lockstep_columns *columns, enum direction direction) {
    const uint32_t partitions = objective->partitions;
    take_weights(lockstep, objective->data, columns);
    for (uint32_t visited = 0; visited < partitions; visited++)
        pass_partition(lockstep, objective, direction == FORWARD ? visited : partitions - 1 - visited,
                       columns);
}
