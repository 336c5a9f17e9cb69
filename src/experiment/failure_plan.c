#include "failure_plan.h"
#include "outlook.h"
#include <math.h>

/* Of the time that has passed: a double holds 2e-16 of it, and a thousandth of a time to failure should be told. */
#define RESOLUTION 1e-13

/* Partitions that a task has; at most, where tasks differ or end piece by piece. */
static double work_most(const struct scenario *scenario, const struct scheme_entry *entry) {
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    struct setting setting = scenario_setting(scenario, entry);
    struct limits limits = scheme->limits(entry->scheme.params, &setting);
    double pieces = (double)cut_pieces(&limits.cut) * setting.shape.partitions;
    return limits.work > 0 ? limits.work : limits.evaluations * setting.shape.workers / pieces;
}

static double message_seconds(const struct path_spec *path, double bytes) {
    return path->latency_s + bytes / path->bytes_per_s;
}

/* Both ways, and the wait for all others on a link that is shared. */
static double network_seconds(const struct scenario *scenario, const struct group_spec *group) {
    const struct cluster_spec *spec = &scenario->cluster;
    const struct network_spec *network = group->network ? group->network : spec->network;
    double seconds = network ? message_seconds(network->down, scenario->model_bytes) +
                                   message_seconds(network->up, scenario->result_bytes)
                             : 0;
    if (spec->link && spec->link->sharing != SHARING_NONE)
        seconds += spec->workers * scenario->result_bytes / spec->link->bytes_per_s;
    return seconds;
}

static double step_seconds(const struct scenario *scenario, double work) {
    double longest_s = 0;
    for (uint32_t g = 0; g < scenario->cluster.groups; g++) {
        const struct group_spec *group = &scenario->cluster.group[g];
        longest_s = fmax(longest_s, group_usual_seconds(&scenario->cluster, group, work) +
                                        network_seconds(scenario, group));
    }
    return longest_s + scenario->master_s;
}

double failures_expected(const struct scenario *scenario, const struct scheme_entry *entry, uint32_t g) {
    const struct group_spec *group = &scenario->cluster.group[g];
    const struct failure_spec *failure = group->failure;
    if (!failure || isinf(failure->mean_time_to_repair_s))
        return 0;
    double work = work_most(scenario, entry);
    double cycle_s = failure->mean_time_to_failure_s + failure->mean_time_to_repair_s;
    return fmax(group_usual_seconds(&scenario->cluster, group, work) / failure->mean_time_to_failure_s,
                step_seconds(scenario, work) / cycle_s);
}

static double failures_most(const struct scenario *scenario, uint32_t g) {
    double most = 0;
    for (uint32_t e = 0; e < scenario->schemes; e++)
        most = fmax(most, failures_expected(scenario, &scenario->scheme[e], g));
    return most;
}

/* When the run is over at the latest: after its steps, each with the failures of one worker, or its seconds. */
static double end_seconds(const struct scenario *scenario, uint32_t g, double failures) {
    double end_s = (double)INFINITY, longest_s = 0;
    for (uint32_t e = 0; e < scenario->schemes; e++)
        longest_s = fmax(longest_s, step_seconds(scenario, work_most(scenario, &scenario->scheme[e])));
    longest_s += failures * scenario->cluster.group[g].failure->mean_time_to_repair_s;
    if (scenario->stop.steps != PARAM_ABSENT)
        end_s = scenario->stop.steps * scenario_accumulated(scenario) * longest_s;
    return isnan(scenario->stop.seconds_s) ? end_s : fmin(end_s, scenario->stop.seconds_s + longest_s);
}

static bool group_check(const struct scenario *scenario, uint32_t g, const struct node *place,
                        struct diag *diag) {
    double failures = failures_most(scenario, g);
    if (failures > FAILURES_STEP_MAX) {
        node_error(diag, place,
                   "a worker would fail about %.2g times in a step, of at most %d; raise it, or let slowness "
                   "or a regime stand for interruptions as short",
                   failures, FAILURES_STEP_MAX);
        return false;
    }
    double end_s = failures > 0 ? end_seconds(scenario, g, failures) : 0;
    if (scenario->cluster.group[g].failure->mean_time_to_failure_s >= end_s * RESOLUTION)
        return true;
    node_error(diag, place,
               "is too short beside the %.2g s that a run may last: its clock tells times apart by %g of "
               "that; lower mean_time_to_repair or stop",
               end_s, RESOLUTION);
    return false;
}

static bool scenario_check(const struct scenario *scenario, struct diag *diag) {
    const struct node *node = node_child(node_child(scenario->tree, "cluster"), "workers")->first;
    bool fine = true;
    for (uint32_t g = 0; g < scenario->cluster.groups; g++, node = node->next)
        if (scenario->cluster.group[g].failure)
            fine &= group_check(scenario, g, node_child(node_child(node, "failure"), "mean_time_to_failure"),
                                diag);
    return fine;
}

bool failure_plan_check(const struct plan *plan, struct diag *diag) {
    bool fine = true;
    for (size_t q = 0; q < plan->points && fine; q++)
        fine = scenario_check(plan->point[q].scenario, diag);
    return fine;
}
