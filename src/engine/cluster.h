/* cluster.h: the workers and their clock. Tasks go in, events come out in the order of time; the caller decides what
 * follows. Knows what a task costs, networks and failures; not schemes, gradients or rounds.
 *
 * Events are ordered by (time, worker, kind, sequence): a run is one well-defined sequence, also where times are equal.
 * A worker computes one task at a time. Seconds are simulated seconds since the start.
 *
 * A task's life: it starts, is computed (FINISHED), uploaded (ARRIVED). A task of several parts goes on with the next one as
 * it finishes one, and each part is uploaded by itself. A worker is idle when its last upload is done, or,
 * with `overlap`, its last computation. Down for repair, it is paused: its task goes on where it stopped; an upload that has
 * begun goes on. Gone for good, it takes its task and its uploads with it. */
#ifndef LAGGARD_CLUSTER_H
#define LAGGARD_CLUSTER_H
#include "cluster_spec.h"

enum event_kind {
    EVENT_FINISHED, /* computing a part of the task ended */
    EVENT_ARRIVED,  /* its result is at the master */
    EVENT_GONE =
        EVENT_ARRIVED + 2, /* (one in between is the cluster's own) the worker failed or left for good */
    EVENT_DOWN,            /* the worker failed and will be repaired */
    EVENT_UP,              /* it was repaired, or it joined */
    EVENT_MODEL,           /* a model that was sent is there */
    EVENT_ALARM,           /* the caller's alarm; after all else of that instant */
};
struct event {
    enum event_kind kind;
    double time_s;
    uint32_t worker, step; /* step: of the task or the model */
    uint32_t part;         /* FINISHED, ARRIVED: of the task, in the order in which its parts are done */
    double seconds;        /* GONE: what was spent on the part that is lost; 0: none */
};

struct cluster;
struct cluster_run {
    uint64_t seed;
    uint32_t replication;
    double model_bytes, result_bytes;
};
/* A fresh cluster at time 0. The spec must outlive it. */
struct cluster *cluster_new(const struct cluster_spec *spec, const struct cluster_run *run);
void cluster_free(struct cluster *cluster);

/* When the parts of a task of `worker` in `step` are done, in seconds of computing: `seconds` [parts] holds the work up to
 * and with each part, ascending, in partitions; it gets the seconds; NAN where a trace has no measurement. The steps of a
 * worker must not decrease from call to call, as its regime is a chain. */
void cluster_parts_seconds(struct cluster *cluster, uint32_t worker, uint32_t step, uint32_t parts,
                           double *seconds);
/* The same of one part. */
double cluster_task_seconds(struct cluster *cluster, uint32_t worker, uint32_t step, double work);
/* The same of whole tasks of one partition each, in `tasks` steps from `step` on. */
struct errands {
    uint32_t worker, step, tasks;
};
void cluster_tasks_seconds(struct cluster *cluster, const struct errands *errands, double *seconds);
/* How much of that is no computing: delays and rack shocks, slowed like the rest. A worker computes a part first, then its delay
 * runs; under multiplicative and independent load every part has one, else the first. */
void cluster_parts_delays(struct cluster *cluster, uint32_t worker, uint32_t step, uint32_t parts,
                          double *seconds);
/* The same for a message that meets a delay of its own, where all of a task's do: `work` partitions with what came before
 * it, of which `own` are its own. Messages count from 0. */
struct message_work {
    double work, own;
    uint32_t message;
};
double cluster_message_seconds(struct cluster *cluster, uint32_t worker, uint32_t step,
                               const struct message_work *of);
/* The same for the warm-up before step 0, always additive, from streams of its own, without rack shocks; a missing
 * measurement counts 0. The model's way to the worker is included. */
double cluster_warmup_seconds(struct cluster *cluster, uint32_t worker, double work);

/* Sends the worker the model of `step` at `now_s`: 0 when it is there at once, else a MODEL event will come; seconds. */
double cluster_send_model(struct cluster *cluster, uint32_t worker, uint32_t step, double now_s);
/* Moments that are nearer to each other than this part of the clock are one instant: an alarm comes after all else of its
 * instant, though times that are sums of the same terms are rounded apart. */
#define INSTANT 0x1p-48

/* A task as the clock knows it. */
struct assignment {
    uint32_t step;
    double start_s;
    uint32_t parts;
    const double *
        done_s; /* [parts], ascending: seconds after the start; INFINITY: never. Kept by the caller to the end */
    double vectors; /* an upload is this many times the bytes of a result */
};
/* Starts a task on an idle worker. */
void cluster_start(struct cluster *cluster, uint32_t worker, const struct assignment *assignment);
/* Whether nothing can come between a worker and its work, and its results arrive as they are computed: it does not fail or
 * leave, has no network, and no task goes on beside an upload. */
bool cluster_steady(const struct cluster *cluster, uint32_t worker);
/* Of a steady worker: the parts from the one it is on to the last become one, which is FINISHED when the last would have
 * been; the others are told no more. Returns when the one it is on ends; NAN when nothing is joined. */
double cluster_join_parts(struct cluster *cluster, uint32_t worker);
/* The worker stops where it is: the part it is on is FINISHED now, those after it will not come. False when it does not
 * compute or is down. */
bool cluster_halt(struct cluster *cluster, uint32_t worker, double now_s);
/* Drops the worker's task and its uploads; no event of them will come. Returns the seconds spent on the part that was being
 * computed, or on the upload of one that was computed; 0 when there was none. */
double cluster_cancel(struct cluster *cluster, uint32_t worker, double now_s);
void cluster_set_alarm(struct cluster *cluster, double time_s); /* INFINITY: none */

/* Takes the next event if there is one and it comes by `until_s`; else returns false, and the clock has not passed that time. */
bool cluster_next_by(struct cluster *cluster, double until_s, struct event *event);
/* Nothing is computed, uploaded or on its way, nobody will join, no alarm is set: no result will ever come, but from a worker
 * that is repaired and then given a task. */
bool cluster_silent(const struct cluster *cluster);

bool cluster_present(const struct cluster *cluster,
                     uint32_t worker);                             /* has joined and is not gone for good */
bool cluster_idle(const struct cluster *cluster, uint32_t worker); /* present, up, and free for a task */
bool cluster_repaired(const struct cluster *cluster, uint32_t worker);  /* is down, and will be up again */
bool cluster_computing(const struct cluster *cluster, uint32_t worker); /* has a task, be it paused */
bool cluster_uploading(const struct cluster *cluster, uint32_t worker);
/* Seconds that the worker has spent on the part or the upload it is busy with, without pauses. */
double cluster_spent(const struct cluster *cluster, uint32_t worker, double now_s);
/* Seconds of [0, end_s] in which the worker was down, gone or had not joined. */
double cluster_down_seconds(const struct cluster *cluster, uint32_t worker, double end_s);
/* What the all-reduce of a ring takes after the slowest worker. */
double cluster_ring_seconds(const struct cluster *cluster);
#endif
