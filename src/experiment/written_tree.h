/* written_tree.h: the tree that is written beside the results of a sweep, so that it runs as it stands. */
#ifndef LAGGARD_WRITTEN_TREE_H
#define LAGGARD_WRITTEN_TREE_H
#include "sweep.h"

/* Paths among the values of a sweep are relative to the scenario's file. Marks those of a value that a point's tree, in which
 * it was copied and bound, has resolved, so that they can be written as seen from elsewhere. */
void written_tree_resolve(struct node *value, const struct node *bound);

/* Makes the tree of the first point that of the whole sweep: its axes are those of `root`, and where a `type` is swept the
 * parameters of one type are not those of the next, so their defaults are dropped. */
void written_tree_prepare(struct node *tree, const struct node *root, const struct sweep *sweep,
                          struct arena *arena);
#endif
