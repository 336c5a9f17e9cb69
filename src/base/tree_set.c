#include "tree.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Deeper than any scenario goes; bounds the recursion of all that walks a tree. */
enum { ROUTE_STEPS = 32 };

/* One step down: into a mapping's key, or (key NULL) to a list's item. */
struct step {
    const char *key;
    size_t item;
};

struct route {
    struct step step[ROUTE_STEPS];
    size_t steps;
};

/* A value on its way; `value` NULL: only look whether it would get there. */
struct placement {
    struct arena *arena;
    const struct route *route;
    const struct node *value;
    struct sentence *why;
};

static bool put(const struct placement *placement, struct node *node, size_t s);

/* Reads [12] or a key at *text, moves behind it. */
static bool step_read(struct arena *arena, const char **text, struct step *step) {
    if (**text == '[') {
        size_t digits = strspn(*text + 1, "0123456789");
        if (digits == 0 || digits > 9 || (*text)[digits + 1] != ']')
            return false;
        step->key = NULL;
        step->item = strtoul(*text + 1, NULL, 10);
        *text += digits + 2;
        return true;
    }
    size_t length = strcspn(*text, ".[]");
    step->key = arena_text(arena, *text, length);
    *text += length;
    return length > 0;
}

static bool route_read(struct arena *arena, const char *path, struct route *route) {
    const char *text = path;
    for (route->steps = 0; route->steps < ROUTE_STEPS;) {
        if (!step_read(arena, &text, &route->step[route->steps++]))
            return false;
        if (*text == '\0')
            return true;
        if (*text == '.' && text[1] != '[')
            text++;
        else if (*text != '[')
            return false;
    }
    return false;
}

static const char *place_name(const struct placement *placement, const struct node *node) {
    if (node->parent == NULL)
        return "the top level";
    return arena_format(placement->arena, "'%s'", node_path(placement->arena, node));
}

static const char *kind_name(const struct node *node) {
    static const char *const name[] = {
        [NODE_SCALAR] = "a single value", [NODE_MAPPING] = "a mapping", [NODE_LIST] = "a list"};
    return name[node->kind];
}

/* Puts a copy of the value in the place of `old`. */
static void replace(const struct placement *placement, struct node *old) {
    struct node *parent = old->parent, *copy = node_clone(placement->arena, placement->value);
    copy->parent = parent;
    copy->key = old->key;
    copy->key_place = old->key_place;
    copy->next = old->next;
    struct node **link = &parent->first;
    while (*link != old)
        link = &(*link)->next;
    *link = copy;
    if (parent->last == old)
        parent->last = copy;
}

/* On to `child`, which is there: by replacing it at the end of the route. */
static bool put_at(const struct placement *placement, struct node *child, size_t s) {
    if (s + 1 < placement->route->steps)
        return put(placement, child, s + 1);
    if (placement->value != NULL)
        replace(placement, child);
    return true;
}

static bool put_item(const struct placement *placement, struct node *list, size_t s) {
    size_t item = placement->route->step[s].item;
    if (list->kind != NODE_LIST) {
        sentence_set(placement->why, "%s is %s: [%zu] needs a list", place_name(placement, list),
                     kind_name(list), item);
        return false;
    }
    if (item >= list->children) {
        sentence_set(placement->why, "%s has %zu %s, counted from [0]: there is no [%zu]",
                     place_name(placement, list), list->children, list->children == 1 ? "entry" : "entries",
                     item);
        return false;
    }
    struct node *child = list->first;
    for (size_t i = 0; i < item; i++)
        child = child->next;
    return put_at(placement, child, s);
}

/* Into every element that holds the key; where none does, into all. */
static bool put_everywhere(const struct placement *placement, struct node *list, size_t s) {
    const char *key = placement->route->step[s].key;
    size_t holders = 0;
    for (struct node *item = list->first; item != NULL; item = item->next)
        holders += node_child(item, key) != NULL;
    if (list->children == 0) {
        sentence_set(placement->why, "%s is an empty list: no entry can take '%s'",
                     place_name(placement, list), key);
        return false;
    }
    for (struct node *item = list->first; item != NULL; item = item->next)
        if (holders == 0 || node_child(item, key) != NULL)
            if (!put(placement, item, s))
                return false;
    return true;
}

/* A key that `mapping` lacks: mappings are made on the way, lists are not. */
static bool put_new(const struct placement *placement, struct node *mapping, size_t s) {
    const struct route *route = placement->route;
    for (size_t after = s + 1; after < route->steps; after++)
        if (route->step[after].key == NULL) {
            sentence_set(placement->why, "%s has no key '%s', so there is no [%zu]",
                         place_name(placement, mapping), route->step[after - 1].key, route->step[after].item);
            return false;
        }
    if (placement->value == NULL)
        return true;
    struct node *last = mapping;
    for (; s + 1 < route->steps; s++) {
        struct node *between = node_mapping(placement->arena, placement->value->place);
        between->key_place = placement->value->key_place;
        node_append(placement->arena, last, route->step[s].key, between);
        last = between;
    }
    node_append(placement->arena, last, route->step[s].key, node_clone(placement->arena, placement->value));
    return true;
}

static bool put(const struct placement *placement, struct node *node, size_t s) {
    const char *key = placement->route->step[s].key;
    if (key == NULL)
        return put_item(placement, node, s);
    if (node->kind == NODE_LIST)
        return put_everywhere(placement, node, s);
    if (node->kind == NODE_SCALAR) {
        sentence_set(placement->why, "%s is the single value '%.60s': it holds no key '%s'",
                     place_name(placement, node), node->text, key);
        return false;
    }
    struct node *child = node_child(node, key);
    return child != NULL ? put_at(placement, child, s) : put_new(placement, node, s);
}

bool node_set(struct arena *arena, struct node *root, const char *path, const struct node *value,
              struct sentence *why) {
    struct route route;
    if (!route_read(arena, path, &route)) {
        sentence_set(why, "'%.60s' is not a key path such as cluster.workers[1].count", path);
        return false;
    }
    /* A refusal half way through the elements of a list would leave a tree that nobody asked for: look first. */
    struct placement placement = {arena, &route, NULL, why};
    if (!put(&placement, root, 0))
        return false;
    placement.value = value;
    return put(&placement, root, 0);
}
