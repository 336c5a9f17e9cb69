/* tuning.h: before schemes are compared each gets the numbers of the optimizer at which it is best by itself (`tune`). What is
 * best is found by runs of their own: of replications that no comparison has. The numbers found depend on the scenario alone. */
#ifndef LAGGARD_TUNING_H
#define LAGGARD_TUNING_H
#include "heat.h"

/* The first of the replications by which numbers are found, and how many there are. */
#define TUNING_REPLICATION  (1u << 30)
#define TUNING_REPLICATIONS 4u

/* Some point of it is tuned. */
bool plan_tunes(const struct plan *plan);
/* Runs by which a contest of the scenario is tuned; of a whole plan, where equal contests share theirs. */
size_t scenario_tuning_runs(const struct scenario *scenario);
size_t plan_tuning_runs(const struct plan *plan);

/* A copy of the scenario with other values of the numbers that it tunes, by scenario.tuned. In the arena. */
struct scenario *scenario_with_values(struct arena *arena, const struct scenario *base, const double *value);

struct tuning_request {
    unsigned threads;
    FILE *progress;               /* NULL: none */
    const struct heat_book *book; /* NULL: no run is kept */
};

struct sheet;
struct tuning;
/* Searches, and gives the contests of the plan the best that was found: their scenario and entry are then copies that have it,
 * and `parameters` names it. NULL: nothing is tuned, or (`*good` is false) a run could not be kept. */
struct tuning *plan_tune(struct plan *plan, const struct tuning_request *request, bool *good);
/* One contest as plan_tune leaves it, the others left alone. */
struct contest plan_tuned_contest(const struct plan *plan, size_t contest, unsigned threads);
void tuning_free(struct tuning *tuning);
/* Writes the header and rows of tune.csv, which was not yet initialised: all that was tried. Freed by sheet_fini. */
void tuning_sheet(const struct tuning *tuning, struct sheet *sheet);
#endif
