/* dependence.h: how far the times of a trace are from independent: workers that are slow throughout, and times that
 * remember the last round, or are shared by all workers of one. On the logarithms of the times. Knows no law. */
#ifndef LAGGARD_DEPENDENCE_H
#define LAGGARD_DEPENDENCE_H
#include <stdbool.h>
#include <stddef.h>

/* Logarithms of times, a row per worker; NAN where there is none. */
struct log_matrix {
    size_t workers, rounds;
    double *value; /* [workers * rounds] */
};

struct dependence {
    size_t workers, rounds; /* with at least one time */
    bool steady;            /* no worker's times differ by more than rounding */
    double variance;        /* of all logarithms */
    double between; /* of the workers' true means (analysis of variance, Searle, Casella & McCulloch 1992,
                               with the spells below in the error of a mean); 0 at least */
    double share;   /* between / (between + within); NAN with one worker, one round, or equal times */
    /* The share is at least a quarter, and beyond chance (F test at 0.1 %). A quarter was set on the second halves of
     * measured traces: on those of a cloud function, with shares of 6 to 16 %, a law of slowness predicted them worse
     * than independent times did. That slowness lasts does not decide: a worker's means of two quarters of the rounds
     * correlate by 0.4 to 0.6 there too; what fails is to make it one factor of a log-normal law. */
    bool persistent;
    double lag_1;    /* correlation of a worker's successive times; NAN where none vary, or there are none */
    double memory;   /* rounds that a time weighs in a mean: 1 + 2 sum of the correlations */
    bool remembers;  /* lag_1 is at least 0.1 and four standard errors */
    bool alternates; /* the same for -lag_1 */
    double
        common; /* part of the variance within workers that the workers of a round share, such as a slow network;
                        NAN with one worker or one round, or where no worker's times vary */
    bool shared; /* common is at least a tenth, and beyond chance (F test at 0.1 %) */
};

struct dependence dependence_of(const struct log_matrix *matrix);
/* Means of the rows; NAN for empty ones. */
void log_means(const struct log_matrix *matrix, double *mean);
#endif
