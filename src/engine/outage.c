#include "cluster_inside.h"
#include "elementary.h"
#include <math.h>

/* Exponential by inversion, like the law of that name. Draw 0 is the time to a failure, draw 1 the repair after it. */
static double exponential(const struct cluster *cluster, uint32_t worker, uint32_t draw, double mean_s) {
    struct stream stream = {cluster->run.seed, cluster->run.replication, PURPOSE_FAILURE};
    struct draw place = {stream, worker, cluster->worker[worker].failures, draw};
    return -mean_s * elementary_log(1 - draw_unit(&place));
}

static void expect(struct cluster *cluster, uint32_t worker, enum event_kind kind, double time_s) {
    if (isfinite(time_s))
        cluster_push(cluster, (struct pending){.time_s = time_s, .worker = worker, .kind = kind});
}

static void expect_failure(struct cluster *cluster, uint32_t worker) {
    const struct failure_spec *failure = cluster->worker[worker].group->failure;
    if (!failure)
        return;
    double after_s = exponential(cluster, worker, 0, failure->mean_time_to_failure_s);
    expect(cluster, worker, isinf(failure->mean_time_to_repair_s) ? EVENT_GONE : EVENT_DOWN,
           cluster->now_s + after_s);
}

void outage_begin(struct cluster *cluster, uint32_t worker) {
    struct worker *one = &cluster->worker[worker];
    expect(cluster, worker, EVENT_GONE, one->group->leaves_s);
    one->present = one->up = one->group->joins_s <= 0;
    if (one->up) {
        expect_failure(cluster, worker);
    } else {
        cluster->hopes++;
        expect(cluster, worker, EVENT_UP, one->group->joins_s);
    }
}

void outage_down(struct cluster *cluster, uint32_t worker) {
    struct worker *one = &cluster->worker[worker];
    task_pause(cluster, worker);
    one->up = false;
    one->since_s = cluster->now_s;
    double repair_s = exponential(cluster, worker, 1, one->group->failure->mean_time_to_repair_s);
    one->failures++;
    expect(cluster, worker, EVENT_UP, cluster->now_s + repair_s);
}

void outage_up(struct cluster *cluster, uint32_t worker) {
    struct worker *one = &cluster->worker[worker];
    if (!one->present)
        cluster->hopes--;
    one->down_s += cluster->now_s - one->since_s;
    one->present = one->up = true;
    task_resume(cluster, worker);
    expect_failure(cluster, worker);
}

void outage_gone(struct cluster *cluster, uint32_t worker, struct event *event) {
    struct worker *one = &cluster->worker[worker];
    event->seconds = cluster_cancel(cluster, worker, cluster->now_s);
    if (one->up)
        one->since_s = cluster->now_s;
    if (!one->present)
        cluster->hopes--;
    one->present = one->up = false;
    one->gone = true;
}

double cluster_down_seconds(const struct cluster *cluster, uint32_t worker, double end_s) {
    const struct worker *one = &cluster->worker[worker];
    return one->down_s + (one->up ? 0 : fmax(0, end_s - one->since_s));
}
