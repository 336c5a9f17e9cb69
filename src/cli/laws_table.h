/* laws_table.h: the laws of a study with their moments. */
#ifndef LAGGARD_LAWS_TABLE_H
#define LAGGARD_LAWS_TABLE_H
#include "study.h"
#include "text_table.h"

/* Every distinct law of computing, delay, slowness and rack shocks (alone, without its probability): what it is for, mean, standard deviation, 99th percentile. */
struct text_table *laws_table(struct arena *arena, const struct study *study, size_t *unlisted);
/* The same on a stream, with how many laws are not listed. */
void laws_table_print(struct arena *arena, const struct study *study, FILE *stream);
#endif
