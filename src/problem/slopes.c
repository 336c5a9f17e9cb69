#include "slopes.h"
#include "cloned.h"
#include "kernel.h"
#include <stdlib.h>
#include <string.h>

enum {
    PARTITIONS_FEW = 1024, /* gradients that a cache holds */
    ROWS_MANY = 8,         /* of a partition: its gradient takes little beside them */
    BLOCK_ROWS = 32,       /* that meet all columns while they are in the nearest cache */
    LANES = 8,
    HELD =
        3, /* vectors of a sum, and of a partition's own, in registers: x86-64-v3 has 16, and they take two each */
};

/* Partitions of a file's own pieces may be of any size; sums of single precision have an order of their own. */
bool slopes_serve(const struct objective *objective) {
    return !objective->cut && !objective->data->single && objective->partitions > PARTITIONS_FEW &&
           objective->data->samples / objective->partitions < ROWS_MANY;
}

/* Some partitions, ascending, of at least a row each. */
struct stretch {
    uint32_t partitions;
    uint32_t begin[BLOCK_ROWS], end[BLOCK_ROWS]; /* [partitions]: their rows */
    double coefficient[BLOCK_ROWS];              /* [partitions]: what their gradients are multiplied by */
};

/* Those from `next` on that fit a block; returns the one after. */
static uint32_t stretch_fill(struct stretch *stretch, const struct objective *objective, uint32_t next) {
    stretch->partitions = 0;
    for (uint32_t begin = partition_begin(objective, next), rows = 0, end; next < objective->partitions;
         next++, begin = end) {
        end = partition_begin(objective, next + 1);
        rows += end - begin;
        if (rows > BLOCK_ROWS)
            break;
        stretch->begin[stretch->partitions] = begin;
        stretch->end[stretch->partitions] = end;
        stretch->coefficient[stretch->partitions++] = 1;
    }
    return next;
}

/* The next ones from `next` on with a coefficient that is not 0; returns the one after. */
static uint32_t stretch_pick(struct stretch *stretch, const struct objective *objective,
                             const double *coefficient, uint32_t next) {
    stretch->partitions = 0;
    for (; next < objective->partitions && stretch->partitions < BLOCK_ROWS; next++) {
        if (coefficient[next] == 0)
            continue;
        stretch->begin[stretch->partitions] = partition_begin(objective, next);
        stretch->end[stretch->partitions] = partition_begin(objective, next + 1);
        stretch->coefficient[stretch->partitions++] = coefficient[next];
    }
    return next;
}

/* Rows that stand one block further are on their way to a nearer cache while the present ones are added: the sums take so long
 * that the processor does not fetch ahead by itself. Past the last row nothing is read. */
INLINED void fetch_ahead(const double *row, size_t stride, size_t doubles) {
    const uintptr_t ahead = (uintptr_t)row + BLOCK_ROWS * stride * sizeof *row;
    for (size_t j = 0; j < doubles; j += LANES)
        __builtin_prefetch((const void *)(ahead + j * sizeof *row), 0, 2);
}

/* The `held` vectors of a sum from feature `first` on, over all partitions of the stretch: sum += coefficient * (inverse_samples
 * (slope[0] x_0 + slope[1] x_1 + …)) of each. `held` is a constant where this is inlined, so that sums stay in registers. */
INLINED void add_to_held(const size_t held, size_t first, const struct dataset *data,
                         const struct stretch *stretch, const double *slope, double *gradients_sum) {
    const double inverse_samples = 1.0 / data->samples;
    double sum[HELD][LANES];
    memcpy(sum, gradients_sum + first, held * sizeof *sum);
    for (uint32_t q = 0; q < stretch->partitions; q++) {
        double own[HELD][LANES] = {0};
        for (size_t r = stretch->begin[q]; r < stretch->end[q]; r++) {
            const double *row = data->row + r * data->stride + first;
            fetch_ahead(row, data->stride, held * LANES);
            for (size_t v = 0; v < held; v++) {
                LANE_LOOP
                for (size_t l = 0; l < LANES; l++)
                    own[v][l] = __builtin_fma(slope[r], row[v * LANES + l], own[v][l]);
            }
        }
        for (size_t v = 0; v < held; v++) {
            LANE_LOOP
            for (size_t l = 0; l < LANES; l++)
                sum[v][l] = __builtin_fma(stretch->coefficient[q], own[v][l] * inverse_samples, sum[v][l]);
        }
    }
    memcpy(gradients_sum + first, sum, held * sizeof *sum);
}

CLONED static void add_dense(const struct dataset *data, const struct stretch *stretch, const double *slope,
                             double *sum) {
    size_t first = 0;
    for (; first + HELD * LANES <= data->stride; first += HELD * LANES)
        add_to_held(HELD, first, data, stretch, slope, sum);
    for (; first < data->stride; first += LANES)
        add_to_held(1, first, data, stretch, slope, sum);
}

