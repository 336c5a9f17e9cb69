/* A result's way to the master: its worker's own path, then, where there is one, the master's link that all share. */
#include "cluster_inside.h"
#include <assert.h>
#include <math.h>

const char *const sharing_names[] = {"none", "fifo", "fair", NULL};

static double path_rate(const struct worker *one) {
    return one->network ? one->network->up->bytes_per_s : (double)INFINITY;
}

static double path_latency(const struct worker *one) {
    return one->network ? one->network->up->latency_s : 0;
}

static bool shared(const struct cluster *cluster) {
    return cluster->spec->link && cluster->spec->link->sharing != SHARING_NONE;
}

/* What a transfer gets of the link, `ready` of them being there and `rank` of those before it. */
static double transfer_rate(const struct cluster *cluster, const struct transfer *transfer, size_t ready,
                            size_t rank) {
    const struct link_spec *link = cluster->spec->link;
    double own = path_rate(&cluster->worker[transfer->worker]);
    if (link->sharing == SHARING_FIFO)
        return rank == 0 ? fmin(own, link->bytes_per_s) : 0;
    return fmin(own, link->bytes_per_s / (double)ready);
}

static size_t ready_transfers(const struct link *link, double now_s) {
    size_t ready = 0;
    while (ready < link->count && link->transfer[ready].ready_s <= now_s)
        ready++;
    return ready;
}

static double seconds_left(const struct cluster *cluster, size_t rank, size_t ready) {
    const struct transfer *transfer = &cluster->link.transfer[rank];
    double rate = transfer_rate(cluster, transfer, ready, rank);
    return transfer->left <= 0 ? 0 : transfer->left / rate;
}

/* Between two LINK events the set of those ready does not change. */
static void link_advance(struct cluster *cluster) {
    struct link *link = &cluster->link;
    size_t ready = ready_transfers(link, link->now_s);
    double elapsed_s = cluster->now_s - link->now_s;
    for (size_t rank = 0; rank < ready && elapsed_s > 0; rank++) {
        struct transfer *transfer = &link->transfer[rank];
        transfer->left -= elapsed_s * transfer_rate(cluster, transfer, ready, rank);
    }
    link->now_s = cluster->now_s;
}

/* The next moment at which something happens on the link: a transfer is done or comes to be ready. */
static void link_expect(struct cluster *cluster) {
    struct link *link = &cluster->link;
    size_t ready = ready_transfers(link, link->now_s);
    struct pending next = {.time_s = (double)INFINITY, .kind = EVENT_LINK, .ticket = ++link->ticket};
    for (size_t rank = 0; rank < ready; rank++) {
        double time_s = link->now_s + seconds_left(cluster, rank, ready);
        if (time_s < next.time_s) {
            next.time_s = time_s;
            next.worker = link->transfer[rank].worker;
        }
    }
    if (ready < link->count && link->transfer[ready].ready_s < next.time_s) {
        next.time_s = link->transfer[ready].ready_s;
        next.worker = link->transfer[ready].worker;
    }
    if (isfinite(next.time_s))
        cluster_push(cluster, next);
}

static void link_add(struct cluster *cluster, struct transfer transfer) {
    struct link *link = &cluster->link;
    if (link->count == link->capacity) {
        link->capacity = 2 * link->capacity + 16;
        link->transfer = memory_resized(link->transfer, link->capacity, sizeof *link->transfer);
    }
    size_t at = link->count++;
    while (at > 0 && link->transfer[at - 1].ready_s > transfer.ready_s) {
        link->transfer[at] = link->transfer[at - 1];
        at--;
    }
    link->transfer[at] = transfer;
}

static void link_remove(struct link *link, size_t at) {
    link->count--;
    for (size_t t = at; t < link->count; t++)
        link->transfer[t] = link->transfer[t + 1];
}

static double upload_bytes(const struct cluster *cluster, uint32_t worker) {
    return cluster->run.result_bytes * cluster->worker[worker].assignment.vectors;
}

