#include "summary.h"
#include <gsl/gsl_cdf.h>
#include <math.h>

const char *const measure_names[MEASURES] = {
    "time_s",          "steps",           "final_loss",    "time_to_loss_s", "steps_to_loss",
    "step_mean_s",     "step_p50_s",      "step_p95_s",    "step_p99_s",     "gradient_error",
    "gradient_cosine", "decode_residual", "decode_largest"};

/* The mean of equal values is their value: a rounded one would give them a spread. */
static double mean_of(const double *value, size_t count, size_t *there) {
    double sum = 0, low = (double)INFINITY, high = -(double)INFINITY;
    *there = 0;
    for (size_t r = 0; r < count; r++)
        if (!isnan(value[r])) {
            sum += value[r];
            low = fmin(low, value[r]);
            high = fmax(high, value[r]);
            ++*there;
        }
    if (*there == 0)
        return (double)NAN;
    return low < high ? sum / (double)*there : low;
}

/* Values near the largest double may have a mean or a spread that no double holds. */
static double told(double value) {
    return isfinite(value) ? value : (double)NAN;
}

struct estimate estimate_of(const double *value, size_t count) {
    struct estimate estimate = {.deviation = (double)NAN, .low = (double)NAN, .high = (double)NAN};
    double mean = mean_of(value, count, &estimate.count);
    estimate.mean = told(mean);
    if (estimate.count < 2)
        return estimate;
    double squares = 0, degrees = (double)estimate.count - 1;
    for (size_t r = 0; r < count; r++)
        if (!isnan(value[r]))
            squares += (value[r] - mean) * (value[r] - mean);
    double deviation = sqrt(squares / degrees);
    double half = gsl_cdf_tdist_Pinv(0.975, degrees) * deviation / sqrt((double)estimate.count);
    estimate.deviation = told(deviation);
    estimate.low = told(mean - half);
    estimate.high = told(mean + half);
    return estimate;
}

enum measure measure_compared(const struct summary *summary) {
    return isnan(summary->target_loss) ? MEASURE_STEP_MEAN : MEASURE_TIME_TO_LOSS;
}
