#include "summary.h"
#include <gsl/gsl_cdf.h>
#include <math.h>

const char *const measure_names[MEASURES] = {"time_s",         "steps",         "final_loss",
                                             "time_to_loss_s", "steps_to_loss", "step_mean_s"};

static double mean_of(const double *value, size_t count, size_t *there) {
    double sum = 0;
    *there = 0;
    for (size_t r = 0; r < count; r++)
        if (!isnan(value[r])) {
            sum += value[r];
            ++*there;
        }
    return *there > 0 ? sum / (double)*there : (double)NAN;
}

struct estimate estimate_of(const double *value, size_t count) {
    struct estimate estimate = {.deviation = (double)NAN, .low = (double)NAN, .high = (double)NAN};
    estimate.mean = mean_of(value, count, &estimate.count);
    if (estimate.count < 2)
        return estimate;
    double squares = 0, degrees = (double)estimate.count - 1;
    for (size_t r = 0; r < count; r++)
        if (!isnan(value[r]))
            squares += (value[r] - estimate.mean) * (value[r] - estimate.mean);
    estimate.deviation = sqrt(squares / degrees);
    double half = gsl_cdf_tdist_Pinv(0.975, degrees) * estimate.deviation / sqrt((double)estimate.count);
    estimate.low = estimate.mean - half;
    estimate.high = estimate.mean + half;
    return estimate;
}
