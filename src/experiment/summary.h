/* summary.h: the statistics of comparison: per point and scheme, each measure's mean over replications with its 95 %
 * t interval, and the paired difference to the point's first scheme. */
#ifndef LAGGARD_SUMMARY_H
#define LAGGARD_SUMMARY_H
#include <stddef.h>
#include <stdint.h>

/* What is summarised; the order is that of the columns of summary.csv, where the audited ones stand last. */
enum measure {
    MEASURE_TIME,          /* time_s: end of the run */
    MEASURE_STEPS,         /* steps */
    MEASURE_FINAL_LOSS,    /* final_loss */
    MEASURE_TIME_TO_LOSS,  /* time_to_loss_s: over the runs that reached the target, never the others */
    MEASURE_STEPS_TO_LOSS, /* steps_to_loss */
    MEASURE_STEP_MEAN,     /* step_mean_s */
    MEASURE_STEP_P50,      /* step_p50_s: median of a run's step times, as the next two */
    MEASURE_STEP_P95,      /* step_p95_s */
    MEASURE_STEP_P99,      /* step_p99_s */
    /* Of audited runs. */
    MEASURE_GRADIENT_ERROR,  /* gradient_error: mean over the updates */
    MEASURE_GRADIENT_COSINE, /* gradient_cosine: mean over the updates */
    MEASURE_DECODE_RESIDUAL, /* decode_residual: largest of the updates */
    MEASURE_DECODE_LARGEST,  /* decode_largest: largest of the updates */
    MEASURES
};
extern const char *const measure_names[MEASURES];

/* Mean, standard deviation and 95 % t interval of `count` values, NAN values left out; NAN where they do not exist. */
struct estimate {
    size_t count;
    double mean, deviation, low, high;
};
struct estimate estimate_of(const double *value, size_t count);

struct summary {
    uint32_t point;
    const char *const *swept; /* values of the swept keys, as text */
    const char *scheme, *parameters;
    uint32_t runs;
    double reached;             /* share of runs that reached the loss; NAN without a target */
    double target_loss;         /* NAN without */
    uint32_t stalled, diverged; /* runs that ended so */
    struct estimate measure[MEASURES];
    struct estimate difference[MEASURES]; /* to the point's first scheme, replication by replication */
};
/* By what the schemes of a point are compared: with a target, what counts is when it was reached; without one, how long
 * the steps took. `summary` is any of the point. */
enum measure measure_compared(const struct summary *summary);
#endif
