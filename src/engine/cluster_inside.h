/* cluster_inside.h: the inside of a cluster, shared by cluster.c (events), seconds.c (what tasks cost), upload.c (results on
 * their way) and outage.c (workers that fail, join and leave). */
#ifndef LAGGARD_CLUSTER_INSIDE_H
#define LAGGARD_CLUSTER_INSIDE_H
#include "cluster.h"
#include "event_queue.h"
#include "tournament.h"

/* An event that the caller never sees: something happens on the master's shared link. It goes before failures. */
enum { EVENT_LINK = EVENT_ARRIVED + 1 };

struct worker {
    const struct group_spec *group;
    const struct network_spec *network; /* to and from the master; NULL: free */
    uint32_t member;                    /* index within the group */
    double slowness;
    uint32_t regime_step; /* the step that `slow` is of */
    bool slow;

    bool present, up, gone;
    uint32_t failures; /* drawn so far */
    double since_s;    /* when it went down; meaningless while it is up */
    double down_s;     /* of outages that are over */

    bool computing;
    struct assignment assignment; /* its task */
    uint32_t part;                /* of the task: the one it is on */
    double left_s;                /* of the part, when it is next computed */
    double begun_s; /* when it was last begun or resumed; in the future: it waits for its model */
    double spent_s; /* before that */

    uint32_t uploads; /* on their way */
    uint32_t upload_ticket;
    double upload_begun_s; /* of the latest */
    double path_free_s;    /* its own uploads go one after another */
};

/* An upload on the master's shared link. */
struct transfer {
    uint32_t worker, step, part, ticket;
    double ready_s; /* at the link: latency is over */
    double left;    /* bytes */
};

struct link {
    struct transfer *transfer; /* in order of readiness */
    size_t count, capacity;
    double now_s;    /* what is left holds at this time */
    uint32_t ticket; /* of the LINK event that counts */
};

struct cluster {
    const struct cluster_spec *spec;
    struct cluster_run run;
    struct worker *worker;
    struct tournament finishes; /* when each worker is done with the part it is on */
    struct event_queue queue;   /* what else is to come */
    struct pending at_once; /* an arrival that comes before all that is in the queue, if `arrives_at_once` */
    bool arrives_at_once;
    struct link link;
    size_t hopes; /* tasks, uploads and models on their way, workers that will join */
    double now_s, alarm_s;
};

void cluster_push(struct cluster *cluster, struct pending event);

/* seconds.c */
void seconds_begin(struct cluster *cluster, uint32_t worker);

/* upload.c */
/* Of what the event finished. */
void upload_begin(struct cluster *cluster, const struct pending *finished);
/* The upload that the LINK event is about has arrived: writes its event; false when the event was out of date. */
bool upload_served(struct cluster *cluster, const struct pending *event, struct event *arrived);
void upload_arrived(struct cluster *cluster, const struct pending *event, struct event *arrived);
/* Drops the worker's uploads. */
void upload_drop(struct cluster *cluster, uint32_t worker);
double upload_seconds(const struct cluster *cluster, uint32_t worker);

/* outage.c */
void outage_begin(struct cluster *cluster, uint32_t worker);
void outage_down(struct cluster *cluster, uint32_t worker);
void outage_up(struct cluster *cluster, uint32_t worker);
void outage_gone(struct cluster *cluster, uint32_t worker, struct event *event);

/* task.c */
/* The part that FINISHED is over; the worker goes on with the next one, if there is one. */
void task_advance(struct cluster *cluster, uint32_t worker);
void task_pause(struct cluster *cluster, uint32_t worker);
void task_resume(struct cluster *cluster, uint32_t worker);
#endif
