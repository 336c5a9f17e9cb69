#include "lockstep.h"
#include "cloned.h"
#include "gram.h"
#include "kernel.h"
#include "lockstep_kernel.h"
#include <stdlib.h>
#include <string.h>

/* Rows of a block: enough that a tile of the gradients' sums is fetched and put back seldom, few enough that the rows
 * are still near when they are added. */
enum { BLOCK_ROWS = 48, LANES = 8 };

/* Columns side by side in all arrays; more than asked for hold zeros. */
struct lockstep {
    struct arena *arena;
    const struct lockstep_kernel *kernel;
    const struct gram *gram; /* [partitions]; NULL: none */
    size_t least, most;      /* columns of one register, and of as many as are taken at once */
    size_t columns;
    double *w, *gradient;                             /* [features][columns] */
    double *offset;                                   /* [features][columns]: w from the centre of a matrix */
    double *label, *score, *losses;                   /* [BLOCK_ROWS][columns] */
    double *loss;                                     /* [columns] */
    double *lane;                                     /* [LANES][columns] */
    float *single_w, *single_score, *single_gradient; /* as above; NULL: the data is of double precision */
};

size_t lockstep_most(const struct lockstep *lockstep) {
    return lockstep->most;
}

/* Matrices are of double precision, where one register of single precision takes as many columns as two. */
static void choose_columns(struct lockstep *lockstep, const struct dataset *data) {
    lockstep->least = lockstep->kernel->register_columns;
    lockstep->most = data->single && lockstep->gram ? lockstep->least : 2 * lockstep->least;
}

static void make_arrays(struct lockstep *lockstep, const struct dataset *data) {
    struct arena *arena = lockstep->arena;
    const size_t wide = data->features * lockstep->most, high = BLOCK_ROWS * lockstep->most;
    lockstep->w = arena_zeroed(arena, wide, sizeof(double));
    lockstep->gradient = arena_zeroed(arena, wide, sizeof(double));
    lockstep->label = arena_zeroed(arena, high, sizeof(double));
    lockstep->score = arena_zeroed(arena, high, sizeof(double));
    lockstep->losses = arena_zeroed(arena, high, sizeof(double));
    lockstep->loss = arena_zeroed(arena, lockstep->most, sizeof(double));
    if (lockstep->gram) {
        lockstep->offset = arena_zeroed(arena, wide, sizeof(double));
        lockstep->lane = arena_zeroed(arena, LANES * lockstep->most, sizeof(double));
    }
    if (data->single) {
        lockstep->single_w = arena_zeroed(arena, wide, sizeof(float));
        lockstep->single_score = arena_zeroed(arena, high, sizeof(float));
        lockstep->single_gradient = arena_zeroed(arena, wide, sizeof(float));
    }
}

struct lockstep *lockstep_new(const struct objective *objective) {
    const struct lockstep_kernel *kernel = lockstep_kernel_of(objective->data);
    if (!kernel)
        return NULL;
    struct lockstep *lockstep = memory_zeroed(1, sizeof *lockstep);
    lockstep->arena = arena_new();
    lockstep->kernel = kernel;
    lockstep->gram = gram_matrices(objective);
    choose_columns(lockstep, objective->data);
    make_arrays(lockstep, objective->data);
    return lockstep;
}

void lockstep_free(struct lockstep *lockstep) {
    if (!lockstep)
        return;
    arena_free(lockstep->arena);
    free(lockstep);
}

CLONED static void widen(double *restrict wide, const float *restrict single, size_t length) {
    for (size_t j = 0; j < length; j++)
        wide[j] = (double)single[j];
}

CLONED static void narrow(float *restrict single, const double *restrict wide, size_t length) {
    for (size_t j = 0; j < length; j++)
        single[j] = (float)wide[j];
}

CLONED static void add_single(double *restrict sum, const float *restrict single, size_t length) {
    for (size_t j = 0; j < length; j++)
        sum[j] += (double)single[j];
}

static void take_weights(struct lockstep *lockstep, const struct dataset *data,
                         const struct lockstep_columns *columns) {
    lockstep->columns = columns->count > lockstep->least ? lockstep->most : lockstep->least;
    memset(lockstep->w, 0, data->features * lockstep->columns * sizeof(double));
    for (size_t c = 0; c < columns->count; c++)
        for (size_t j = 0; j < data->features; j++)
            lockstep->w[j * lockstep->columns + c] = columns->w[c * data->stride + j];
    if (data->single)
        narrow(lockstep->single_w, lockstep->w, data->features * lockstep->columns);
}

CLONED static void spread_labels(double *restrict spread, const double *restrict label, size_t rows,
                                 size_t columns) {
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            spread[r * columns + c] = label[r];
}

