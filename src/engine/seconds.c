#include "cluster_inside.h"
#include <math.h>

const char *const load_names[] = {"additive", "multiplicative", "independent", NULL};

static struct occasion occasion_of(const struct cluster *cluster, enum purpose purpose, uint32_t worker,
                                   uint32_t step) {
    struct stream stream = {cluster->run.seed, cluster->run.replication, purpose};
    return (struct occasion){{stream, worker, step, 0}, cluster->worker[worker].member};
}

static double sampled(const struct picked *law, struct occasion occasion) {
    return law ? law_sample(law, occasion) : 0;
}

static double regime_draw(const struct cluster *cluster, uint32_t worker, uint32_t step) {
    struct occasion occasion = occasion_of(cluster, PURPOSE_REGIME, worker, step);
    return draw_unit(&occasion.draw);
}

void seconds_begin(struct cluster *cluster, uint32_t worker) {
    struct worker *one = &cluster->worker[worker];
    const struct regime_spec *regime = one->group->regime;
    one->slowness = 1;
    if (one->group->slowness)
        one->slowness = law_sample(one->group->slowness, occasion_of(cluster, PURPOSE_SLOWNESS, worker, 0));
    if (regime)
        one->slow = regime_draw(cluster, worker, 0) * (regime->p_slow + regime->p_recover) < regime->p_slow;
}

/* The chain moves once a step, whether or not the worker has a task in it. */
static double regime_factor(struct cluster *cluster, uint32_t worker, uint32_t step) {
    struct worker *one = &cluster->worker[worker];
    const struct regime_spec *regime = one->group->regime;
    if (!regime)
        return 1;
    while (one->regime_step < step) {
        double change = one->slow ? regime->p_recover : regime->p_slow;
        one->slow ^= regime_draw(cluster, worker, ++one->regime_step) < change;
    }
    return one->slow ? regime->slowdown : 1;
}

/* Keyed by the rack, so that all its workers are struck alike. */
static double shock_seconds(const struct cluster *cluster, uint32_t worker, uint32_t step) {
    const struct shock_spec *shock = cluster->spec->shock;
    uint32_t rack = cluster->worker[worker].group->rack;
    if (!shock || rack == PARAM_ABSENT)
        return 0;
    struct stream stream = {cluster->run.seed, cluster->run.replication, PURPOSE_RACK};
    struct occasion occasion = {{stream, rack, step, 0}, 0};
    return draw_unit(&occasion.draw) < shock->probability ? law_sample(&shock->law, occasion) : 0;
}

/* What is drawn for a task; and from where a task of independent partitions goes on drawing. */
struct drawn {
    double compute_s, delay_s; /* of one partition, of the task */
    struct occasion compute, delay;
};

static void draw(const struct group_spec *group, struct drawn *drawn) {
    drawn->compute_s = sampled(group->compute, drawn->compute) / group->speed;
    drawn->delay_s = sampled(group->delay, drawn->delay);
}

static void seconds_at_once(const struct cluster *cluster, uint32_t parts, const struct drawn *drawn,
                            double *seconds) {
    bool each = cluster->spec->load == LOAD_MULTIPLICATIVE;
    for (uint32_t q = 0; q < parts; q++)
        seconds[q] = each ? seconds[q] * (drawn->compute_s + drawn->delay_s)
                          : seconds[q] * drawn->compute_s + drawn->delay_s;
}

/* Every partition has draws of its own. */
static void seconds_independent(const struct group_spec *group, uint32_t parts, struct drawn *drawn,
                                double *seconds) {
    double sum = 0, partition = 0;
    for (uint32_t q = 0; q < parts; q++) {
        for (; partition < seconds[q]; partition++) {
            draw(group, drawn);
            sum += drawn->compute_s + drawn->delay_s;
            drawn->compute.draw.draw += LAW_DRAWS;
            drawn->delay.draw.draw += LAW_DRAWS;
        }
        seconds[q] = sum;
    }
}

