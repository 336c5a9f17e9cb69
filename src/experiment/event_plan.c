#include "event_plan.h"
#include "moment.h"

/* open, close and update of the master; model of every worker, and that on its way where it takes time; start, delay, finish,
 * arrival and use of every part of its task. */
#define EVENTS_STEP   3.0
#define EVENTS_WORKER 1.0
#define EVENTS_PART   5.0

double events_expected(const struct scenario *scenario, const struct scheme_entry *entry, double steps) {
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    struct setting setting = scenario_setting(scenario, entry);
    uint32_t parts = scheme->limits(entry->scheme.params, &setting).parts;
    double each = EVENTS_WORKER + (scenario->cluster.network ? 1 : 0) + EVENTS_PART * (parts > 0 ? parts : 1);
    return steps * scenario_accumulated(scenario) * (EVENTS_STEP + each * scenario->cluster.workers);
}

bool plan_records_events(const struct plan *plan) {
    for (size_t q = 0; q < plan->points; q++)
        if (plan->point[q].scenario->record.events)
            return true;
    return false;
}

static const struct node *events_node(const struct scenario *scenario) {
    return node_child(node_child(scenario->tree, "record"), "events");
}

bool event_plan_check(const struct plan *plan, struct diag *diag) {
    const struct scenario *asking = NULL;
    double events = 0;
    for (size_t q = 0; q < plan->points; q++) {
        const struct scenario *scenario = plan->point[q].scenario;
        if (!scenario->record.events)
            continue;
        asking = scenario;
        if (scenario->stop.steps == PARAM_ABSENT) {
            node_error(diag, events_node(scenario),
                       "events are recorded only where stop.steps says how many there can be");
            return false;
        }
        for (uint32_t e = 0; e < scenario->schemes; e++)
            events += scenario->replications *
                      events_expected(scenario, &scenario->scheme[e], scenario->stop.steps);
    }
    if (events <= MOMENTS_MAX)
        return true;
    node_error(
        diag, events_node(asking),
        "about %.2g events would be recorded, of at most %u; lower stop.steps or replications, or look "
        "at one run with 'laggard trace'",
        events, MOMENTS_MAX);
    return false;
}
