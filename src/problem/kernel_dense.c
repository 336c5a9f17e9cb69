#include "cloned.h"
#include "kernel.h"

/* May stand anywhere that a double may, and look at what is declared as doubles. */
typedef double lanes __attribute__((vector_size(64), aligned(8), may_alias));
enum {
    LANES = 8,
    HELD = 7, /* vectors of a gradient kept in registers: as many as x86-64-v3 has, at two registers each */
};

INLINED void lanes_add_product(lanes *restrict sum, const lanes *restrict a, const lanes *restrict b) {
    LANE_LOOP
    for (int l = 0; l < LANES; l++)
        (*sum)[l] = __builtin_fma((*a)[l], (*b)[l], (*sum)[l]);
}

/* ((0+4)+(2+6))+((1+5)+(3+7)): only the first lanes count, but narrower vectors would make clang cut those of the
 * products too. */
INLINED double lanes_sum(const lanes *a) {
    const lanes halves = *a + __builtin_shufflevector(*a, *a, 4, 5, 6, 7, 0, 1, 2, 3);
    const lanes quarters = halves + __builtin_shufflevector(halves, halves, 2, 3, 0, 1, 6, 7, 4, 5);
    return quarters[0] + quarters[1];
}

/* One row at a time: a single sequential stream is what hardware prefetchers follow best, and the processor
 * overlaps the rows by itself. */
CLONED static void dense_scores(const struct dataset *data, struct row_list list, const double *w,
                                double *score) {
    for (size_t r = 0; r < list.rows; r++) {
        const double *row = data->row + list.row[r] * data->stride;
        lanes sum = {0};
        for (size_t j = 0; j < data->stride; j += LANES)
            lanes_add_product(&sum, (const lanes *)(row + j), (const lanes *)(w + j));
        score[r] = lanes_sum(&sum);
    }
}

/* Adds all rows to the `held` vectors of the gradient that begin at feature `first`. `held` is a constant where
 * this is inlined, so that the sums stay in registers. */
INLINED void add_rows_to(const int held, size_t first, const struct dataset *data, struct row_list list,
                         const double *slope, double *gradient) {
    lanes sum[HELD];
    for (int v = 0; v < held; v++)
        sum[v] = ((const lanes *)(gradient + first))[v];
    for (size_t r = 0; r < list.rows; r++) {
        const lanes *row = (const lanes *)(data->row + list.row[r] * data->stride + first);
        const lanes factor = slope[r] - (lanes){0};
        for (int v = 0; v < held; v++)
            lanes_add_product(&sum[v], &factor, row + v);
    }
    for (int v = 0; v < held; v++)
        ((lanes *)(gradient + first))[v] = sum[v];
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

static void scores(const struct dataset *data, struct row_list list, const double *w, double *score) {
    dense_scores(data, list, w, score);
}

static void add_rows(const struct dataset *data, struct row_list list, const double *slope,
                     double *gradient) {
    dense_add_rows(data, list, slope, gradient);
}

const struct kernel kernel_dense = {.scores = scores, .add_rows = add_rows};
