/* cluster_spec.h: what a cluster is made of: groups of workers, networks, failures. Filled from a scenario by tables. */
#ifndef LAGGARD_CLUSTER_SPEC_H
#define LAGGARD_CLUSTER_SPEC_H
#include "law.h"

/* What a task costs that is `work` partitions long, before slowness, regime and rack shocks. */
enum load_rule {
    LOAD_ADDITIVE,       /* work * compute / speed + delay */
    LOAD_MULTIPLICATIVE, /* work * (compute / speed + delay) */
    LOAD_INDEPENDENT,    /* the sum over `work` partitions of independent draws of compute / speed + delay */
};
extern const char *const load_names[]; /* in the order of the enum, ended by NULL */

/* How groups are laid over worker indices. */
enum order_rule { ORDER_LISTED, ORDER_INTERLEAVED, ORDER_SHUFFLED };
extern const char *const order_names[];

/* How the master's link serves uploads. */
enum sharing_rule { SHARING_NONE, SHARING_FIFO, SHARING_FAIR };
extern const char *const sharing_names[];

enum topology { TOPOLOGY_SERVER, TOPOLOGY_RING };
extern const char *const topology_names[];

struct failure_spec {
    double mean_time_to_failure_s; /* of an exponential law, in simulated time since the last repair */
    double mean_time_to_repair_s;  /* of an exponential law; INFINITY: for good */
};

/* Two states over the steps, a Markov chain that starts in its stationary law: slow steps take `slowdown` times as long. */
struct regime_spec {
    double p_slow, p_recover; /* probability a step to become slow, to recover */
    double slowdown;
};

/* One direction. */
struct path_spec {
    double latency_s, bytes_per_s; /* INFINITY: as fast as you like */
};
struct network_spec {
    const struct path_spec *down, *up; /* never NULL */
};

/* One entry of cluster.workers. */
struct group_spec {
    uint32_t count;
    double speed;                       /* divides computing times */
    const struct picked *compute;       /* law of the seconds per partition; NULL: 0 s */
    const struct picked *delay;         /* law of the delay of a task; NULL: 0 s */
    const struct picked *slowness;      /* law of a factor drawn once per worker and replication; NULL: 1 */
    const struct regime_spec *regime;   /* NULL: none */
    const struct failure_spec *failure; /* NULL: never fails */
    uint32_t rack;                      /* PARAM_ABSENT: in none */
    const struct network_spec *network; /* NULL: the cluster's */
    double joins_s, leaves_s;           /* 0 and INFINITY: always there */
};
extern const struct param_table group_table; /* fills a struct group_spec */

/* Something that slows all workers of a rack in a step, with a probability, by the same seconds. */
struct shock_spec {
    double probability;
    struct picked law;
};
struct link_spec {
    double bytes_per_s;
    uint32_t sharing; /* enum sharing_rule */
};

struct cluster_spec {
    enum load_rule load;
    enum order_rule order;
    enum topology topology;
    bool overlap;
    uint32_t workers; /* sum of the groups' counts */
    uint32_t groups;
    const struct group_spec *group;
    const struct network_spec *network; /* NULL: free */
    const struct link_spec *link;       /* NULL: the master's link is never short */
    const struct shock_spec *shock;     /* NULL: none */
};
extern const struct param_table network_table, link_table, shock_table;

/* Which group and member each worker is: group[i], member[i] of [workers]. `seed` keys the shuffled order, which is the
 * same in every replication. */
void cluster_layout(const struct cluster_spec *spec, uint64_t seed, uint32_t *group, uint32_t *member);
/* Whether a worker may be given no task in some step: a trace has a gap, or it joins later. */
bool cluster_skips(const struct cluster_spec *spec);
/* Workers that may be away at some time: yet to join, or gone for good. */
uint32_t cluster_absentees(const struct cluster_spec *spec);
/* Steps for which every trace has a round: the smallest over all laws; UINT32_MAX: endless. */
uint32_t cluster_rounds(const struct cluster_spec *spec);
#endif
