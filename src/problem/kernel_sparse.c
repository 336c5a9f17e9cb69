#include "cloned.h"
#include "kernel.h"

enum { LANES = 8 };

/* The lanes take entries, not features, so that a row costs what it stores. */
CLONED static void sparse_scores(const struct dataset *data, struct row_list list, const double *w,
                                 double *score) {
    for (size_t r = 0; r < list.rows; r++) {
        const uint64_t end = data->start[list.row[r] + 1];
        uint64_t entry = data->start[list.row[r]];
        double sum[LANES] = {0};
        for (; entry + LANES <= end; entry += LANES) {
            LANE_LOOP
            for (size_t l = 0; l < LANES; l++)
                sum[l] = __builtin_fma(data->value[entry + l], w[data->column[entry + l]], sum[l]);
        }
        for (int l = 0; entry < end; l++, entry++)
            sum[l] = __builtin_fma(data->value[entry], w[data->column[entry]], sum[l]);
        score[r] = ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
    }
}

CLONED static void sparse_add_rows(const struct dataset *data, struct row_list list, const double *slope,
                                   double *gradient) {
    for (size_t r = 0; r < list.rows; r++) {
        const uint64_t end = data->start[list.row[r] + 1];
        for (uint64_t entry = data->start[list.row[r]]; entry < end; entry++) {
            double *sum = &gradient[data->column[entry]];
            *sum = __builtin_fma(data->value[entry], slope[r], *sum);
        }
    }
}

static void scores(const struct dataset *data, struct row_list list, const void *w, double *score) {
    sparse_scores(data, list, w, score);
}

static void add_rows(const struct dataset *data, struct row_list list, const double *slope,
                     double *gradient) {
    sparse_add_rows(data, list, slope, gradient);
}

const struct kernel kernel_sparse = {.scores = scores, .add_rows = add_rows};
