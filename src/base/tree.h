/* tree.h: a scenario as a tree of located nodes: mappings, lists and scalars.
 * Knows no syntax (scenario/yaml_tree.h reads it) and no meaning (param.h gives it). */
#ifndef LAGGARD_TREE_H
#define LAGGARD_TREE_H
#include "diag.h"
#include "memory.h"

enum node_kind { NODE_SCALAR, NODE_MAPPING, NODE_LIST };

struct node {
    enum node_kind kind;
    bool quoted;        /* a scalar written in quotes: text, never a number or a word */
    bool implied;       /* not written by the user: a default */
    struct place place; /* of the value */
    const char *key;    /* in a mapping, else NULL */
    struct place key_place;
    const char *text;     /* of a scalar; no NUL inside */
    const char *resolved; /* of a scalar that names a file: the path that was resolved against the scenario's
                             folder; NULL for every other node */
    struct node *parent, *first, *last, *next;
    size_t children;
};

/* Nodes live in the arena. `text` is copied. */
struct node *node_scalar(struct arena *arena, struct place place, const char *text);
struct node *node_mapping(struct arena *arena, struct place place);
struct node *node_list(struct arena *arena, struct place place);

/* Appends `child` to a list, or to a mapping under `key` (copied), whose place is the child's unless it has one. */
void node_append(struct arena *arena, struct node *parent, const char *key, struct node *child);

/* Removes the children that are defaults. */
void node_drop_implied(struct node *parent);

/* The child of a mapping under `key`, or NULL. */
struct node *node_child(const struct node *mapping, const char *key);

/* A deep copy in `arena`. */
struct node *node_clone(struct arena *arena, const struct node *node);

/* The key path from the root, such as cluster.workers[1].count; empty for the root. In the arena. */
const char *node_path(struct arena *arena, const struct node *node);

/* Puts a copy of `value` at `path` below `root`, creating absent mappings on the way, replacing what is there.
 * `schemes.stragglers` (a list followed by a key) means every element of the list: those that already hold the
 * key are replaced; where none holds it, it is put into all. A path that leads through a scalar, an index out
 * of range or malformed text is refused: returns false and writes why. */
bool node_set(struct arena *arena, struct node *root, const char *path, const struct node *value,
              struct sentence *why);

/* 1 when both have the same kinds, keys (in any order) and texts; places do not matter. */
bool node_equal(const struct node *a, const struct node *b);

void node_error(struct diag *diag, const struct node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4))); /* at the value, with its key path */
void node_warning(struct diag *diag, const struct node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#endif
