/* departures.h: what becomes of the partitions of workers that leave for good, in words: as the scheme has it, and as a run
 * had it. */
#ifndef LAGGARD_DEPARTURES_H
#define LAGGARD_DEPARTURES_H
#include "result.h"
#include "scenario.h"

/* For `check`: what happens once workers leave; NULL: nobody can. */
const char *departures_expected(struct arena *arena, const struct scenario *scenario,
                                const struct scheme_entry *entry);
/* What happened in a run to the partitions of those who left; NULL: nobody did, or it ended too soon after to tell. */
const char *departures_found(struct arena *arena, const struct scheme_entry *entry,
                             const struct result *result);
#endif
