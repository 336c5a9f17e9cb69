/* setting_table.h: what a scenario sets but its laws and schemes, in words. */
#ifndef LAGGARD_SETTING_TABLE_H
#define LAGGARD_SETTING_TABLE_H
#include "study.h"
#include "text_table.h"

/* "3 points x 8 schemes x 20 replications = 480 runs". */
const char *runs_text(struct arena *arena, const struct study *study);
/* Rows of a name and its words: problem, optimizer, messages, stop and the cluster, at the first point of the study. */
struct text_table *setting_table(struct arena *arena, const struct study *study);
#endif
