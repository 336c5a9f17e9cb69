/* axes.h: whether the axes of a sweep go together: no two that undo each other, no value twice on one. */
#ifndef LAGGARD_AXES_H
#define LAGGARD_AXES_H
#include "sweep.h"

/* Two key paths that mean the same, where one may leave out an index that the other has. */
bool axis_keys_same(const char *a, const char *b);
/* False after telling what does not go together. */
bool axes_apart(const struct sweep *sweep, struct diag *diag, struct arena *arena);
#endif
