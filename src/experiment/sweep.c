#include "axes.h"
#include "scenario.h"
#include <string.h>

#define MOST_POINTS 100000

static bool sweepable(struct diag *diag, const struct node *values) {
    static const char *const fixed[] = {"name", "sweep", "skip_invalid", "record", NULL};
    size_t stem = strcspn(values->key, ".[");
    for (size_t k = 0; fixed[k]; k++)
        if (strlen(fixed[k]) == stem && strncmp(values->key, fixed[k], stem) == 0) {
            node_error(diag, values, "'%s' cannot be swept", values->key);
            return false;
        }
    if (values->kind == NODE_LIST && values->children > 0)
        return true;
    node_error(diag, values, "expected a list of values such as [1, 2, 3]");
    return false;
}

const char *bare_path(struct arena *arena, const char *path) {
    char *bare = arena_text(arena, path, strlen(path)), *end = bare;
    for (const char *at = path; *at; at++) {
        if (*at == '[')
            at += strcspn(at, "]") - (at[strcspn(at, "]")] == '\0');
        else
            *end++ = *at;
    }
    *end = '\0';
    return bare;
}

bool sweep_read(struct sweep *sweep, struct diag *diag, struct arena *arena, const struct node *root) {
    const struct node *mapping = node_child(root, "sweep");
    size_t errors = diag_errors(diag);
    *sweep = (struct sweep){.points = 1};
    if (!mapping)
        return true;
    if (mapping->kind != NODE_MAPPING) {
        node_error(diag, mapping, "expected a mapping of keys to lists of values");
        return false;
    }
    sweep->axis = arena_zeroed(arena, mapping->children, sizeof *sweep->axis);
    for (struct node *values = mapping->first; values; values = values->next) {
        if (!sweepable(diag, values))
            continue;
        for (struct node *value = values->first; value; value = value->next)
            value->key_place = values->key_place;
        sweep->axis[sweep->axes++] = (struct axis){values->key, values};
        sweep->points *= values->children;
        if (sweep->points > MOST_POINTS) {
            node_error(diag, mapping, "more than %d points", MOST_POINTS);
            return false;
        }
    }
    return diag_errors(diag) == errors && axes_apart(sweep, diag, arena);
}

/* `with` takes the place of `node` among its siblings. */
static void replace_node(struct node *node, const struct node *with, const char *key) {
    struct node *parent = node->parent, *next = node->next;
    *node = *with;
    node->parent = parent;
    node->next = next;
    node->key = key;
    node->key_place = with->place;
    for (struct node *child = node->first; child; child = child->next)
        child->parent = node;
}

bool sweep_put(struct arena *arena, struct node *root, const char *key, const struct node *values,
               struct sentence *why) {
    struct node *mapping = node_child(root, "sweep");
    if (!mapping)
        node_append(arena, root, "sweep", mapping = node_mapping(arena, values->place));
    if (mapping->kind != NODE_MAPPING) {
        sentence_set(why, "cannot be added: the scenario's sweep is not a mapping");
        return false;
    }
    for (struct node *axis = mapping->first; axis; axis = axis->next)
        if (axis_keys_same(axis->key, key)) {
            replace_node(axis, node_clone(arena, values), arena_text(arena, key, strlen(key)));
            return true;
        }
    node_append(arena, mapping, key, node_clone(arena, values));
    return true;
}

struct node *sweep_value(const struct sweep *sweep, size_t point, size_t axis) {
    size_t stride = 1;
    for (size_t later = axis + 1; later < sweep->axes; later++)
        stride *= sweep->axis[later].values->children;
    struct node *value = sweep->axis[axis].values->first;
    for (size_t steps = point / stride % sweep->axis[axis].values->children; steps > 0; steps--)
        value = value->next;
    return value;
}

const char *sweep_text(struct arena *arena, const struct node *node) {
    const char *text = node->kind == NODE_MAPPING ? "{" : "[", *end = node->kind == NODE_MAPPING ? "}" : "]";
    if (node->kind == NODE_SCALAR)
        return node->text;
    for (const struct node *child = node->first; child; child = child->next)
        text = arena_format(arena, "%s%s%s%s%s", text, child == node->first ? "" : ", ",
                            child->key ? child->key : "", child->key ? ": " : "", sweep_text(arena, child));
    return arena_format(arena, "%s%s", text, end);
}

static bool table_has(const struct param_table *table, const char *name) {
    for (size_t e = 0; table && e < table->count; e++)
        if (strcmp(table->param[e].name, name) == 0)
            return true;
    return false;
}

/* As a key of every entry, or as a parameter of its type. */
static bool scheme_has(const struct node *entry, const char *name) {
    const struct node *type = node_child(entry, "type");
    const struct variant *variant =
        type && type->kind == NODE_SCALAR ? family_find(&scheme_family, type->text) : NULL;
    return table_has(&scheme_entry_table, name) || (variant && table_has(variant->params, name));
}

static bool put_in_schemes(struct arena *arena, struct node *root, const char *key, const struct node *value,
                           struct sentence *why) {
    const struct node *schemes = node_child(root, "schemes");
    const char *name = key + strlen("schemes.");
    const char *stem = arena_text(arena, name, strcspn(name, ".["));
    size_t index = 0, holders = 0;
    for (const struct node *entry = schemes->first; entry; entry = entry->next, index++) {
        if (entry->kind != NODE_MAPPING || !scheme_has(entry, stem))
            continue;
        holders++;
        if (!node_set(arena, root, arena_format(arena, "schemes[%zu].%s", index, name), value, why))
            return false;
    }
    if (holders == 0)
        sentence_set(why, "no scheme has a parameter '%s'", stem);
    return holders > 0;
}

bool setting_put(struct arena *arena, struct node *root, const char *key, const struct node *value,
                 struct sentence *why) {
    const struct node *schemes = node_child(root, "schemes");
    if (strncmp(key, "schemes.", strlen("schemes.")) == 0 && schemes && schemes->kind == NODE_LIST)
        return put_in_schemes(arena, root, key, value, why);
    return node_set(arena, root, key, value, why);
}
