#include "gram.h"
#include "cloned.h"
#include "kernel.h"
#include "lockstep_kernel.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 8, BLOCK_ROWS = 32 };
/* Of the largest diagonal element: d roundings of it, d = 1000, and some room. */
#define RIDGE 1e-12

/* The matrices of one way to cut the data. */
struct gram_set {
    struct gram_set *next;
    uint32_t partitions;
    uint32_t *begin; /* [partitions + 1] */
    struct gram *gram;
};

struct gram_store {
    pthread_mutex_t mutex;
    struct gram_set *first;
};

struct gram_store *gram_store_new(void) {
    struct gram_store *store = memory_zeroed(1, sizeof *store);
    pthread_mutex_init(&store->mutex, NULL);
    return store;
}

static void set_free(struct gram_set *set) {
    for (uint32_t p = 0; p < set->partitions; p++) {
        free(set->gram[p].square.row);
        free(set->gram[p].square.label);
        free(set->gram[p].centre);
    }
    free(set->begin);
    free(set->gram);
    free(set);
}

void gram_store_free(struct gram_store *store) {
    if (!store)
        return;
    for (struct gram_set *set = store->first, *next; set; set = next) {
        next = set->next;
        set_free(set);
    }
    pthread_mutex_destroy(&store->mutex);
    free(store);
}

static bool serves(const struct objective *objective) {
    return objective->loss->least_squares && !objective->data->sparse && objective->data->grams;
}

static bool has_rows(const struct objective *objective, uint32_t partition) {
    return partition_rows(objective, partition) > 2 * (uint64_t)objective->data->features;
}

size_t gram_bytes(const struct objective *objective) {
    const struct dataset *data = objective->data;
    size_t matrices = 0;
    for (uint32_t p = 0; serves(objective) && p < objective->partitions; p++)
        matrices += has_rows(objective, p);
    return matrices * (data->features + 2) * data->stride * sizeof(double);
}

/* In place, the lower triangle L of A = L L', row after row below the one that is done; false: A is not positive. */
CLONED static bool factorize(double *restrict a, size_t length, size_t stride) {
    for (size_t j = 0; j < length; j++) {
        if (!(a[j * stride + j] > 0))
            return false;
        const double pivot = sqrt(a[j * stride + j]);
        /* Row j holds column j of L from here on. */
        for (size_t k = j; k < length; k++)
            a[j * stride + k] /= pivot;
        for (size_t i = j + 1; i < length; i++) {
            const double factor = -a[j * stride + i];
            for (size_t k = i; k < length; k++)
                a[i * stride + k] = __builtin_fma(factor, a[j * stride + k], a[i * stride + k]);
        }
    }
    return true;
}

/* solution = L'^-1 L^-1 solution, where `a` holds the columns of L as rows. */
static void substitute(const double *a, size_t length, size_t stride, double *solution) {
    for (size_t j = 0; j < length; j++) {
        solution[j] /= a[j * stride + j];
        for (size_t k = j + 1; k < length; k++)
            solution[k] = __builtin_fma(-solution[j], a[j * stride + k], solution[k]);
    }
    for (size_t j = length; j-- > 0;) {
        for (size_t k = j + 1; k < length; k++)
            solution[j] = __builtin_fma(-solution[k], a[j * stride + k], solution[j]);
        solution[j] /= a[j * stride + j];
    }
}

/* Writes to `solution` what comes near to solving A x = b, b being the labels; a ridge keeps A positive where features
 * depend on each other. False, and x = 0: no such thing. */
