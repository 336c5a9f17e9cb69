/* results_table.h: what a study found, in a few lines. */
#ifndef LAGGARD_RESULTS_TABLE_H
#define LAGGARD_RESULTS_TABLE_H
#include "study.h"

/* One table per point: every scheme with its measures as mean ± half of the 95 % interval; of many points, one table
 * of all where it fits (points_table.h). */
void results_table_print(const struct study *study, FILE *stream);
#endif
