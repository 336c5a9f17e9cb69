/* written_tree.h: the tree that is written beside the results of a sweep, so that it runs as it stands. */
#ifndef LAGGARD_WRITTEN_TREE_H
#define LAGGARD_WRITTEN_TREE_H
#include "sweep.h"

/* A point's tree holds the defaults of that point. Where the sweep varies a `type`, the parameters of one type are not those
 * of the next: their defaults are dropped. */
void written_tree_prepare(struct node *tree, const struct sweep *sweep, struct arena *arena);
#endif
