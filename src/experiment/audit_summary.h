/* audit_summary.h: what the audited runs of a scheme at a point add up to. */
#ifndef LAGGARD_AUDIT_SUMMARY_H
#define LAGGARD_AUDIT_SUMMARY_H
#include "diag.h"

struct audit_summary {
    uint32_t point;
    const char *scheme;
    uint32_t runs;                    /* audited; 0: the rest is empty */
    double error_mean;                /* over runs and their updates */
    double cosine_min;                /* over both */
    double residual_max, largest_max; /* of a decode, over both */
    double weight_min, weight_max;    /* of any partition in any update */
    double weight_mean_min,
        weight_mean_max;         /* of the partitions' means over runs and updates: 1 and 1 is no bias */
    const char *theorem;         /* NULL: none */
    uint32_t holding, exceeding; /* runs in which its conditions hold; of those, runs above its bound */
    uint32_t slower;             /* of the runs in which they hold, those of a step size below the limit */
    struct sentence reason;      /* of the first run in which they fail */
};
#endif
