#include "written_tree.h"
#include <string.h>

/* Without its indices, as a key of a sweep may leave them out. */
static const char *bare_path(struct arena *arena, const char *path) {
    char *bare = arena_text(arena, path, strlen(path)), *end = bare;
    for (const char *at = path; *at; at++) {
        if (*at == '[')
            at += strcspn(at, "]");
        else
            *end++ = *at;
    }
    *end = '\0';
    return bare;
}

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

void written_tree_prepare(struct node *tree, const struct sweep *sweep, struct arena *arena) {
    if (tree->kind == NODE_MAPPING && type_is_swept(tree, sweep, arena))
        node_drop_implied(tree);
    for (struct node *child = tree->first; child; child = child->next)
        written_tree_prepare(child, sweep, arena);
}
