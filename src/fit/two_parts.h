/* two_parts.h: maximum likelihood for a mixture of two densities of one kind: expectation and maximisation from
 * several starts (Dempster, Laird & Rubin 1977), then GSL's BFGS to the top, where EM crawls.
 * Knows kinds only through sums of powers. */
#ifndef LAGGARD_TWO_PARTS_H
#define LAGGARD_TWO_PARTS_H
#include "diag.h"

/* Sums over the data of a part's responsibility times 1, z, z^2. */
struct part_sums {
    double count, first, second;
};

/* A kind of density with at most two parameters. Its free coordinates may take any value. */
struct part_kind {
    size_t parameters;
    /* The logarithm of the density as c[0] + c[1] z + c[2] z^2. */
    void (*quadratic)(const double *part, double c[static 3]);
    /* The parameters of greatest likelihood. */
    void (*maximise)(const struct part_sums *sums, double *part);
    void (*to_free)(const double *part, double *free);
    void (*from_free)(const double *free, double *part);
    /* Derivatives of the log-likelihood by the free coordinates. */
    void (*slope)(const struct part_sums *sums, const double *part, double *slope);
};

struct two_parts {
    double weight; /* of the first part; the other's is 1 - weight */
    double part[2][2];
};

/* Of `count` >= 1 values, ascending, of a size near 1. The first part is the one with the smaller first parameter. False
 * after writing why there are not two: one would hold fewer than five values, or be as good as the other. */
bool two_parts_fit(const struct part_kind *kind, const double *z, size_t count, struct two_parts *best,
                   struct sentence *why);
/* The logarithm of the mixture's density. */
double two_parts_log_density(const struct part_kind *kind, const struct two_parts *mixture, double z);
#endif
