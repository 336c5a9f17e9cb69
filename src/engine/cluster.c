#include "cluster.h"
#include "elementary.h"
#include "event_queue.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>

const char *const load_names[] = {"additive", "multiplicative", "independent", NULL};

struct worker {
    const struct group_spec *group;
    uint32_t member; /* index within the group */
    uint32_t ticket; /* of its present task: events with another ticket were dropped */
    bool alive, busy;
    bool ends; /* its task takes a finite time */
    double failure_s;
};

struct cluster {
    const struct cluster_spec *spec;
    uint64_t seed;
    uint32_t replication;
    struct worker *worker;
    struct event_queue queue;
    double now_s, alarm_s;
};

static struct occasion occasion_of(const struct cluster *cluster, enum purpose purpose, uint32_t worker,
                                   uint32_t step) {
    struct stream stream = {cluster->seed, cluster->replication, purpose};
    return (struct occasion){{stream, worker, step, 0}, cluster->worker[worker].member};
}

static double sampled(const struct picked *law, struct occasion occasion) {
    return law ? law_sample(law, occasion) : 0;
}

/* Exponential by inversion, like the law of that name. */
static double failure_drawn(const struct cluster *cluster, uint32_t worker) {
    const struct failure_spec *failure = cluster->worker[worker].group->failure;
    if (!failure)
        return (double)INFINITY;
    struct draw draw = {{cluster->seed, cluster->replication, PURPOSE_FAILURE}, worker, 0, 0};
    return -failure->mean_time_to_failure_s * elementary_log(1 - draw_unit(&draw));
}

static void fail_later(struct cluster *cluster, uint32_t worker) {
    struct worker *one = &cluster->worker[worker];
    one->failure_s = failure_drawn(cluster, worker);
    if (isfinite(one->failure_s))
        event_queue_push(&cluster->queue,
                         (struct pending){.time_s = one->failure_s, .worker = worker, .kind = EVENT_FAILED});
}

struct cluster *cluster_new(const struct cluster_spec *spec, uint64_t seed, uint32_t replication) {
    struct cluster *cluster = memory_zeroed(1, sizeof *cluster);
    cluster->spec = spec;
    cluster->seed = seed;
    cluster->replication = replication;
    cluster->alarm_s = (double)INFINITY;
    cluster->worker = memory_zeroed(spec->workers, sizeof *cluster->worker);
    event_queue_init(&cluster->queue, 2 * (size_t)spec->workers);
    uint32_t i = 0;
    for (uint32_t g = 0; g < spec->groups; g++)
        for (uint32_t member = 0; member < spec->group[g].count; member++, i++) {
            cluster->worker[i] = (struct worker){.group = &spec->group[g], .member = member, .alive = true};
            fail_later(cluster, i);
        }
    assert(i == spec->workers);
    return cluster;
}

void cluster_free(struct cluster *cluster) {
    if (!cluster)
        return;
    event_queue_fini(&cluster->queue);
    free(cluster->worker);
    free(cluster);
}

/* Seconds of `work` partitions whose computing and delay are drawn from the two occasions. */
static double seconds_once(const struct group_spec *group, double work, struct occasion compute,
                           struct occasion delay) {
    return work * (sampled(group->compute, compute) / group->speed) + sampled(group->delay, delay);
}

static double seconds_independent(const struct group_spec *group, double work, struct occasion compute,
                                  struct occasion delay) {
    double seconds = 0;
    for (double part = 0; part < work; part++) {
        seconds += seconds_once(group, 1, compute, delay);
        compute.draw.draw += LAW_DRAWS;
        delay.draw.draw += LAW_DRAWS;
    }
    return seconds;
}

double cluster_task_seconds(const struct cluster *cluster, uint32_t worker, uint32_t step, double work) {
    const struct group_spec *group = cluster->worker[worker].group;
    struct occasion compute = occasion_of(cluster, PURPOSE_COMPUTE, worker, step);
    struct occasion delay = occasion_of(cluster, PURPOSE_DELAY, worker, step);
    switch (cluster->spec->load) {
    case LOAD_MULTIPLICATIVE:
        return work * seconds_once(group, 1, compute, delay);
    case LOAD_INDEPENDENT:
        return seconds_independent(group, work, compute, delay);
    case LOAD_ADDITIVE:
        break;
    }
    return seconds_once(group, work, compute, delay);
}

