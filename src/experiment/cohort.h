/* cohort.h: runs that go on side by side in one thread, so that what they want to know of their models is taken from the data
 * together. A run prints the same numbers in any cohort and alone. Knows no plan and no order of runs. */
#ifndef LAGGARD_COHORT_H
#define LAGGARD_COHORT_H
#include "run.h"

/* Runs of a cohort, by default: more weight vectors at a time are not dealt with faster. */
#define COHORT_RUNS 16
/* Beside the first run of a cohort others join while all keep no more than that. */
#define COHORT_BYTES 256e6

/* What becomes of a run that has ended; it frees the result. */
struct finish {
    void (*finish)(void *context, size_t job, struct result *result);
    void *context;
};

struct cohort;
struct cohort *cohort_new(size_t runs, struct finish finish);
/* Runs that are still on their way are given up. */
void cohort_free(struct cohort *cohort);
size_t cohort_runs(const struct cohort *cohort);
/* Whether a run that keeps so many bytes may join. */
bool cohort_has_room(const struct cohort *cohort, double bytes);
/* Takes a run in, under the caller's number for it, and lets it go on to where it stops first: it may have ended then. */
void cohort_join(struct cohort *cohort, const struct trial_spec *spec, size_t job, double bytes);
/* All models that have moved are evaluated, and the runs go on to where they stop next. */
void cohort_advance(struct cohort *cohort);
/* What a cohort of runs that each keep so many bytes keeps, at most. */
double cohort_bytes(double run_bytes);
#endif
