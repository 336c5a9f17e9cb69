/* warnings.h: what a user should know about a run and would not see in its curves. */
#ifndef LAGGARD_WARNINGS_H
#define LAGGARD_WARNINGS_H
#include "plan.h"
#include "result.h"

struct warnings {
    struct arena *arena;
    const char **sentence;
    size_t count, capacity;
};
/* Adds, before any run, where numbers of double precision may spoil a decode; a sentence is told once for a scheme, as the
 * points of a sweep most often have the same doubts. */
void warnings_doubt(struct warnings *warnings, const struct plan *plan);
/* Adds the sentences that a run deserves, without saying of which contest it is. */
void warnings_find(struct warnings *warnings, const struct contest *contest, const struct result *result);
/* Adds a sentence about a contest, named; copied. */
void warnings_add(struct warnings *warnings, const struct contest *contest, const char *sentence);
#endif