static bool solve_square(const struct dataset *square, double *solution) {
    const size_t length = square->features, stride = square->stride;
    double *a = memory_zeroed(length * stride, sizeof(double)), most = 0;
    memcpy(a, square->row, length * stride * sizeof(double));
    memcpy(solution, square->label, length * sizeof(double));
    for (size_t j = 0; j < length; j++)
        most = a[j * stride + j] > most ? a[j * stride + j] : most;
    for (size_t j = 0; j < length; j++)
        a[j * stride + j] += RIDGE * most;
    bool solved = factorize(a, length, stride);
    if (solved)
        substitute(a, length, stride, solution);
    for (size_t j = 0; j < length; j++)
        solved &= isfinite(solution[j]) != 0;
    if (!solved)
        memset(solution, 0, length * sizeof(double));
    free(a);
    return solved;
}

/* A few neighbouring rows in double precision, whatever that of the data. */
struct strip {
    struct dataset rows;
    double *wide; /* [BLOCK_ROWS * stride], NULL: not needed */
};

static const uint32_t strip_row[BLOCK_ROWS] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                               11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                               22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

static struct row_list strip_list(const struct strip *strip) {
    return (struct row_list){.row = strip_row, .rows = strip->rows.samples};
}

/* The rows from `begin` on, before `end`. */
static void take_strip(struct strip *strip, const struct dataset *data, uint32_t begin, uint32_t end) {
    strip->rows.samples = end - begin < BLOCK_ROWS ? end - begin : BLOCK_ROWS;
    strip->rows.label = data->label + begin;
    if (!data->single) {
        strip->rows.row = data->row + begin * data->stride;
        return;
    }
    strip->rows.row = strip->wide;
    for (uint32_t r = 0; r < strip->rows.samples; r++)
        dataset_row(data, begin + r, strip->wide + r * data->stride);
}

/* square += X'X. Each of its rows is a sum of rows of X, as a gradient is. */
static void add_square(struct gram *gram, const struct objective *objective, const struct strip *strip) {
    const struct dataset *rows = &strip->rows;
    double factor[BLOCK_ROWS];
    (void)objective;
    for (uint32_t j = 0; j < rows->features; j++) {
        for (size_t r = 0; r < rows->samples; r++)
            factor[r] = rows->row[r * rows->stride + j];
        kernel_dense.add_rows(rows, strip_list(strip), factor, gram->square.row + j * rows->stride);
    }
}

/* Adds minus the gradient at the centre, and the loss. */
static void add_residuals(struct gram *gram, const struct objective *objective, const struct strip *strip) {
    const struct dataset *rows = &strip->rows;
    double slope[BLOCK_ROWS], loss[BLOCK_ROWS];
    kernel_dense.scores(rows, strip_list(strip), gram->centre, slope);
    objective->loss->slopes(slope, loss, rows->label, rows->samples);
    for (size_t r = 0; r < rows->samples; r++) {
        gram->constant += loss[r];
        slope[r] = -slope[r];
    }
    kernel_dense.add_rows(rows, strip_list(strip), slope, gram->square.label);
}

typedef void add_strip(struct gram *gram, const struct objective *objective, const struct strip *strip);

/* Adds the rows of partition p. */
static void add_partition(struct gram *gram, const struct objective *objective, uint32_t p, add_strip *add) {
    const struct dataset *data = objective->data;
    const uint32_t end = partition_begin(objective, p + 1);
    struct strip strip = {.rows = {.features = data->features, .stride = data->stride}};
    if (data->single)
        strip.wide = memory_zeroed(BLOCK_ROWS * data->stride, sizeof(double));
    for (uint32_t begin = partition_begin(objective, p); begin < end; begin += strip.rows.samples) {
        take_strip(&strip, data, begin, end);
        add(gram, objective, &strip);
    }
    free(strip.wide);
}

static void take_residuals(struct gram *gram, const struct objective *objective, uint32_t p) {
    memset(gram->square.label, 0, gram->square.stride * sizeof(double));
    gram->constant = 0;
    add_partition(gram, objective, p, add_residuals);
}

