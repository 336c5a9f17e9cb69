#include "cloned.h"
#include "kernel.h"
#include <string.h>

enum {
    LANES = 8,
    HELD = 7, /* vectors of a gradient kept in registers: x86-64-v3 has 16, and they take two each */
};

/* Plain loops over arrays become registers; a vector type wider than those of the processor gcc keeps in memory. */
INLINED void add_products(double *restrict sum, const double *restrict a, const double *restrict b) {
    LANE_LOOP
    for (size_t l = 0; l < LANES; l++)
        sum[l] = __builtin_fma(a[l], b[l], sum[l]);
}

INLINED void add_multiple(double *restrict sum, double a, const double *restrict b) {
    LANE_LOOP
    for (size_t l = 0; l < LANES; l++)
        sum[l] = __builtin_fma(a, b[l], sum[l]);
}

INLINED double lanes_sum(const double *restrict lane) {
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* One row at a time: a single sequential stream is what hardware prefetchers follow best, and the processor
 * overlaps the rows by itself. Both halves ask for a half of the rows that come next, every other cache line, so that
 * memory is never idle; prefetchers bring a line's neighbour along. */
CLONED static void dense_scores(const struct dataset *data, struct row_list list, const double *w,
                                double *score) {
    const size_t ahead = list.ahead * data->stride;
    for (size_t r = 0; r < list.rows; r++) {
        const double *row = data->row + list.row[r] * data->stride;
        double sum[LANES] = {0};
        if (ahead)
            for (size_t j = 0; j < data->stride; j += 2 * LANES)
                __builtin_prefetch(row + ahead + j, 0, 2);
        for (size_t j = 0; j < data->stride; j += LANES)
            add_products(sum, row + j, w + j);
        score[r] = lanes_sum(sum);
    }
}

/* Adds all rows to the `held` vectors of the gradient that begin at feature `first`. `held` is a constant where
 * this is inlined, so that the sums stay in registers. */
INLINED void add_rows_to(const size_t held, size_t first, const struct dataset *data, struct row_list list,
                         const double *slope, double *gradient) {
    const size_t ahead = list.ahead * data->stride;
    double sum[HELD][LANES];
    memcpy(sum, gradient + first, held * sizeof *sum);
    for (size_t r = 0; r < list.rows; r++) {
        const double *row = data->row + list.row[r] * data->stride + first;
        if (ahead)
            UNROLLED for (size_t v = 1; v < held; v += 2) __builtin_prefetch(row + ahead + v * LANES, 0, 2);
        for (size_t v = 0; v < held; v++)
            add_multiple(sum[v], slope[r], row + v * LANES);
    }
    memcpy(gradient + first, sum, held * sizeof *sum);
}

/* Parts of nearly equal width, as a part of one vector would wait for every fma before the next. */
CLONED static void dense_add_rows(const struct dataset *data, struct row_list list, const double *slope,
                                  double *gradient) {
    const size_t vectors = data->stride / LANES, parts = (vectors + HELD - 1) / HELD;
    for (size_t part = 0; part < parts; part++) {
        const size_t begin = vectors * part / parts, end = vectors * (part + 1) / parts;
        const size_t first = begin * LANES;
        switch (end - begin) {
        case 1:
            add_rows_to(1, first, data, list, slope, gradient);
            break;
        case 2:
            add_rows_to(2, first, data, list, slope, gradient);
            break;
        case 3:
            add_rows_to(3, first, data, list, slope, gradient);
            break;
        case 4:
            add_rows_to(4, first, data, list, slope, gradient);
            break;
        case 5:
            add_rows_to(5, first, data, list, slope, gradient);
            break;
        case 6:
            add_rows_to(6, first, data, list, slope, gradient);
            break;
        default:
            add_rows_to(HELD, first, data, list, slope, gradient);
        }
    }
}

static void scores(const struct dataset *data, struct row_list list, const void *w, double *score) {
    dense_scores(data, list, w, score);
}

static void add_rows(const struct dataset *data, struct row_list list, const double *slope,
                     double *gradient) {
    dense_add_rows(data, list, slope, gradient);
}

const struct kernel kernel_dense = {.scores = scores, .add_rows = add_rows};
