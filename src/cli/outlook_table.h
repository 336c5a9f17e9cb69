/* outlook_table.h: what tasks and steps of a study will take, without running it. */
#ifndef LAGGARD_OUTLOOK_TABLE_H
#define LAGGARD_OUTLOOK_TABLE_H
#include "study.h"

/* At the first point: mean, standard deviation, 99th percentile, expected maximum over the workers and lag-1 correlation of a
 * task of one partition, by group; and the mean seconds of a step of every scheme for which there is a formula. */
void outlook_print(struct arena *arena, const struct study *study, FILE *stream);
#endif