/* At the centre 0 the gradient is that of the labels, which the centre is found from. */
static void build(struct gram *gram, const struct objective *objective, uint32_t p) {
    const struct dataset *data = objective->data;
    gram->square = (struct dataset){.samples = data->features,
                                    .features = data->features,
                                    .stride = data->stride,
                                    .row = memory_zeroed(data->features * data->stride, sizeof(double)),
                                    .label = memory_zeroed(data->stride, sizeof(double))};
    gram->centre = memory_zeroed(data->stride, sizeof(double));
    add_partition(gram, objective, p, add_square);
    take_residuals(gram, objective, p);
    if (solve_square(&gram->square, gram->centre))
        take_residuals(gram, objective, p);
}

static struct gram_set *set_new(const struct objective *objective) {
    struct gram_set *set = memory_zeroed(1, sizeof *set);
    set->partitions = objective->partitions;
    set->begin = memory_zeroed(objective->partitions + (size_t)1, sizeof *set->begin);
    set->gram = memory_zeroed(objective->partitions, sizeof *set->gram);
    for (uint32_t p = 0; p <= objective->partitions; p++)
        set->begin[p] = partition_begin(objective, p);
    for (uint32_t p = 0; p < objective->partitions; p++)
        if (has_rows(objective, p))
            build(&set->gram[p], objective, p);
    return set;
}

static bool cuts_alike(const struct gram_set *set, const struct objective *objective) {
    if (set->partitions != objective->partitions)
        return false;
    for (uint32_t p = 0; p <= set->partitions; p++)
        if (set->begin[p] != partition_begin(objective, p))
            return false;
    return true;
}

static const struct gram_set *set_kept(struct gram_store *store, const struct objective *objective) {
    struct gram_set *set = store->first;
    while (set && !cuts_alike(set, objective))
        set = set->next;
    if (!set) {
        set = set_new(objective);
        set->next = store->first;
        store->first = set;
    }
    return set;
}

const struct gram *gram_matrices(const struct objective *objective) {
    if (gram_bytes(objective) == 0)
        return NULL;
    struct gram_store *store = objective->data->grams;
    pthread_mutex_lock(&store->mutex);
    const struct gram_set *set = set_kept(store, objective);
    pthread_mutex_unlock(&store->mutex);
    return set->gram;
}

void gram_offset(const struct gram *gram, const double *w, double *offset) {
    for (size_t j = 0; j < gram->square.stride; j++)
        offset[j] = w[j] - gram->centre[j];
}

/* gradient = z + g where z = A u came in, and the lanes of (z + 2 g)'u. */
CLONED static void take_residual(double *restrict gradient, const double *restrict offset,
                                 const struct dataset *square, double *restrict lane) {
    const double *b = square->label;
    for (size_t j = 0; j < square->stride; j += LANES) {
        LANE_LOOP
        for (size_t l = 0; l < LANES; l++) {
            gradient[j + l] -= b[j + l];
            lane[l] = __builtin_fma(gradient[j + l] - b[j + l], offset[j + l], lane[l]);
        }
    }
}

double gram_loss(const struct gram *gram, const double *lane, size_t apart) {
    const double product = ((lane[0] + lane[4 * apart]) + (lane[2 * apart] + lane[6 * apart])) +
                           ((lane[apart] + lane[5 * apart]) + (lane[3 * apart] + lane[7 * apart]));
    const double sum = product / 2 + gram->constant;
    return sum < 0 ? 0 : sum;
}

void gram_gradient(const struct gram *gram, const double *offset, double *gradient, double *loss) {
    const struct dataset *square = &gram->square;
    double lane[LANES] = {0};
    memset(gradient + square->features, 0, (square->stride - square->features) * sizeof(double));
    struct strip strip = {.rows = *square};
    for (uint32_t begin = 0; begin < square->features; begin += strip.rows.samples) {
        take_strip(&strip, square, begin, square->features);
        kernel_dense.scores(&strip.rows, strip_list(&strip), offset, gradient + begin);
    }
    take_residual(gradient, offset, square, lane);
    *loss = gram_loss(gram, lane, 1);
}
