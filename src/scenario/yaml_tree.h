/* yaml_tree.h: scenario text to a located tree and back, on libyaml. Knows no key and no meaning. */
#ifndef LAGGARD_YAML_TREE_H
#define LAGGARD_YAML_TREE_H
#include "tree.h"

/* Reads a file of at most 4 MiB into a tree in `arena`. NULL after every mistake of syntax was told: not a file, empty,
 * NUL, invalid UTF-8, tabs, duplicate keys, aliases, tags, a second document, nesting deeper than 32, more than 200,000
 * nodes, keys that are not scalars, a root that is not a mapping. */
struct node *yaml_read_file(struct diag *diag, struct arena *arena, const char *file);
/* The same for a text, for values of --set; any node may be the root. `name` stands for the file in messages. */
struct node *yaml_read_text(struct diag *diag, struct arena *arena, const char *name, const char *text);
/* The tree as YAML text that reads back to an equal tree; resolved paths are written as seen from `folder`. Block
 * mappings, flow style for short leaves ({type: constant, value: 500ms}). Heap, NUL-ended. */
char *yaml_text(const struct node *root, const char *folder);
#endif
