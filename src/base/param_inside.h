/* param_inside.h: what the files that implement param.h share. Nobody else includes it. */
#ifndef LAGGARD_PARAM_INSIDE_H
#define LAGGARD_PARAM_INSIDE_H
#include "param.h"

/* Reads a scalar of any kind into its slot; false when it is not what the parameter takes. */
bool scalar_read(const struct param *param, const struct node *node, void *slot);
/* Marks a parameter as absent in its slot, which is zeroed. */
void absence_set(const struct param *param, void *slot);
/* A key without a value: `key:`, `key: null`. */
bool node_is_blank(const struct node *node);
/* Text for one line: not empty, no control bytes. */
bool text_is_line(const char *text);

/* What was found in place of what was wanted: "a list", "8x". */
void found_describe(const struct node *node, struct sentence *out);
/* "a mapping of count, speed", or "a mapping such as {type: all}"; `type` NULL: the family's first. */
void table_describe(const struct param_table *table, const char *type, struct sentence *out);
/* Begins with a decimal number that no double holds: 1e400. */
bool number_overflows(const char *text);
/* The end of a refusal: " (did you mean 'full'?)", " (units: ms, s, min, h)", ", which is too large for a number" or
 * nothing. */
void hint_describe(const struct param *param, const struct node *node, struct sentence *out);
/* At most a dozen names, "a, b, c". In the arena. */
const char *names_joined(struct arena *arena, const char *const *names);
#endif
