/* sample_results.h: small results folders made by hand. */
#ifndef LAGGARD_SAMPLE_RESULTS_H
#define LAGGARD_SAMPLE_RESULTS_H
#include "../record/scratch.h"

/* One scheme's rows in steps.csv and runs.csv. */
struct sample_scheme {
    const char *label;
    double step_s;       /* seconds per step */
    double first, ratio; /* loss of step t: first * ratio^t */
    const char *status;
};
struct sample {
    const struct sample_scheme *scheme;
    unsigned schemes, replications, steps, points;
    const char *swept; /* key of a sweep over 1, 2, …; NULL: none */
    double target;     /* loss; 0: summary.csv has no such column */
};
/* Writes steps.csv, runs.csv, summary.csv and manifest.json; in replication r every step takes (1 + r / 10) times as
 * long. Half of the runs, rounded down, reach the target. */
void sample_results(const struct scratch *scratch, const struct sample *sample);
#endif
