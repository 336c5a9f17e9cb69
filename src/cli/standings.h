/* standings.h: which scheme came first, as the summary of a results folder has it. Reads summary.csv and runs.csv. */
#ifndef LAGGARD_STANDINGS_H
#define LAGGARD_STANDINGS_H
#include "diag.h"
#include "memory.h"
#include "text_table.h"

struct standings;
/* NULL after writing why: the folder has no summary, or none that can be read. Its texts live in the arena. */
struct standings *standings_read(struct arena *arena, const char *folder, struct sentence *why);
void standings_free(struct standings *standings);

size_t standings_points(const struct standings *standings);
/* "stragglers = 2, …" of a point; "" without a sweep. */
const char *standings_values(const struct standings *standings, size_t point);
/* The schemes of a point, soonest first: by the seconds to the target, without one by those of a step. A scheme with which
 * some runs did not reach the target has no rank, and stands behind those that have one. */
struct text_table *standings_table(const struct standings *standings, size_t point);
/* A row per point, `points` of them: its values, the soonest scheme and the next. */
struct text_table *standings_overview(const struct standings *standings, size_t points);
/* How to read the tables. */
const char *standings_legend(const struct standings *standings);
#endif
