#include "expected_step.h"
#include "order_statistic.h"
#include <math.h>

static bool tasks_alone(const struct cluster_spec *spec) {
    bool alone = !spec->network && !spec->link && spec->topology == TOPOLOGY_SERVER;
    for (uint32_t g = 0; g < spec->groups; g++) {
        const struct group_spec *group = &spec->group[g];
        alone &= !group->network && !group->failure && group->joins_s <= 0 && isinf(group->leaves_s);
    }
    return alone;
}

static double task_work(const struct scenario *scenario, const struct scheme_entry *entry) {
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    struct setting setting = scenario_setting(scenario, entry);
    return scheme->limits(entry->scheme.params, &setting).work;
}

double expected_step_s(const struct scenario *scenario, const struct scheme_entry *entry) {
    uint32_t workers = scenario->cluster.workers;
    uint32_t results =
        scheme_closing_results(&entry->scheme, (struct shape){workers, entry->partitions}, entry->wait);
    bool fresh = entry->late == LATE_CANCEL || results == workers;
    double work = task_work(scenario, entry);
    if (results == 0 || work <= 0 || !fresh || !tasks_alone(&scenario->cluster))
        return (double)NAN;
    double round_s = cluster_order_mean(&scenario->cluster, work, results) + scenario->master_s;
    return scenario_accumulated(scenario) * round_s;
}
