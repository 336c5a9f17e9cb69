#include "cloned.h"
#include "objective.h"

CLONED static void linear_slopes(double *restrict score, double *restrict loss, const double *restrict label,
                                 size_t rows) {
    for (size_t r = 0; r < rows; r++) {
        const double residual = score[r] - label[r];
        score[r] = residual;
        loss[r] = residual * residual / 2;
    }
}

static void slopes(double *score, double *loss, const double *label, size_t rows) {
    linear_slopes(score, loss, label, rows);
}

static double bend(double score) {
    (void)score;
    return 1;
}

const struct loss loss_linear = {
    .head = {.name = "linear",
             .summary = "(z - y)^2 / 2, z = x . w: least squares",
             .source = "Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, section 3.2"},
    .labels = LABEL_REAL,
    .least_squares = true,
    .slopes = slopes,
    .bend = bend,
    .bend_least = 1,
    .bend_most = 1,
};
