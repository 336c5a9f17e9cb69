/* progress.h: how far a run has come: the reasons to stop, which steps are recorded, what steps took.
 * Knows no scheme and no clock. */
#ifndef LAGGARD_PROGRESS_H
#define LAGGARD_PROGRESS_H
#include "result.h"
#include "scenario.h"
#include "step_times.h"
#include <math.h>

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

/* The same of a model whose F is `loss`, which counts first; NAN: only time counts. */
static inline enum status progress_status_at(const struct progress *progress, const struct stop_spec *stop,
                                             double loss) {
    return loss <= stop->loss ? STATUS_LOSS : progress_status(progress, stop);
}

/* F is so much worse than at first that it will never be good. */
static inline bool progress_diverged(double loss, double initial_loss) {
    return !isfinite(loss) || loss > 1e6 * fmax(1, initial_loss);
}

/* The next round opens then. */
static inline void progress_go_to(struct progress *progress, double next_s) {
    progress->standstill = next_s > progress->time_s ? 0 : progress->standstill + 1;
    progress->time_s = next_s;
}

/* Rounds in a row that complete nothing: of no time, and of any. */
#define MOST_FRUITLESS_INSTANTS 10000
#define MOST_FRUITLESS          100000

/* A run that completes nothing any more has stalled. */
static inline bool progress_hopeless(uint32_t fruitless, uint32_t standstill) {
    return fruitless >= MOST_FRUITLESS ||
           (fruitless >= MOST_FRUITLESS_INSTANTS && standstill >= MOST_FRUITLESS_INSTANTS);
}

/* After a round that completed nothing: the last rounds of a run may have nothing left to complete. */
static inline enum status progress_status_idle(const struct progress *progress, const struct stop_spec *stop,
                                               bool hopeless) {
    if (progress->steps > 0 && progress->steps == stop->steps)
        return progress->unfinished ? STATUS_RUNNING : STATUS_STEPS;
    if (progress->time_s >= stop->seconds_s)
        return STATUS_SECONDS;
    return hopeless ? STATUS_STALLED : STATUS_RUNNING;
}

/* Whether the scenario wants the row of a step of a run that goes on; of its first and its last step it does unless it wants
 * summaries alone. */
bool progress_recorded(const struct record_spec *record, uint32_t step);

/* The next step that is recorded, after `step`; UINT32_MAX: none is. */
uint32_t progress_next_row(const struct record_spec *record, uint32_t step);

/* A step is over: what a run's row says of the last one. Step 0 takes no time. */
struct step_end {
    uint32_t steps;
    double time_s, loss; /* NAN: only time counts */
    enum status status;
};
static inline void progress_end_step(struct run_row *run, struct step_times *times,
                                     const struct step_end *end) {
    if (end->steps > 0)
        step_times_add(times, end->time_s - run->time_s);
    run->steps = end->steps;
    run->time_s = end->time_s;
    run->final_loss = end->loss;
    if (end->status == STATUS_LOSS) {
        run->time_to_loss_s = end->time_s;
        run->steps_to_loss = end->steps;
    }
}

/* The same of several steps at once, of which only the time matters: what they took, and where the run is after them. */
static inline void progress_end_steps(struct run_row *run, struct step_times *times, const double *took_s,
                                      const struct progress *progress) {
    step_times_add_all(times, took_s, progress->steps - run->steps);
    run->steps = progress->steps;
    run->time_s = progress->time_s;
    run->final_loss = (double)NAN;
}

/* Fills what a run's row says of its steps, from `start_s` on. */
void progress_report(struct run_row *run, const struct step_times *times, double start_s);
#endif
