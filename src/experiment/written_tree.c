#include "written_tree.h"
#include <string.h>

static bool type_is_swept(const struct node *mapping, const struct sweep *sweep, struct arena *arena) {
    const struct node *type = node_child(mapping, "type");
    if (!type)
        return false;
    const char *path = bare_path(arena, node_path(arena, type));
    for (size_t a = 0; a < sweep->axes; a++)
        if (strcmp(bare_path(arena, sweep->axis[a].key), path) == 0)
            return true;
    return false;
}

static void drop_defaults_of_types(struct node *tree, const struct sweep *sweep, struct arena *arena) {
    if (tree->kind == NODE_MAPPING && type_is_swept(tree, sweep, arena))
        node_drop_implied(tree);
    for (struct node *child = tree->first; child; child = child->next)
        drop_defaults_of_types(child, sweep, arena);
}

/* The node of `tree` that was copied from `value`, by its place in the file. */
static const struct node *copy_of(const struct node *tree, const struct node *value) {
    if (tree->kind == NODE_SCALAR && tree->resolved && tree->place.line == value->place.line &&
        tree->place.column == value->place.column && tree->place.file == value->place.file)
        return tree;
    for (const struct node *child = tree->first; child; child = child->next) {
        const struct node *found = copy_of(child, value);
        if (found)
            return found;
    }
    return NULL;
}

void written_tree_resolve(struct node *value, const struct node *bound) {
    if (value->kind == NODE_SCALAR && !value->resolved) {
        const struct node *copy = copy_of(bound, value);
        value->resolved = copy ? copy->resolved : NULL;
    }
    for (struct node *child = value->first; child; child = child->next)
        written_tree_resolve(child, bound);
}

void written_tree_prepare(struct node *tree, const struct node *root, const struct sweep *sweep,
                          struct arena *arena) {
    struct sentence why;
    if (sweep->axes == 0)
        return;
    drop_defaults_of_types(tree, sweep, arena);
    node_set(arena, tree, "sweep", node_child(root, "sweep"), &why);
}
