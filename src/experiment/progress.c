#include "progress.h"
#include <math.h>

/* `record: {every: log}`: rows per factor of ten. */
#define LOG_ROWS 40

/* Step t is on the logarithmic grid when a multiple of 1/LOG_ROWS lies between log10 of t - 1 and of t. */
static bool on_log_grid(uint32_t step) {
    return step < 2 || floor(LOG_ROWS * log10(step)) > floor(LOG_ROWS * log10(step - 1));
}

bool progress_recorded(const struct record_spec *record, uint32_t step) {
    if (record->mode == RECORD_SUMMARY)
        return false;
    return record->mode == RECORD_LOG ? on_log_grid(step) : step % record->every == 0;
}

/* On the logarithmic grid: near the next multiple of 1/LOG_ROWS. */
static uint32_t next_on_log_grid(uint32_t step) {
    double place = floor(LOG_ROWS * log10(step < 1 ? 1 : step)) + 1;
    double guess = floor(pow(10, place / LOG_ROWS)) - 1;
    uint32_t next = guess > step ? (uint32_t)guess : step + 1;
    while (!on_log_grid(next))
        next++;
    return next;
}

uint32_t progress_next_row(const struct record_spec *record, uint32_t step) {
    if (record->mode == RECORD_SUMMARY)
        return UINT32_MAX;
    return record->mode == RECORD_LOG ? next_on_log_grid(step) : step + record->every - step % record->every;
}

void progress_report(struct run_row *run, const struct step_times *times, double start_s) {
    run->step_mean_s = run->step_p50_s = run->step_p95_s = run->step_p99_s = (double)NAN;
    if (run->steps == 0)
        return;
    run->step_mean_s = (run->time_s - start_s) / run->steps;
    double quantile[STEP_QUANTILES];
    step_times_quantiles(times, quantile);
    run->step_p50_s = quantile[STEP_P50];
    run->step_p95_s = quantile[STEP_P95];
    run->step_p99_s = quantile[STEP_P99];
}
