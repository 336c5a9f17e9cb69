/* cluster_text.h: what a scenario says of its cluster beyond laws of computing and delay, as written: one line each, and only
 * what is set. */
#ifndef LAGGARD_CLUSTER_TEXT_H
#define LAGGARD_CLUSTER_TEXT_H
#include "scenario.h"
#include "text_table.h"

/* Appends rows of two cells: the cluster, its network, shared link and rack shocks, and each group that has more than laws. */
void cluster_rows(struct arena *arena, struct text_table *table, const struct scenario *scenario);
/* What times of tasks alone leave out of it: "failures, networks"; NULL: nothing. */
const char *cluster_left_out(struct arena *arena, const struct cluster_spec *spec);
/* A mapping as a line: the named kind first, then what the user wrote: exponential mean=1s; inner ones in parentheses. */
const char *mapping_text(struct arena *arena, const struct node *mapping);
#endif
