/* `method: beta`: what it cannot draw is refused. */
#include "beta_rounds.h"
#include "section.h"

static bool entry_agrees(struct reading *reading, const struct node *mapping, const struct scenario *scenario,
                         const struct scheme_entry *entry) {
    const struct scheme *scheme = (const struct scheme *)entry->scheme.type;
    struct setting setting = scenario_setting(scenario, entry);
    struct limits limits = scheme->limits(entry->scheme.params, &setting);
    if (!scheme_whole_rounds(scheme, &limits))
        return key_error(reading, mapping, "type",
                         "method: beta draws rounds of one whole task for every worker, and %s has others",
                         scheme->head.name);
    if (scheme_closing_results(&entry->scheme, setting.shape, entry->wait) == 0)
        return key_error(
            reading, mapping, "wait",
            "method: beta draws the time of a certain result, and %s closes at no certain one here",
            entry->wait->type->name);
    if (entry->late == LATE_CANCEL)
        return true;
    return key_error(reading, mapping, "late",
                     "method: beta needs cancel: under %s a step depends on those before it",
                     late_names[entry->late]);
}

bool method_settle(struct reading *reading, const struct scenario *scenario) {
    const struct node *tree = reading->tree;
    struct sentence why;
    bool fine = true;
    if (scenario->method != METHOD_BETA)
        return true;
    if (scenario->problem.loss.type)
        fine = key_error(reading, tree, "method",
                         "beta draws the times of steps alone: it needs problem.loss: none");
    if (scenario->record.events)
        fine = key_error(reading, node_child(tree, "record"), "events",
                         "method: beta draws no worker, so nothing is known of what happens within a step");
    if (beta_rounds_refuses(&scenario->cluster, 1, &why))
        fine = key_error(reading, tree, "method",
                         "beta needs a step's times to be independent draws of one law, and the cluster %s",
                         why.text);
    const struct node *mapping = node_child(tree, "schemes")->first;
    for (uint32_t e = 0; e < scenario->schemes; e++, mapping = mapping->next)
        fine &= entry_agrees(reading, mapping, scenario, &scenario->scheme[e]);
    return fine;
}
