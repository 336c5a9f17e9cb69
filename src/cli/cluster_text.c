#include "cluster_text.h"
#include "number_text.h"
#include <math.h>
#include <string.h>

#define GROUPS_MAX 16 /* in the plan; more are counted */

static const char *joined(struct arena *arena, const char *text, const char *separator, const char *more) {
    return *text ? arena_format(arena, "%s%s%s", text, separator, more) : more;
}

static const char *item_text(struct arena *arena, const struct node *node) {
    const char *key = node->key ? node->key : "";
    if (node->kind == NODE_SCALAR)
        return arena_format(arena, "%s%s%s", key, *key ? "=" : "", node->text);
    if (node->kind == NODE_MAPPING)
        return arena_format(arena, "%s%s(%s)", key, *key ? " " : "", mapping_text(arena, node));
    const char *text = "";
    for (const struct node *part = node->first; part; part = part->next)
        text = joined(arena, text, " ", item_text(arena, part));
    return text;
}

const char *mapping_text(struct arena *arena, const struct node *mapping) {
    const struct node *type = node_child(mapping, "type");
    const char *text = type && type->text ? type->text : "";
    for (const struct node *node = mapping->first; node; node = node->next)
        if (!node->implied && node != type)
            text = joined(arena, text, " ", item_text(arena, node));
    return text;
}

/* What the topology makes of the network is not plain from its name. */
static const char *cluster_text(struct arena *arena, const struct scenario *scenario) {
    const struct cluster_spec *spec = &scenario->cluster;
    const char *text =
        arena_format(arena, "%s in %s, load %s, master %s s per step",
                     count_text(arena, spec->workers, "worker"), count_text(arena, spec->groups, "group"),
                     load_names[spec->load], number_text(arena, scenario->master_s));
    if (spec->order != ORDER_LISTED)
        text = arena_format(arena, "%s, order %s", text, order_names[spec->order]);
    if (spec->overlap)
        text = joined(arena, text, ", ", "overlap");
    if (spec->topology == TOPOLOGY_RING)
        text =
            joined(arena, text, ", ", "topology ring: results go along network.up, network.down is not used");
    return text;
}

static void mapping_row(struct arena *arena, struct text_table *table, const char *name,
                        const struct node *mapping) {
    if (mapping && !mapping->implied)
        text_table_row(table, (const char *const[]){name, mapping_text(arena, mapping)});
}

/* What has a table of its own, or goes without saying even where it is written. */
static bool is_plain(const struct node *node, const struct group_spec *spec) {
    static const char *const elsewhere[] = {"count", "speed", "compute", "delay"};
    for (size_t q = 0; q < sizeof elsewhere / sizeof *elsewhere; q++)
        if (strcmp(node->key, elsewhere[q]) == 0)
            return true;
    return node->implied || (strcmp(node->key, "joins") == 0 && spec->joins_s <= 0) ||
           (strcmp(node->key, "leaves") == 0 && isinf(spec->leaves_s));
}

static const char *group_text(struct arena *arena, const struct node *group, const struct group_spec *spec) {
    const char *text = "";
    for (const struct node *node = group->first; node; node = node->next) {
        if (is_plain(node, spec))
            continue;
        const char *words = node->kind == NODE_MAPPING ? mapping_text(arena, node) : node->text;
        text = joined(arena, text, ", ", arena_format(arena, "%s %s", node->key, words ? words : ""));
    }
    return text;
}

void cluster_rows(struct arena *arena, struct text_table *table, const struct scenario *scenario) {
    const struct node *cluster = node_child(scenario->tree, "cluster");
    const struct node *master = node_child(cluster, "master"), *group = node_child(cluster, "workers")->first;
    text_table_row(table, (const char *const[]){"cluster", cluster_text(arena, scenario)});
    mapping_row(arena, table, "network", node_child(cluster, "network"));
    mapping_row(arena, table, "link", master ? node_child(master, "link") : NULL);
    mapping_row(arena, table, "rack shock", node_child(cluster, "rack_shock"));
    uint32_t groups = scenario->cluster.groups;
    for (uint32_t g = 0; g < groups && g < GROUPS_MAX; g++, group = group->next) {
        const char *text = group_text(arena, group, &scenario->cluster.group[g]);
        if (*text)
            text_table_row(table, (const char *const[]){arena_format(arena, "group %u", g), text});
    }
    if (groups > GROUPS_MAX)
        text_table_row(
            table, (const char *const[]){"", arena_format(arena, "and %s more",
                                                          count_text(arena, groups - GROUPS_MAX, "group"))});
}

const char *cluster_left_out(struct arena *arena, const struct cluster_spec *spec) {
    bool failures = false, networks = spec->network || spec->link, comings = false;
    for (uint32_t g = 0; g < spec->groups; g++) {
        failures |= spec->group[g].failure != NULL;
        networks |= spec->group[g].network != NULL;
        comings |= spec->group[g].joins_s > 0 || isfinite(spec->group[g].leaves_s);
    }
    const char *text = failures ? "failures" : "";
    text = networks ? joined(arena, text, ", ", "networks") : text;
    text = comings ? joined(arena, text, ", ", "workers that join or leave") : text;
    return *text ? text : NULL;
}
