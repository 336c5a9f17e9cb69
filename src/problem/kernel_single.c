/* Products and the sums of a block are of single precision, sums of blocks of double: so errors do not grow with the rows. */
#include "cloned.h"
#include "kernel.h"

enum {
    LANES = 8,
    HELD = 7, /* vectors of a gradient kept in registers */
};

INLINED void add_products(float *restrict sum, const float *restrict a, const float *restrict b) {
    LANE_LOOP
    for (size_t l = 0; l < LANES; l++)
        sum[l] = __builtin_fmaf(a[l], b[l], sum[l]);
}

INLINED void add_multiple(float *restrict sum, float a, const float *restrict b) {
    LANE_LOOP
    for (size_t l = 0; l < LANES; l++)
        sum[l] = __builtin_fmaf(a, b[l], sum[l]);
}

CLONED static void single_scores(const struct dataset *data, struct row_list list, const float *w,
                                 double *score) {
    const size_t ahead = list.ahead * data->stride;
    for (size_t r = 0; r < list.rows; r++) {
        const float *row = data->single + list.row[r] * data->stride;
        if (ahead)
            for (size_t j = 0; j < data->stride; j += 4 * LANES)
                __builtin_prefetch(row + ahead + j, 0, 2);
        float sum[LANES] = {0};
        for (size_t j = 0; j < data->stride; j += LANES)
            add_products(sum, row + j, w + j);
        score[r] =
            (double)(((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7])));
    }
}

/* Adds all rows to the `held` vectors of the gradient that begin at feature `first`. `held` is a constant where
 * this is inlined, so that the sums stay in registers. */
INLINED void add_rows_to(const size_t held, size_t first, const struct dataset *data, struct row_list list,
                         const double *slope, double *gradient) {
    const size_t ahead = list.ahead * data->stride;
    float sum[HELD][LANES] = {{0}};
    for (size_t r = 0; r < list.rows; r++) {
        const float *row = data->single + list.row[r] * data->stride + first;
        if (ahead)
            UNROLLED for (size_t v = 2; v < held; v += 4) __builtin_prefetch(row + ahead + v * LANES, 0, 2);
        for (size_t v = 0; v < held; v++)
            add_multiple(sum[v], (float)slope[r], row + v * LANES);
    }
    for (size_t v = 0; v < held; v++)
        for (size_t l = 0; l < LANES; l++)
            gradient[first + v * LANES + l] += (double)sum[v][l];
}

CLONED static void single_add_rows(const struct dataset *data, struct row_list list, const double *slope,
                                   double *gradient) {
    size_t j = 0;
    for (; j + HELD * LANES <= data->stride; j += HELD * LANES)
        add_rows_to(HELD, j, data, list, slope, gradient);
    for (; j + 3 * LANES <= data->stride; j += 3 * LANES)
        add_rows_to(3, j, data, list, slope, gradient);
    for (; j < data->stride; j += LANES)
        add_rows_to(1, j, data, list, slope, gradient);
}

static void scores(const struct dataset *data, struct row_list list, const void *w, double *score) {
    single_scores(data, list, w, score);
}

static void add_rows(const struct dataset *data, struct row_list list, const double *slope,
                     double *gradient) {
    single_add_rows(data, list, slope, gradient);
}

const struct kernel kernel_single = {.scores = scores, .add_rows = add_rows};
