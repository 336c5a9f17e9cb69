/* cluster.h: the workers and their clock. Tasks go in, events come out in the order of time; the caller decides what
 * follows. Knows laws, speeds and failures; not schemes, gradients or rounds.
 *
 * Events are ordered by (time, worker, kind, sequence): a run is one well-defined sequence, also where times are equal.
 * A worker has at most one task. Seconds are simulated seconds since the start. */
#ifndef LAGGARD_CLUSTER_H
#define LAGGARD_CLUSTER_H
#include "law.h"

/* What a task costs that is `work` partitions long. */
enum load_rule {
    LOAD_ADDITIVE,       /* work * compute / speed + delay */
    LOAD_MULTIPLICATIVE, /* work * (compute / speed + delay) */
    LOAD_INDEPENDENT,    /* the sum over `work` partitions of independent draws of compute / speed + delay */
};
extern const char *const load_names[]; /* in the order of the enum, ended by NULL */

struct failure_spec {
    double mean_time_to_failure_s; /* of an exponential law */
    double mean_time_to_repair_s;  /* INFINITY: for good */
};

/* One entry of cluster.workers. */
struct group_spec {
    uint32_t count;
    double speed;                       /* divides computing times */
    const struct picked *compute;       /* law of the seconds per partition; NULL: 0 s */
    const struct picked *delay;         /* law of the delay of a task; NULL: 0 s */
    const struct failure_spec *failure; /* NULL: never fails */
};
extern const struct param_table group_table; /* fills a struct group_spec */

struct cluster_spec {
    enum load_rule load;
    uint32_t workers; /* sum of the groups' counts */
    uint32_t groups;
    const struct group_spec *group; /* workers 0 … are laid out group after group */
};

enum event_kind {
    EVENT_FINISHED, /* the task's computing ended */
    EVENT_ARRIVED,  /* its result is at the master; the worker is free */
    EVENT_FAILED,   /* the worker is gone for good, with its task */
    EVENT_ALARM,    /* the caller's alarm; after all else of that instant */
    EVENT_SILENCE,  /* no event is pending: no result will ever come */
};
struct event {
    enum event_kind kind;
    double time_s;
    uint32_t worker, step;
};

struct cluster;
/* A fresh cluster at time 0. The spec must outlive it. Draws from COMPUTE, DELAY, FAILURE of (seed, replication). */
struct cluster *cluster_new(const struct cluster_spec *spec, uint64_t seed, uint32_t replication);
void cluster_free(struct cluster *cluster);

/* Seconds a task of `work` partitions takes `worker` in `step`; NAN where a trace has no measurement. */
double cluster_task_seconds(const struct cluster *cluster, uint32_t worker, uint32_t step, double work);
/* The same for the warm-up before step 0, always additive, from streams of its own; a missing measurement counts 0. */
double cluster_warmup_seconds(const struct cluster *cluster, uint32_t worker, double work);

/* Starts a task that takes `seconds` (INFINITY: never ends) on an idle worker that is alive. */
void cluster_start(struct cluster *cluster, uint32_t worker, uint32_t step, double start_s, double seconds);
/* Drops the worker's task, if it has one; no event of it will come. */
void cluster_cancel(struct cluster *cluster, uint32_t worker);
void cluster_set_alarm(struct cluster *cluster, double time_s); /* INFINITY: none */

/* The time of the next event, the alarm included; INFINITY when none will come. */
double cluster_next_time(struct cluster *cluster);
/* Takes the next event. */
struct event cluster_next(struct cluster *cluster);

bool cluster_idle(const struct cluster *cluster, uint32_t worker); /* alive and without a task */
bool cluster_alive(const struct cluster *cluster, uint32_t worker);
double cluster_failure_time(const struct cluster *cluster, uint32_t worker); /* INFINITY: none */
/* Whether a worker may find no measurement for some step. */
bool cluster_skips(const struct cluster_spec *spec);
/* Steps for which every trace has a round: the smallest over all laws; UINT32_MAX: endless. */
uint32_t cluster_rounds(const struct cluster_spec *spec);
#endif