double cluster_warmup_seconds(const struct cluster *cluster, uint32_t worker, double work) {
    const struct group_spec *group = cluster->worker[worker].group;
    double compute = sampled(group->compute, occasion_of(cluster, PURPOSE_WARMUP_COMPUTE, worker, 0));
    double delay = sampled(group->delay, occasion_of(cluster, PURPOSE_WARMUP_DELAY, worker, 0));
    return (isnan(compute) ? 0 : work * (compute / group->speed)) + (isnan(delay) ? 0 : delay);
}

void cluster_start(struct cluster *cluster, uint32_t worker, uint32_t step, double start_s, double seconds) {
    struct worker *one = &cluster->worker[worker];
    assert(one->alive && !one->busy && seconds >= 0 && start_s >= cluster->now_s);
    one->busy = true;
    if (!isfinite(start_s + seconds))
        return;
    event_queue_push(&cluster->queue, (struct pending){.time_s = start_s + seconds,
                                                       .worker = worker,
                                                       .kind = EVENT_FINISHED,
                                                       .step = step,
                                                       .ticket = one->ticket});
}

void cluster_cancel(struct cluster *cluster, uint32_t worker) {
    struct worker *one = &cluster->worker[worker];
    if (!one->busy)
        return;
    one->busy = false;
    one->ticket++;
}

void cluster_set_alarm(struct cluster *cluster, double time_s) {
    cluster->alarm_s = time_s > cluster->now_s ? time_s : cluster->now_s;
}

static bool dropped(const struct cluster *cluster, const struct pending *event) {
    return event->kind != EVENT_FAILED && event->ticket != cluster->worker[event->worker].ticket;
}

/* The first event that was not dropped, or NULL. */
static const struct pending *first_event(struct cluster *cluster) {
    const struct pending *first = event_queue_first(&cluster->queue);
    while (first && dropped(cluster, first)) {
        event_queue_pop(&cluster->queue);
        first = event_queue_first(&cluster->queue);
    }
    return first;
}

double cluster_next_time(struct cluster *cluster) {
    const struct pending *first = first_event(cluster);
    double time_s = first ? first->time_s : (double)INFINITY;
    return time_s < cluster->alarm_s ? time_s : cluster->alarm_s;
}

static struct event worker_event(struct cluster *cluster, struct pending next) {
    struct worker *one = &cluster->worker[next.worker];
    switch ((enum event_kind)next.kind) {
    case EVENT_FINISHED:
        next.kind = EVENT_ARRIVED;
        event_queue_push(&cluster->queue, next);
        next.kind = EVENT_FINISHED;
        break;
    case EVENT_ARRIVED:
        one->busy = false;
        one->ticket++;
        break;
    case EVENT_FAILED:
        cluster_cancel(cluster, next.worker);
        one->alive = false;
        break;
    case EVENT_ALARM:
    case EVENT_SILENCE:
        break;
    }
    return (struct event){(enum event_kind)next.kind, next.time_s, next.worker, next.step};
}

struct event cluster_next(struct cluster *cluster) {
    const struct pending *first = first_event(cluster);
    if (isfinite(cluster->alarm_s) && (!first || cluster->alarm_s < first->time_s)) {
        cluster->now_s = cluster->alarm_s;
        cluster->alarm_s = (double)INFINITY;
        return (struct event){.kind = EVENT_ALARM, .time_s = cluster->now_s};
    }
    if (!first)
        return (struct event){.kind = EVENT_SILENCE, .time_s = cluster->now_s};
    cluster->now_s = first->time_s;
    return worker_event(cluster, event_queue_pop(&cluster->queue));
}

bool cluster_idle(const struct cluster *cluster, uint32_t worker) {
    return cluster->worker[worker].alive && !cluster->worker[worker].busy;
}

bool cluster_alive(const struct cluster *cluster, uint32_t worker) {
    return cluster->worker[worker].alive;
}

double cluster_failure_time(const struct cluster *cluster, uint32_t worker) {
    return cluster->worker[worker].failure_s;
}
