/* agenda.h: which runs a study consists of, in the order in which they are written: by point, scheme and replication;
 * where a point's number of replications follows from what was found, in blocks of BLOCK_REPLICATIONS for all of its
 * schemes in turn. Which part of them a shard holds, and which run equals an earlier one. Knows no threads and no files. */
#ifndef LAGGARD_AGENDA_H
#define LAGGARD_AGENDA_H
#include "run_list.h"
#include "shard.h"
#include "tally.h"

#define BLOCK_REPLICATIONS 10

struct agenda;
struct agenda *agenda_new(const struct plan *plan, struct shard shard);
void agenda_free(struct agenda *agenda);
/* Runs that it holds; where replications are decided on the way, those that it may come to less those that are known not to
 * be needed. */
size_t agenda_runs(const struct agenda *agenda);
/* The next runs, which can be computed in any order, once all before them stand in the tally; NULL: there are none. Valid
 * until the next call. */
const struct run_list *agenda_next(struct agenda *agenda, const struct tally *tally);
/* The first run that it holds with the same settings and draws; the run itself where no earlier one is held. */
struct run_id agenda_source(const struct agenda *agenda, struct run_id run);
/* Some later run may have this one as its source. */
bool agenda_repeats(const struct agenda *agenda, struct run_id run);

/* Points x schemes x replications, at most; without those equal to an earlier one. */
size_t plan_runs(const struct plan *plan);
size_t plan_distinct_runs(const struct plan *plan);
/* Some point decides on its replications as it goes. */
bool plan_decides(const struct plan *plan);
#endif
