/* ranking.h: every law fitted to one sample, best first by Akaike's criterion, and what each makes of the sample's shape
 * and of its largest times. Knows no rounds or workers. */
#ifndef LAGGARD_RANKING_H
#define LAGGARD_RANKING_H
#include "fitter.h"
#include "law.h"

/* The test of a law's shape is made on at most so many times, drawn at random, and so many samples of the law that are
 * fitted again: its price does not grow with the file. */
enum { RANKING_TESTED = 2000, RANKING_RESAMPLES = 99 };

/* What a law says of the largest 0.1 % of a sample (at least one time) and of its maximum. */
enum reach {
    REACH_FINE,
    REACH_SHORT,  /* times as long come with a probability below 1 % */
    REACH_BEYOND, /* times as short come with a probability below 1 % */
};

struct fitted {
    const struct fitter *fitter;
    double theta[FIT_PARAMETERS];
    struct node *node;                /* the law as a scenario writes it, in the ranking's arena */
    struct picked law;                /* read from the node */
    double log_likelihood, criterion; /* criterion: 2 parameters - 2 log-likelihood (Akaike 1974) */
    double
        distance; /* Kolmogorov and Smirnov's: the largest gap between the law's distribution function and the
                           sample's */
    double p_value; /* share of samples of the law, fitted again, that are at least as far from their fit
                           (parametric bootstrap; Stute, Manteiga & Quindimil 1993); NAN where not tested */
    double p_least; /* what p_value cannot be below: the sample itself is one of those counted */
    enum reach reach;
};

struct declined {
    const struct fitter *fitter;
    struct sentence why;
};

struct ranking {
    struct arena *arena;
    struct fitted *fitted; /* [laws], best first; at least one */
    size_t laws;
    struct declined *declined; /* [refusals] */
    size_t refusals;
    size_t count;  /* times that laws were fitted to */
    size_t tested; /* times that p-values are of, drawn where there are more than RANKING_TESTED; 0: none */
};

/* `seed` keys the bootstrap of `resamples` samples per law, RANKING_RESAMPLES for a table; with 0 no p-value is known. */
struct bootstrap {
    uint64_t seed;
    uint32_t resamples;
};
struct ranking *ranking_new(const struct sample *sample, struct bootstrap bootstrap);
void ranking_free(struct ranking *ranking);

/* The best law whose largest times are like the sample's, among those at most twice as far from the sample as the best;
 * NULL when there is none. */
const struct fitted *ranking_reaching(const struct ranking *ranking);

/* The largest gap between the distribution functions of a law and of a sample. */
double fit_distance(const struct picked *law, const struct sample *sample);
/* Reads a law from a node; false after writing why it is refused. */
bool fit_read_law(struct arena *arena, struct node *node, struct picked *law, struct sentence *why);
#endif