/* A partition's own sum is built up in `own`, which is zero before and after. */
static void add_sparse(const struct dataset *data, const struct stretch *stretch, const double *slope,
                       double *sum, double *own) {
    const double inverse_samples = 1.0 / data->samples;
    for (uint32_t q = 0; q < stretch->partitions; q++) {
        const uint32_t begin = stretch->begin[q], end = stretch->end[q];
        for (uint32_t r = begin; r < end; r++)
            for (uint64_t e = data->start[r]; e < data->start[r + 1]; e++)
                own[data->column[e]] = __builtin_fma(data->value[e], slope[r], own[data->column[e]]);
        for (uint64_t e = data->start[begin]; e < data->start[end]; e++) {
            const uint32_t j = data->column[e];
            sum[j] = __builtin_fma(stretch->coefficient[q], own[j] * inverse_samples, sum[j]);
            own[j] = 0;
        }
    }
}

static void add_stretch(const struct dataset *data, const struct stretch *stretch, const double *slope,
                        double *sum, double *own) {
    if (data->sparse)
        add_sparse(data, stretch, slope, sum, own);
    else
        add_dense(data, stretch, slope, sum);
}

/* What all columns of a pass have in common. */
struct pass {
    const struct objective *objective;
    struct stretch stretch;
    struct row_list list; /* the rows of the stretch, of `row` */
    uint32_t row[BLOCK_ROWS];
    double loss[BLOCK_ROWS];
    double *own; /* [stride]: zeros */
};

static void add_losses(const struct pass *pass, double *sum) {
    const double inverse_samples = 1.0 / pass->objective->data->samples;
    const double *row_loss = pass->loss;
    for (uint32_t q = 0; q < pass->stretch.partitions; q++) {
        double loss = 0;
        for (uint32_t r = pass->stretch.begin[q]; r < pass->stretch.end[q]; r++)
            loss += *row_loss++;
        *sum += loss * inverse_samples;
    }
}

static void list_rows(struct pass *pass) {
    const struct stretch *stretch = &pass->stretch;
    const uint32_t rows = stretch->end[stretch->partitions - 1] - stretch->begin[0];
    pass->list = (struct row_list){pass->row, rows, rows};
    for (uint32_t r = 0; r < rows; r++)
        pass->row[r] = stretch->begin[0] + r;
}

static void take_stretch(struct pass *pass, struct slopes *column) {
    const struct dataset *data = pass->objective->data;
    const uint32_t first = pass->stretch.begin[0];
    kernel_of(data)->scores(data, pass->list, column->w, column->slope + first);
    pass->objective->loss->slopes(column->slope + first, pass->loss, data->label + first, pass->list.rows);
    add_losses(pass, &column->loss);
    add_stretch(data, &pass->stretch, column->slope, column->sum, pass->own);
}

void slopes_take(const struct objective *objective, struct slopes *column, size_t columns) {
    const size_t stride = objective->data->stride;
    struct pass pass = {.objective = objective, .own = memory_zeroed(stride, sizeof(double))};
    for (size_t c = 0; c < columns; c++) {
        memset(column[c].sum, 0, stride * sizeof(double));
        column[c].loss = 0;
    }
    for (uint32_t next = 0; next < objective->partitions;) {
        next = stretch_fill(&pass.stretch, objective, next);
        list_rows(&pass);
        for (size_t c = 0; c < columns; c++)
            take_stretch(&pass, &column[c]);
    }
    free(pass.own);
}

void slopes_gradient(const struct objective *objective, const double *slope, uint32_t partition,
                     double *gradient) {
    const struct dataset *data = objective->data;
    const uint32_t begin = partition_begin(objective, partition);
    const uint32_t rows = partition_rows(objective, partition);
    uint32_t row[BLOCK_ROWS];
    for (uint32_t r = 0; r < rows; r++)
        row[r] = begin + r;
    memset(gradient, 0, data->stride * sizeof *gradient);
    kernel_of(data)->add_rows(data, (struct row_list){row, rows, 0}, slope + begin, gradient);
    for (size_t j = 0; j < data->stride; j++)
        gradient[j] *= 1.0 / data->samples;
}

void slopes_add(const struct objective *objective, const double *slope, const double *coefficient,
                double *sum) {
    double *own = memory_zeroed(objective->data->stride, sizeof *own);
    struct stretch stretch;
    for (uint32_t next = 0; next < objective->partitions;) {
        next = stretch_pick(&stretch, objective, coefficient, next);
        add_stretch(objective->data, &stretch, slope, sum, own);
    }
    free(own);
}
