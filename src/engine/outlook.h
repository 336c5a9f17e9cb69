/* outlook.h: what the tasks of a cluster will take, before anything is run: by a formula where there is one, else from a
 * short sample. Tasks of `work` partitions over steps, workers and replications; networks and failures are left out. */
#ifndef LAGGARD_OUTLOOK_H
#define LAGGARD_OUTLOOK_H
#include "cluster_spec.h"

struct outlook_request {
    uint64_t seed;
    double work; /* partitions */
};

/* A value and where it comes from. */
struct prospect {
    double value;
    double error; /* standard error of what was sampled; 0: it is a formula's; NAN: the sample cannot tell */
    uint32_t sampled; /* tasks that were drawn for it; 0: it is a formula's */
};

struct outlook {
    struct prospect mean_s, deviation_s, p99_s; /* of one task of any worker */
    struct prospect largest_s;                  /* expected maximum over the workers */
    /* Of a worker's times in consecutive steps, the mean over the workers. The worker is given: slowness, which sets
     * workers apart, counts as 1. NAN: the deviation is 0 or infinite; where it was sampled, the sample cannot tell. */
    struct prospect correlation;
    bool cut; /* the sample took too long, and is shorter than planned */
};

/* The sample is drawn with the cluster's own streams in replications that no study has. */
struct outlook cluster_outlook(const struct cluster_spec *spec, const struct outlook_request *request);

/* Why some of it is sampled, after "as". */
const char *cluster_outlook_obstacle(const struct cluster_spec *spec);

/* How long tasks of a group usually take: their mean, in which a law without a mean counts with its 99th percentile, of those
 * that end where others never do. Finite. */
double group_usual_seconds(const struct cluster_spec *spec, const struct group_spec *group, double work);
#endif
