/* regime.h: spells of slow steps as a hidden Markov chain: two states, the logarithm of a time normal in both with one
 * deviation, slow times longer by a factor; workers may have means of their own. Fitted by Baum and Welch's algorithm
 * (Rabiner, Proc. IEEE 77, 1989). Knows no law: what is left after slow times are divided by the factor is another's. */
#ifndef LAGGARD_REGIME_H
#define LAGGARD_REGIME_H
#include "dependence.h"
#include <stdint.h>

/* Whose means the fast times have. */
enum centres { CENTRE_COMMON, CENTRE_PER_WORKER };

struct regime_fit {
    double p_slow, p_recover, slowdown;
    double deviation;        /* of the logarithm within a state */
    double log_likelihood;   /* of the chain */
    double log_likelihood_1; /* of one normal law with the same centres */
    double *centre;          /* [workers] mean logarithm of fast times */
    double *slow; /* [workers * rounds] probability to have been slow; NAN where there is no time */
    bool
        shown; /* the chain beats one normal law, and two without memory, by Bayes' criterion (Schwarz 1978) */
};

/* Missing times keep their place in the chain. `matrix` has values that differ. */
struct regime_fit *regime_fit_new(const struct log_matrix *matrix, enum centres centres);
void regime_fit_free(struct regime_fit *fit);
#endif
