#include "cluster_inside.h"
#include <math.h>
#include <stdlib.h>

void cluster_push(struct cluster *cluster, struct pending event) {
    event_queue_push(&cluster->queue, event);
}

static void lay_out(struct cluster *cluster) {
    const struct cluster_spec *spec = cluster->spec;
    uint32_t *group = memory_zeroed(spec->workers, sizeof *group),
             *member = memory_zeroed(spec->workers, sizeof *member);
    cluster_layout(spec, cluster->run.seed, group, member);
    for (uint32_t i = 0; i < spec->workers; i++) {
        const struct group_spec *of = &spec->group[group[i]];
        const struct network_spec *network = of->network ? of->network : spec->network;
        cluster->worker[i] = (struct worker){
            .group = of, .network = spec->topology == TOPOLOGY_RING ? NULL : network, .member = member[i]};
    }
    free(group);
    free(member);
}

struct cluster *cluster_new(const struct cluster_spec *spec, const struct cluster_run *run) {
    struct cluster *cluster = memory_zeroed(1, sizeof *cluster);
    cluster->spec = spec;
    cluster->run = *run;
    cluster->alarm_s = (double)INFINITY;
    cluster->worker = memory_zeroed(spec->workers, sizeof *cluster->worker);
    tournament_init(&cluster->finishes, spec->workers);
    event_queue_init(&cluster->queue, spec->workers);
    lay_out(cluster);
    for (uint32_t i = 0; i < spec->workers; i++) {
        seconds_begin(cluster, i);
        outage_begin(cluster, i);
    }
    return cluster;
}

void cluster_free(struct cluster *cluster) {
    if (!cluster)
        return;
    tournament_fini(&cluster->finishes);
    event_queue_fini(&cluster->queue);
    free(cluster->link.transfer);
    free(cluster->worker);
    free(cluster);
}

double cluster_send_model(struct cluster *cluster, uint32_t worker, uint32_t step, double now_s) {
    const struct network_spec *network = cluster->worker[worker].network;
    if (!network)
        return 0;
    double seconds = network->down->latency_s + cluster->run.model_bytes / network->down->bytes_per_s;
    if (seconds > 0) {
        cluster->hopes++;
        cluster_push(
            cluster,
            (struct pending){.time_s = now_s + seconds, .worker = worker, .kind = EVENT_MODEL, .step = step});
    }
    return seconds;
}

void cluster_set_alarm(struct cluster *cluster, double time_s) {
    cluster->alarm_s = time_s > cluster->now_s ? time_s : cluster->now_s;
}

static bool dropped(const struct cluster *cluster, const struct pending *event) {
    const struct worker *one = &cluster->worker[event->worker];
    switch (event->kind) {
    case EVENT_ARRIVED:
        return event->ticket != one->upload_ticket;
    case EVENT_LINK:
        return event->ticket != cluster->link.ticket;
    case EVENT_GONE:
    case EVENT_DOWN:
    case EVENT_UP:
        return one->gone;
    default:
        return false;
    }
}

/* The first of the queue that was not dropped, or NULL. */
static const struct pending *first_queued(struct cluster *cluster) {
    const struct pending *first = event_queue_first(&cluster->queue);
    while (first && dropped(cluster, first)) {
        event_queue_pop(&cluster->queue);
        first = event_queue_first(&cluster->queue);
    }
    return first;
}

/* Where the next event is to be had, and its time; INFINITY: nowhere. */
enum source { FROM_AT_ONCE, FROM_FINISHES, FROM_QUEUE };
struct due {
    double time_s;
    enum source source;
};

