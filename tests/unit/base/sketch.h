/* sketch.h: trees for tests from a line such as {a: 1, b: [x, 'y']}. Knows no YAML: the layer that does is above. */
#ifndef LAGGARD_SKETCH_H
#define LAGGARD_SKETCH_H
#include "tree.h"

/* Places are line 1 and the column in `text`; 'single quotes' make quoted scalars. */
struct node *sketch(struct arena *arena, const char *text);

/* All messages, as printed. Heap. */
char *messages(const struct diag *diag);

/* The tree in the notation of sketch, implied nodes included. In the arena. */
const char *sketched(struct arena *arena, const struct node *node);
#endif
