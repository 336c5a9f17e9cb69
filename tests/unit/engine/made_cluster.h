/* made_cluster.h: a cluster out of the mappings of a scenario's groups, for tests. */
#ifndef LAGGARD_MADE_CLUSTER_H
#define LAGGARD_MADE_CLUSTER_H
#include "cluster_spec.h"
#include "memory.h"
#include "shelf.h"

struct made_cluster {
    struct diag *diag;
    struct arena *arena;
    struct shelf *shelf;
    struct cluster_spec spec;
};

/* Reads up to four groups, such as {count: 8, delay: {type: exponential, mean: 1s}}, and loads their laws; NULL ends the
 * list. A mistake ends the test. Freed with made_cluster_fini. */
struct made_cluster made_cluster(const char *const *groups);
void made_cluster_fini(struct made_cluster *made);
#endif
