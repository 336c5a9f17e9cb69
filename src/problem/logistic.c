#include "cloned.h"
#include "elementary.h"
#include "objective.h"

enum { STRIP = 64 };

/* exp(-|label score|), at most 1. */
INLINED void strip_exponentials(double *restrict e, const double *restrict score,
                                const double *restrict label, size_t rows) {
    double shifted[STRIP], rest[STRIP];
    for (size_t r = 0; r < rows; r++) {
        double x = -__builtin_fabs(label[r] * score[r]);
        x = x < ELEMENTARY_EXP_LEAST ? ELEMENTARY_EXP_LEAST : x;
        shifted[r] = elementary_exp_shifted(x);
        rest[r] = elementary_exp_rest(x, shifted[r]);
    }
    for (size_t r = 0; r < rows; r++)
        e[r] = elementary_exp_begun(rest[r]);
    for (size_t r = 0; r < rows; r++)
        e[r] = elementary_exp_scaled(elementary_exp_ended(e[r], rest[r]), shifted[r]);
}

/* With s = label * score and e = exp(-|s|): nothing overflows, and what cancels in the textbook form is never subtracted.
 * One reciprocal of u = 1 + e serves the slope and the rounding of u, which is put back to first order as
 * elementary_log1p does; u lies in [1, 2], where elementary_log is one of two series. The one division takes as long as
 * all other operations of its loop. */
INLINED void strip_slopes(double *restrict score, double *restrict loss, const double *restrict label,
                          size_t rows) {
    double e[STRIP], part[STRIP], rounded[STRIP], inverse[STRIP];
    strip_exponentials(e, score, label, rows);
    for (size_t r = 0; r < rows; r++) {
        const double s = label[r] * score[r], u = 1 + e[r];
        const double f = (u < ELEMENTARY_ROOT2 ? u : u / 2) - 1;
        part[r] = f / (2 + f);
        inverse[r] = elementary_inverse(u);
        rounded[r] = e[r] - (u - 1);
        score[r] = s >= 0 ? e[r] : 1;
        loss[r] = s >= 0 ? 0 : -s;
    }
    for (size_t r = 0; r < rows; r++)
        part[r] = elementary_twice_atanh(part[r]);
    for (size_t r = 0; r < rows; r++) {
        const double series = part[r], twice = (series + ELEMENTARY_LN2_LOW) + ELEMENTARY_LN2_HIGH;
        const double log = 1 + e[r] < ELEMENTARY_ROOT2 ? series : twice;
        score[r] = -label[r] * (score[r] * inverse[r]);
        loss[r] += log + rounded[r] * inverse[r];
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
