/* progress.h: how far a run has come: the reasons to stop but for its loss, which steps are recorded, what steps took.
 * Knows no scheme and no clock. */
#ifndef LAGGARD_PROGRESS_H
#define LAGGARD_PROGRESS_H
#include "result.h"
#include "scenario.h"

/* Of a run without a step limit, as many as a limit may be. */
#define MOST_STEPS 1000000000
/* A run without a step limit on a clock that stands still would never end. */
#define LONGEST_STANDSTILL 1000000

struct progress {
    uint32_t steps;
    bool unfinished; /* rounds are still to come that belong to the run */
    double time_s;
    uint32_t standstill; /* updates in a row that took no time */
};

/* In the order in which reasons count. */
static inline enum status progress_status(const struct progress *progress, const struct stop_spec *stop) {
    if (progress->steps >= (stop->steps != PARAM_ABSENT ? stop->steps : MOST_STEPS) && !progress->unfinished)
        return STATUS_STEPS;
    if (progress->time_s >= stop->seconds_s)
        return STATUS_SECONDS;
    if (stop->steps == PARAM_ABSENT && progress->standstill >= LONGEST_STANDSTILL)
        return STATUS_STALLED;
    return STATUS_RUNNING;
}

/* Rounds in a row that complete nothing: of no time, and of any. */
#define MOST_FRUITLESS_INSTANTS 10000
#define MOST_FRUITLESS          100000

/* A run that completes nothing any more has stalled. */
static inline bool progress_hopeless(uint32_t fruitless, uint32_t standstill) {
    return fruitless >= MOST_FRUITLESS ||
           (fruitless >= MOST_FRUITLESS_INSTANTS && standstill >= MOST_FRUITLESS_INSTANTS);
}

/* Whether the scenario wants the row of a step of a run that goes on; of its first and its last step it does unless it wants
 * summaries alone. */
bool progress_recorded(const struct record_spec *record, uint32_t step);

/* Fills what a run's row says of its steps: `seconds` [run->steps], from `start_s` on. */
void progress_report(struct run_row *run, const double *seconds, double start_s);
#endif
