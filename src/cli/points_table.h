/* points_table.h: the points of a long sweep, compared in one table. */
#ifndef LAGGARD_POINTS_TABLE_H
#define LAGGARD_POINTS_TABLE_H
#include "study.h"

/* A row per point and a column per scheme: the mean that schemes are compared by, and its ratio to the first scheme's.
 * False, and nothing printed, where points have different schemes or a line would be too long. */
bool points_table_print(const struct study *study, FILE *stream);
#endif
