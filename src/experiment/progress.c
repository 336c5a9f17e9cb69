#include "progress.h"
#include "earliest.h"
#include "memory.h"
#include <stdlib.h>
#include <string.h>

/* `record: {every: log}`: rows per factor of ten. */
#define LOG_ROWS 40
/* Steps of a run that are sure to come if nothing else ends it, for which room may be set apart at once. */
#define MOST_EXPECTED (1 << 27)

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

/* Between the two order statistics around it; a run may have too many steps to sort them for three quantiles. */
static double quantile_of(const double *value, size_t count, double p) {
    double place = p * (double)(count - 1), part = place - floor(place), upper;
    double lower = earliest_of(value, count, (size_t)place, &upper);
    return part > 0 ? (1 - part) * lower + part * upper : lower;
}

static void grow(struct step_times *times, size_t capacity) {
    double *grown = memory_huge(capacity, sizeof *grown);
    if (times->count > 0)
        memcpy(grown, times->seconds, times->count * sizeof *grown);
    free(times->seconds);
    times->seconds = grown;
    times->capacity = capacity;
}

void step_times_expect(struct step_times *times, const struct stop_spec *stop) {
    if (stop->steps != PARAM_ABSENT && stop->steps <= MOST_EXPECTED)
        grow(times, stop->steps);
}

double *step_times_room(struct step_times *times, size_t steps) {
    if (times->count + steps > times->capacity)
        grow(times, times->capacity * 2 + steps + 256);
    times->count += steps;
    return times->seconds + times->count - steps;
}

void step_times_add(struct step_times *times, double seconds) {
    *step_times_room(times, 1) = seconds;
}

void step_times_fini(struct step_times *times) {
    free(times->seconds);
    *times = (struct step_times){0};
}

void progress_report(struct run_row *run, const struct step_times *times, double start_s) {
    run->step_mean_s = run->step_p50_s = run->step_p95_s = run->step_p99_s = (double)NAN;
    if (run->steps == 0)
        return;
    run->step_mean_s = (run->time_s - start_s) / run->steps;
    run->step_p50_s = quantile_of(times->seconds, times->count, 0.50);
    run->step_p95_s = quantile_of(times->seconds, times->count, 0.95);
    run->step_p99_s = quantile_of(times->seconds, times->count, 0.99);
}
