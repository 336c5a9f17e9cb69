#include "cloned.h"
#include "elementary.h"
#include "objective.h"

enum { STRIP = 64 };

/* With s = label * score and e = exp(-|s|), which is at most 1: nothing overflows, and what cancels in the
 * textbook form is never subtracted. One reciprocal serves the slope and the rounding of 1 + e, which log1p puts
 * back to first order. Two loops, as one long chain of operations leaves a processor little to do side by side. */
INLINED void strip_slopes(double *restrict score, double *restrict loss, const double *restrict label,
                          size_t rows) {
    double e[STRIP];
    for (size_t r = 0; r < rows; r++)
        e[r] = elementary_exp(-__builtin_fabs(label[r] * score[r]));
    for (size_t r = 0; r < rows; r++) {
        const double s = label[r] * score[r];
        const double u = 1 + e[r], inverse = 1 / u;
        const double log1p_e = elementary_log(u) + (e[r] - (u - 1)) * inverse;
        score[r] = -label[r] * ((s >= 0 ? e[r] : 1) * inverse);
        loss[r] = (s >= 0 ? 0 : -s) + log1p_e;
    }
}

CLONED static void logistic_slopes(double *restrict score, double *restrict loss,
                                   const double *restrict label, size_t rows) {
    size_t r = 0;
    for (; r + STRIP <= rows; r += STRIP)
        strip_slopes(score + r, loss + r, label + r, STRIP);
    strip_slopes(score + r, loss + r, label + r, rows - r);
}

static void slopes(double *score, double *loss, const double *label, size_t rows) {
    logistic_slopes(score, loss, label, rows);
}

/* sigma (1 - sigma), by the exponential that is at most 1. */
static double bend(double score) {
    const double e = elementary_exp(-__builtin_fabs(score));
    return e / ((1 + e) * (1 + e));
}

const struct loss loss_logistic = {
    .head = {.name = "logistic",
             .summary = "log(1 + exp(-y z)), z = x . w, of two classes y = -1 and +1",
             .source = "Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, section 4.4"},
    .labels = LABEL_CLASSES,
    .slopes = slopes,
    .bend = bend,
    .bend_least = 0,
    .bend_most = 0.25,
};
