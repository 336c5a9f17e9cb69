/* Which numbers of the optimizer are tuned, and in which intervals. */
#include "section.h"
#include <math.h>
#include <string.h>

struct tune_values {
    struct node *learning_rate, *momentum;
};
#define TUNE(member) offsetof(struct tune_values, member)
static const struct param tune_params[] = {
    {"learning_rate", PARAM_ANY, TUNE(learning_rate), "", .help = "[low, high]: searched by its logarithm"},
    {"momentum", PARAM_ANY, TUNE(momentum), "",
     .help = "[low, high]: searched by the logarithm of 1 - momentum"},
};
static const struct param_table tune_table = {PARAM_TABLE(struct tune_values, tune_params)};

static bool swept(const struct node *tree, const char *key) {
    const struct node *sweep = node_child(tree, "sweep");
    for (const struct node *axis = sweep ? sweep->first : NULL; axis; axis = axis->next) {
        const char *dot = strrchr(axis->key, '.');
        if (strncmp(axis->key, "optimizer.", strlen("optimizer.")) == 0 && strcmp(dot + 1, key) == 0)
            return true;
    }
    return false;
}

static bool accepted(const struct param *param, const struct node *node, double *value) {
    double maximum = param->maximum > param->minimum ? param->maximum : (double)INFINITY;
    return node->kind == NODE_SCALAR && !node->quoted && param_number(node->text, value) &&
           *value >= param->minimum && *value <= maximum &&
           (!param->above_minimum || *value > param->minimum);
}

static bool interval_read(struct reading *reading, struct node *mapping, const struct param *param,
                          struct tuned_range *range) {
    const struct node *list = node_child(mapping, range->key);
    struct sentence values;
    param_range(param, &values);
    if (list->kind != NODE_LIST || list->children != 2)
        return key_error(reading, mapping, range->key, "must be an interval [low, high], both %s",
                         values.text);
    const struct node *end[] = {list->first, list->first->next};
    double *value[] = {&range->low, &range->high};
    for (size_t q = 0; q < 2; q++)
        if (!accepted(param, end[q], value[q]))
            return key_error(reading, mapping, range->key, "must be an interval [low, high], both %s",
                             values.text);
    if (range->low >= range->high)
        return key_error(reading, mapping, range->key,
                         "must be an interval [low, high] with low below high, found [%s, %s]", end[0]->text,
                         end[1]->text);
    return true;
}

static bool range_read(struct reading *reading, struct node *mapping, const char *key,
                       struct scenario *scenario) {
    struct tuned_range *range = &scenario->tuned[scenario->tunes++];
    range->key = key;
    const struct param *param = optimizer_number(scenario->optimizer, key);
    if (!param)
        return key_error(reading, mapping, key, "is no number of optimizer.type: %s, so it cannot be tuned",
                         scenario->optimizer->optimizer.type->name);
    if (swept(reading->tree, key))
        return key_error(reading, mapping, key,
                         "is searched for every scheme, so sweep.optimizer.%s has no meaning: leave out one",
                         key);
    return interval_read(reading, mapping, param, range);
}

bool tune_read(struct reading *reading, struct node *mapping, struct scenario *scenario) {
    struct tune_values values = {0};
    if (mapping->kind == NODE_SCALAR && !mapping->quoted && strcmp(mapping->text, "none") == 0)
        return true;
    if (!scenario->optimizer)
        return key_error(reading, reading->tree, "tune",
                         "has no meaning with problem.loss: none, which updates no model");
    if (!param_bind(&reading->binder, mapping, &tune_table, &values))
        return false;
    bool fine = true;
    for (size_t q = 0; q < tune_table.count; q++)
        if (node_child(mapping, tune_params[q].name))
            fine &= range_read(reading, mapping, tune_params[q].name, scenario);
    if (scenario->tunes == 0)
        return key_error(reading, reading->tree, "tune", "must name learning_rate or momentum, or both");
    return fine;
}
