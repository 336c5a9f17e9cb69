/* sweep.h: the axes of a scenario's `sweep` mapping and the trees of their combinations. */
#ifndef LAGGARD_SWEEP_H
#define LAGGARD_SWEEP_H
#include "tree.h"

struct axis {
    const char *key;
    struct node *values; /* a list of at least one */
};
struct sweep {
    size_t axes;
    struct axis *axis;
    size_t points; /* product of the axes' lengths; 1 without axes */
};

/* A key path without its indices, as a key of a sweep may leave them out. */
const char *bare_path(struct arena *arena, const char *path);

/* Reads `sweep` below the root, in `arena`. False after every mistake was told. */
bool sweep_read(struct sweep *sweep, struct diag *diag, struct arena *arena, const struct node *root);
/* The value of an axis at a point; the last axis varies fastest. */
struct node *sweep_value(const struct sweep *sweep, size_t point, size_t axis);
/* A node on one line, as it would be written. */
const char *sweep_text(struct arena *arena, const struct node *node);

/* Puts `value` at `key`. A key schemes.NAME without an index means every scheme that has the parameter NAME, written or
 * not. False after writing why. */
bool setting_put(struct arena *arena, struct node *root, const char *key, const struct node *value,
                 struct sentence *why);

/* Makes a list of values the axis of a key in the root's `sweep`, in place of one of that key. False after writing why. */
bool sweep_put(struct arena *arena, struct node *root, const char *key, const struct node *values,
               struct sentence *why);
#endif