/* Nothing of what never ends is nothing, and so is endlessly much of nothing. A missing measurement stays missing. */
static double scaled(double seconds, double factor) {
    return isinf(seconds + factor) && (seconds == 0 || factor == 0) ? 0 : seconds * factor;
}

/* A worker's task of a step. */
struct errand {
    uint32_t worker, step, parts;
};

static void parts_seconds(struct cluster *cluster, const struct group_spec *group, struct errand errand,
                          double *seconds) {
    uint32_t worker = errand.worker, step = errand.step, parts = errand.parts;
    struct drawn drawn = {.compute = occasion_of(cluster, PURPOSE_COMPUTE, worker, step),
                          .delay = occasion_of(cluster, PURPOSE_DELAY, worker, step)};
    double factor = cluster->worker[worker].slowness * regime_factor(cluster, worker, step);
    double shock_s = shock_seconds(cluster, worker, step);
    if (cluster->spec->load == LOAD_INDEPENDENT) {
        seconds_independent(group, parts, &drawn, seconds);
    } else {
        draw(group, &drawn);
        seconds_at_once(cluster, parts, &drawn, seconds);
    }
    for (uint32_t q = 0; q < parts; q++)
        seconds[q] = scaled(seconds[q], factor) + shock_s;
}

void cluster_parts_seconds(struct cluster *cluster, uint32_t worker, uint32_t step, uint32_t parts,
                           double *seconds) {
    parts_seconds(cluster, cluster->worker[worker].group, (struct errand){worker, step, parts}, seconds);
}

/* The same task of a worker that computes in no time. */
void cluster_parts_delays(struct cluster *cluster, uint32_t worker, uint32_t step, uint32_t parts,
                          double *seconds) {
    struct group_spec quick = *cluster->worker[worker].group;
    quick.compute = NULL;
    parts_seconds(cluster, &quick, (struct errand){worker, step, parts}, seconds);
}

double cluster_task_seconds(struct cluster *cluster, uint32_t worker, uint32_t step, double work) {
    double seconds = work;
    cluster_parts_seconds(cluster, worker, step, 1, &seconds);
    return seconds;
}

void cluster_tasks_seconds(struct cluster *cluster, const struct errands *errands, double *seconds) {
    for (uint32_t q = 0; q < errands->tasks; q++)
        seconds[q] = cluster_task_seconds(cluster, errands->worker, errands->step + q, 1);
}

/* Computing goes on while a message is on its way: delays do not add up. */
double cluster_message_seconds(struct cluster *cluster, uint32_t worker, uint32_t step,
                               const struct message_work *of) {
    const struct group_spec *group = cluster->worker[worker].group;
    struct occasion compute = occasion_of(cluster, PURPOSE_COMPUTE, worker, step);
    struct occasion delay = occasion_of(cluster, PURPOSE_DELAY, worker, step);
    delay.draw.draw = of->message * LAW_DRAWS;
    double factor = cluster->worker[worker].slowness * regime_factor(cluster, worker, step);
    double delays = cluster->spec->load == LOAD_MULTIPLICATIVE ? of->own : 1;
    double seconds =
        of->work * (sampled(group->compute, compute) / group->speed) + delays * sampled(group->delay, delay);
    return scaled(seconds, factor) + shock_seconds(cluster, worker, step);
}

static double measured(double seconds) {
    return isnan(seconds) ? 0 : seconds;
}

double cluster_warmup_seconds(struct cluster *cluster, uint32_t worker, double work) {
    const struct worker *one = &cluster->worker[worker];
    double compute = sampled(one->group->compute, occasion_of(cluster, PURPOSE_WARMUP_COMPUTE, worker, 0));
    double delay = sampled(one->group->delay, occasion_of(cluster, PURPOSE_WARMUP_DELAY, worker, 0));
    double factor = one->slowness * regime_factor(cluster, worker, 0);
    double computing = scaled(work * (measured(compute) / one->group->speed) + measured(delay), factor);
    double way = one->network ? one->network->down->latency_s +
                                    cluster->run.model_bytes / one->network->down->bytes_per_s
                              : 0;
    return computing + way;
}
