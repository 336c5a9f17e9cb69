/* cluster_fit.h: from measured times to a cluster of a scenario: which dependence the times show, the laws of what is
 * left when it is taken out, and the mapping that `laggard run` reads.
 *
 *     time = (b load + law) x slowness of the worker x slowdown of a slow spell
 *
 * Times of 0, which no law with a density has, are a part of the law of their own: dependence and laws are those of the
 * others.
 *
 * Knows laws and worker groups as text; the engine that plays them is not needed to estimate them. */
#ifndef LAGGARD_CLUSTER_FIT_H
#define LAGGARD_CLUSTER_FIT_H
#include "load_line.h"
#include "ranking.h"
#include "regime.h"

/* What a model may take out of the times before laws are fitted. */
enum model {
    MODEL_SHOWN,       /* what the data shows beyond chance and to a material amount */
    MODEL_INDEPENDENT, /* nothing: one law */
    MODEL_PERSISTENT,  /* slowness */
    MODEL_REGIME,      /* slowness when shown, and spells */
};

/* How slowness is written. */
enum slowness_form {
    SLOWNESS_LAW, /* a law, for a cluster of other workers like these */
    SLOWNESS_OWN, /* a group per worker with its own factor, for this very cluster */
};

struct cluster_request {
    enum model model;
    enum slowness_form slowness;
    struct bootstrap bootstrap;        /* its seed also draws the states of times that may have been slow */
    uint32_t workers;                  /* of the cluster that is written, at most those of the times */
    const struct loaded_times *loaded; /* the files of several loads; NULL: one file, without a load */
};

struct cluster_fit {
    struct arena *arena;
    /* Of the times above 0; shares NAN where there is one worker or one round. */
    struct dependence dependence;
    struct regime_fit *regime; /* NULL: not looked for */
    bool spells;               /* the regime was taken out */
    double slowness_deviation; /* of the logarithm of a worker's factor; 0: none was taken out */
    double *factor; /* [times->workers] each one's, shrunk by what chance adds to the spread; NULL: none */
    struct node *slowness; /* the law of the factors; NULL: none */
    /* With several loads. Where the line does not hold no law is fitted: all below is 0 or NULL. */
    struct load_line line;
    struct left_out left_out;
    size_t count, zeros;   /* times, and those of 0 where others are above; 0 where all are */
    bool zeros_uneven;     /* some workers have more of them than chance gives (chi-squared at 0.1 %) */
    struct sample *sample; /* what laws were fitted to */
    struct ranking *ranking;
    const struct fitted *chosen; /* the best law */
    struct node *cluster;        /* {cluster: {workers: [...]}} */
};

/* `times` of the one file, or of all files side by side (load_line_beside). */
struct cluster_fit *cluster_fit_new(const struct measured_times *times,
                                    const struct cluster_request *request);
void cluster_fit_free(struct cluster_fit *fit);
#endif