static void upload_shared(struct cluster *cluster, const struct pending *finished) {
    struct worker *one = &cluster->worker[finished->worker];
    struct transfer transfer = {.worker = finished->worker,
                                .step = finished->step,
                                .part = finished->part,
                                .ticket = one->upload_ticket,
                                .ready_s = cluster->now_s + path_latency(one),
                                .left = upload_bytes(cluster, finished->worker)};
    link_advance(cluster);
    link_add(cluster, transfer);
    link_expect(cluster);
}

/* Whether the arrival is the very next event: the way takes no time, and of this worker nothing else comes now. Then the
 * queue is spared it. */
static bool arrives_at_once(const struct cluster *cluster, const struct pending *finished) {
    const struct worker *one = &cluster->worker[finished->worker];
    const struct assignment *of = &one->assignment;
    if (one->network || cluster->spec->overlap || one->uploads > 1)
        return false;
    return one->part + 1 == of->parts ||
           cluster->now_s + (of->done_s[one->part + 1] - of->done_s[one->part]) > cluster->now_s;
}

static void upload_alone(struct cluster *cluster, const struct pending *finished) {
    struct worker *one = &cluster->worker[finished->worker];
    double begin_s = fmax(cluster->now_s, one->path_free_s);
    one->path_free_s = begin_s + upload_bytes(cluster, finished->worker) / path_rate(one);
    struct pending arrival = {.time_s = one->path_free_s + path_latency(one),
                              .worker = finished->worker,
                              .kind = EVENT_ARRIVED,
                              .step = finished->step,
                              .part = finished->part,
                              .ticket = one->upload_ticket};
    cluster->arrives_at_once = arrives_at_once(cluster, finished);
    if (cluster->arrives_at_once)
        cluster->at_once = arrival;
    else
        cluster_push(cluster, arrival);
}

void upload_begin(struct cluster *cluster, const struct pending *finished) {
    struct worker *one = &cluster->worker[finished->worker];
    one->uploads++;
    one->upload_begun_s = cluster->now_s;
    cluster->hopes++;
    if (shared(cluster))
        upload_shared(cluster, finished);
    else
        upload_alone(cluster, finished);
}

void upload_arrived(struct cluster *cluster, const struct pending *event, struct event *arrived) {
    struct worker *one = &cluster->worker[event->worker];
    assert(one->uploads > 0);
    one->uploads--;
    cluster->hopes--;
    *arrived = (struct event){EVENT_ARRIVED, event->time_s, event->worker, event->step, event->part, 0};
}

/* At most one transfer is handed over at a time; the next, if it is done as well, at the same instant after it. */
bool upload_served(struct cluster *cluster, const struct pending *event, struct event *arrived) {
    struct link *link = &cluster->link;
    if (event->ticket != link->ticket)
        return false;
    link_advance(cluster);
    size_t ready = ready_transfers(link, link->now_s);
    /* What rounding leaves of a transfer is less than the clock can tell. */
    for (size_t rank = 0; rank < ready; rank++) {
        struct transfer transfer = link->transfer[rank];
        if (link->now_s + seconds_left(cluster, rank, ready) > link->now_s)
            continue;
        link_remove(link, rank);
        link_expect(cluster);
        upload_arrived(cluster,
                       &(struct pending){.time_s = link->now_s,
                                         .worker = transfer.worker,
                                         .step = transfer.step,
                                         .part = transfer.part},
                       arrived);
        return true;
    }
    link_expect(cluster);
    return false;
}

void upload_drop(struct cluster *cluster, uint32_t worker) {
    struct worker *one = &cluster->worker[worker];
    if (one->uploads == 0)
        return;
    cluster->hopes -= one->uploads;
    one->uploads = 0;
    one->upload_ticket++;
    one->path_free_s = cluster->now_s;
    if (!shared(cluster))
        return;
    link_advance(cluster);
    for (size_t t = cluster->link.count; t-- > 0;)
        if (cluster->link.transfer[t].worker == worker)
            link_remove(&cluster->link, t);
    link_expect(cluster);
}
