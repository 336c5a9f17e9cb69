#include "cluster_inside.h"
#include <assert.h>
#include <math.h>

static void expect_finish(struct cluster *cluster, uint32_t worker) {
    const struct worker *one = &cluster->worker[worker];
    tournament_set(&cluster->finishes, worker, one->begun_s + one->left_s);
}

/* The worker is on a part that takes this long from `begin_s` on. */
static void begin_part(struct cluster *cluster, uint32_t worker, double begin_s, double seconds) {
    struct worker *one = &cluster->worker[worker];
    one->begun_s = begin_s;
    one->left_s = seconds;
    one->spent_s = 0;
    if (!isfinite(begin_s + seconds))
        return;
    cluster->hopes++;
    expect_finish(cluster, worker);
}

void cluster_start(struct cluster *cluster, uint32_t worker, const struct assignment *assignment) {
    struct worker *one = &cluster->worker[worker];
    assert(cluster_idle(cluster, worker) && assignment->done_s[0] >= 0 &&
           assignment->start_s >= cluster->now_s);
    one->computing = true;
    one->assignment = *assignment;
    one->part = 0;
    begin_part(cluster, worker, assignment->start_s, assignment->done_s[0]);
}

/* Workers take turns in no order that the processor could foresee: what the next one needs is fetched in time. */
static void foresee(struct cluster *cluster) {
    enum { CACHE_LINE = 64 };
    const struct worker *next = &cluster->worker[tournament_winner(&cluster->finishes).player];
    for (size_t at = 0; at < sizeof *next; at += CACHE_LINE)
        __builtin_prefetch((const char *)next + at, 1);
    __builtin_prefetch(next->assignment.done_s);
}

void task_advance(struct cluster *cluster, uint32_t worker) {
    struct worker *one = &cluster->worker[worker];
    const struct assignment *assignment = &one->assignment;
    cluster->hopes--;
    tournament_withdraw(&cluster->finishes, worker);
    one->computing = ++one->part < assignment->parts;
    if (one->computing)
        begin_part(cluster, worker, cluster->now_s,
                   assignment->done_s[one->part] - assignment->done_s[one->part - 1]);
    foresee(cluster);
}

/* Seconds spent since it was last begun; none while it is paused or waits for its model. */
static double spent_since(const struct worker *one, double now_s) {
    return one->up && now_s > one->begun_s ? now_s - one->begun_s : 0;
}

double cluster_spent(const struct cluster *cluster, uint32_t worker, double now_s) {
    const struct worker *one = &cluster->worker[worker];
    if (one->computing)
        return one->spent_s + spent_since(one, now_s);
    return one->uploads > 0 ? now_s - one->upload_begun_s : 0;
}

void task_pause(struct cluster *cluster, uint32_t worker) {
    struct worker *one = &cluster->worker[worker];
    if (!one->computing)
        return;
    double spent_s = spent_since(one, cluster->now_s);
    one->spent_s += spent_s;
    one->left_s -= spent_s;
    tournament_withdraw(&cluster->finishes, worker);
}

void task_resume(struct cluster *cluster, uint32_t worker) {
    struct worker *one = &cluster->worker[worker];
    if (!one->computing)
        return;
    one->begun_s = fmax(one->begun_s, cluster->now_s);
    one->left_s = fmax(0, one->left_s);
    if (isfinite(one->left_s))
        expect_finish(cluster, worker);
}

bool cluster_steady(const struct cluster *cluster, uint32_t worker) {
    const struct worker *one = &cluster->worker[worker];
    return !one->group->failure && isinf(one->group->leaves_s) && !one->network && !cluster->spec->link &&
           !cluster->spec->overlap;
}

double cluster_join_parts(struct cluster *cluster, uint32_t worker) {
    struct worker *one = &cluster->worker[worker];
    const struct assignment *of = &one->assignment;
    uint32_t first = one->part, last = of->parts - 1;
    if (!one->computing || first == last || isinf(of->done_s[last]))
        return (double)NAN;
    double end_s = one->begun_s + one->left_s, last_s = end_s;
    /* Added up as the parts would have been, one after another. */
    for (uint32_t q = first; q < last; q++)
        last_s += of->done_s[q + 1] - of->done_s[q];
    one->part = last;
    one->left_s = last_s - one->begun_s;
    tournament_set(&cluster->finishes, worker, last_s);
    return end_s;
}

bool cluster_halt(struct cluster *cluster, uint32_t worker, double now_s) {
    struct worker *one = &cluster->worker[worker];
    if (!one->computing || !one->up)
        return false;
    if (!isfinite(one->begun_s + one->left_s))
        cluster->hopes++;
    one->assignment.parts = one->part + 1;
    one->begun_s = fmin(one->begun_s, now_s);
    one->left_s = now_s - one->begun_s;
    expect_finish(cluster, worker);
    return true;
}

double cluster_cancel(struct cluster *cluster, uint32_t worker, double now_s) {
    struct worker *one = &cluster->worker[worker];
    double spent_s = cluster_spent(cluster, worker, now_s);
    if (one->computing) {
        if (isfinite(one->begun_s + one->left_s))
            cluster->hopes--;
        one->computing = false;
        tournament_withdraw(&cluster->finishes, worker);
    }
    upload_drop(cluster, worker);
    return spent_s;
}
