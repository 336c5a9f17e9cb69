/* tally.h: collects the measures of runs as they come and makes the summaries of a plan's contests. */
#ifndef LAGGARD_TALLY_H
#define LAGGARD_TALLY_H
#include "plan.h"
#include "result.h"

struct tally;
struct tally *tally_new(const struct plan *plan);
void tally_free(struct tally *tally);
void tally_note(struct tally *tally, size_t contest, uint32_t replication, const struct result *result);
/* [contests], in the arena. */
struct summary *tally_summaries(const struct tally *tally, struct arena *arena);
#endif