static struct due due_event(struct cluster *cluster) {
    if (cluster->arrives_at_once && !dropped(cluster, &cluster->at_once))
        return (struct due){cluster->at_once.time_s, FROM_AT_ONCE};
    cluster->arrives_at_once = false;
    struct entry finish = tournament_winner(&cluster->finishes);
    const struct pending *queued = first_queued(cluster);
    bool queue_first = queued && (queued->time_s < finish.time_s ||
                                  (queued->time_s == finish.time_s && queued->worker < finish.player));
    return queue_first ? (struct due){queued->time_s, FROM_QUEUE}
                       : (struct due){finish.time_s, FROM_FINISHES};
}

static struct pending finish_event(struct cluster *cluster) {
    struct entry finish = tournament_winner(&cluster->finishes);
    const struct worker *one = &cluster->worker[finish.player];
    return (struct pending){.time_s = finish.time_s,
                            .worker = finish.player,
                            .kind = EVENT_FINISHED,
                            .step = one->assignment.step,
                            .part = one->part};
}

static struct pending take_from(struct cluster *cluster, enum source source) {
    if (source == FROM_QUEUE)
        return event_queue_pop(&cluster->queue);
    if (source == FROM_FINISHES)
        return finish_event(cluster);
    cluster->arrives_at_once = false;
    return cluster->at_once;
}

/* What an event changes here; false when the caller need not know of it. */
static bool take(struct cluster *cluster, const struct pending *next, struct event *event) {
    *event =
        (struct event){(enum event_kind)next->kind, next->time_s, next->worker, next->step, next->part, 0};
    switch (next->kind) {
    case EVENT_FINISHED:
        upload_begin(cluster, next);
        task_advance(cluster, next->worker);
        return true;
    case EVENT_ARRIVED:
        upload_arrived(cluster, next, event);
        return true;
    case EVENT_LINK:
        return upload_served(cluster, next, event);
    case EVENT_GONE:
        outage_gone(cluster, next->worker, event);
        return true;
    case EVENT_DOWN:
        outage_down(cluster, next->worker);
        return true;
    case EVENT_UP:
        outage_up(cluster, next->worker);
        return true;
    default:
        cluster->hopes--; /* a model */
        return cluster->worker[next->worker].present;
    }
}

bool cluster_silent(const struct cluster *cluster) {
    return cluster->hopes == 0 && isinf(cluster->alarm_s);
}

/* The last moment of the instant at which the alarm comes, after all else. */
static double alarm_instant_s(const struct cluster *cluster) {
    return cluster->alarm_s * (1 + INSTANT);
}

/* What the caller need not know of may be all that happens until then. */
bool cluster_next_by(struct cluster *cluster, double until_s, struct event *event) {
    const double last_s = fmin(until_s, alarm_instant_s(cluster));
    struct due due;
    while ((due = due_event(cluster)).time_s <= last_s && isfinite(due.time_s)) {
        struct pending next = take_from(cluster, due.source);
        cluster->now_s = next.time_s;
        if (take(cluster, &next, event))
            return true;
    }
    if (due.time_s <= alarm_instant_s(cluster) || isinf(cluster->alarm_s) || cluster->alarm_s > until_s)
        return false;
    cluster->now_s = fmax(cluster->now_s, cluster->alarm_s);
    cluster->alarm_s = (double)INFINITY;
    *event = (struct event){.kind = EVENT_ALARM, .time_s = cluster->now_s};
    return true;
}

bool cluster_present(const struct cluster *cluster, uint32_t worker) {
    return cluster->worker[worker].present;
}

bool cluster_repaired(const struct cluster *cluster, uint32_t worker) {
    return cluster->worker[worker].present && !cluster->worker[worker].up;
}

bool cluster_idle(const struct cluster *cluster, uint32_t worker) {
    const struct worker *one = &cluster->worker[worker];
    return one->present && one->up && !one->computing && (one->uploads == 0 || cluster->spec->overlap);
}

bool cluster_computing(const struct cluster *cluster, uint32_t worker) {
    return cluster->worker[worker].computing;
}

bool cluster_uploading(const struct cluster *cluster, uint32_t worker) {
    return cluster->worker[worker].uploads > 0;
}
