/* schemes_table.h: the schemes of a study, by what they ask of workers and master. */
#ifndef LAGGARD_SCHEMES_TABLE_H
#define LAGGARD_SCHEMES_TABLE_H
#include "study.h"
#include "text_table.h"

/* More rows are counted in *unlisted. */
#define SCHEMES_ROWS_MAX 60

/* A row per point and scheme: parameters, partitions held and computed per worker, wait rule, results waited for, late
 * rule; points and their values only where the study sweeps. */
struct text_table *schemes_table(struct arena *arena, const struct study *study, size_t *unlisted);
/* The keys that the study sweeps: "a, b". */
const char *swept_keys_text(struct arena *arena, const struct study *study);
#endif
