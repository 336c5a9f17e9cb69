/* yaml_tree.h: scenario text to a located tree and back, on libyaml. Knows no key and no meaning. */
#ifndef LAGGARD_YAML_TREE_H
#define LAGGARD_YAML_TREE_H
#include "tree.h"

/* Reads a file of at most 4 MiB into a tree in `arena`; `file` is kept in the places. NULL after every mistake of syntax
 * was told: not a file, empty, NUL, invalid UTF-8, tabs that indent, duplicate keys, anchors, aliases, tags, merge keys,
 * a second document, nesting deeper than 32, more than 200,000 nodes, 1,000 keys in a mapping or 200 bytes in a key, keys
 * that are not scalars, a root that is not a mapping. A mistake that libyaml meets ends the reading. */
struct node *yaml_read_file(struct diag *diag, struct arena *arena, const char *file);
/* The same for a text, for values of --set; any node may be the root. `name` stands for the file in messages. */
struct node *yaml_read_text(struct diag *diag, struct arena *arena, const char *name, const char *text);
/* The comment lines at the top of a file that was read, as they stand, each ended by a line feed; "" without any. Heap. */
char *yaml_header(const char *file);
/* The tree as YAML text that reads back to an equal tree. Resolved paths are written as seen from `folder` (NULL: as they
 * stand), absolute ones kept. Block mappings, flow style for short leaves ({type: constant, value: 500ms}); quotes only
 * where a text would read as something else. Heap, NUL-ended. */
char *yaml_text(const struct node *root, const char *folder);
#endif