/* Row after row, the sums of as many columns as lanes at a time. */
CLONED static void add_losses(double *restrict loss, const double *restrict losses, size_t rows,
                              size_t columns) {
    for (size_t c = 0; c < columns; c += LANES) {
        double sum[LANES];
        memcpy(sum, loss + c, sizeof sum);
        for (size_t r = 0; r < rows; r++) {
            LANE_LOOP
            for (size_t l = 0; l < LANES; l++)
                sum[l] += losses[r * columns + c + l];
        }
        memcpy(loss + c, sum, sizeof sum);
    }
}

/* Scores become slopes, and losses are added. */
static void take_slopes(struct lockstep *lockstep, const struct objective *objective, uint32_t first,
                        uint32_t rows) {
    const size_t columns = lockstep->columns;
    spread_labels(lockstep->label, objective->data->label + first, rows, columns);
    objective->loss->slopes(lockstep->score, lockstep->losses, lockstep->label, rows * columns);
    add_losses(lockstep->loss, lockstep->losses, rows, columns);
}

static void add_block(struct lockstep *lockstep, const struct objective *objective, uint32_t first,
                      uint32_t rows) {
    const struct lockstep_block block = {
        objective->data, first, rows, lockstep->columns, lockstep->w, lockstep->score, lockstep->gradient};
    lockstep->kernel->scores(&block);
    take_slopes(lockstep, objective, first, rows);
    lockstep->kernel->add_rows(&block);
}

static void add_single_block(struct lockstep *lockstep, const struct objective *objective, uint32_t first,
                             uint32_t rows) {
    const size_t cells = rows * lockstep->columns, sums = objective->data->features * lockstep->columns;
    const struct lockstep_block block = {
        objective->data,          first, rows, lockstep->columns, lockstep->single_w, lockstep->single_score,
        lockstep->single_gradient};
    lockstep->kernel->scores(&block);
    widen(lockstep->score, lockstep->single_score, cells);
    take_slopes(lockstep, objective, first, rows);
    narrow(lockstep->single_score, lockstep->score, cells);
    memset(lockstep->single_gradient, 0, sums * sizeof(float));
    lockstep->kernel->add_rows(&block);
    add_single(lockstep->gradient, lockstep->single_gradient, sums);
}

static void add_partition(struct lockstep *lockstep, const struct objective *objective, uint32_t p) {
    const bool single = objective->data->single != NULL;
    const uint32_t end = partition_begin(objective, p + 1), most = single ? SINGLE_BLOCK_ROWS : BLOCK_ROWS;
    memset(lockstep->gradient, 0, objective->data->features * lockstep->columns * sizeof(double));
    memset(lockstep->loss, 0, lockstep->columns * sizeof(double));
    for (uint32_t begin = partition_begin(objective, p), rows; begin < end; begin += rows) {
        rows = end - begin < most ? end - begin : most;
        (single ? add_single_block : add_block)(lockstep, objective, begin, rows);
    }
}

static void take_offsets(struct lockstep *lockstep, const double *centre, size_t features) {
    for (size_t j = 0; j < features; j++)
        for (size_t c = 0; c < lockstep->columns; c++)
            lockstep->offset[j * lockstep->columns + c] = lockstep->w[j * lockstep->columns + c] - centre[j];
}

/* gram_gradient, side by side: gradient = z + g, and the lanes of (z + 2 g)'u, -g being the label. */
CLONED static void take_residuals(const struct lockstep *lockstep, const double *label, size_t features) {
    const size_t columns = lockstep->columns;
    for (size_t j = 0; j < features; j++) {
        double *restrict gradient = lockstep->gradient + j * columns;
        double *restrict lane = lockstep->lane + j % LANES * columns;
        const double *restrict offset = lockstep->offset + j * columns;
        for (size_t c = 0; c < columns; c++) {
            gradient[c] -= label[j];
            lane[c] = __builtin_fma(gradient[c] - label[j], offset[c], lane[c]);
        }
    }
}

static void take_gram(struct lockstep *lockstep, const struct gram *gram) {
    const size_t columns = lockstep->columns;
    const uint32_t features = gram->square.features;
    const struct lockstep_block block = {&gram->square,      0,   features, columns, lockstep->offset,
                                         lockstep->gradient, NULL};
    memset(lockstep->lane, 0, LANES * columns * sizeof(double));
    take_offsets(lockstep, gram->centre, features);
    lockstep_kernel_of(&gram->square)->scores(&block);
    take_residuals(lockstep, gram->square.label, features);
    for (size_t c = 0; c < columns; c++)
        lockstep->loss[c] = gram_loss(gram, lockstep->lane + c, columns);
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
