#include "result.h"
#include "memory.h"
#include <math.h>
#include <stdlib.h>

const char *status_name(enum status status) {
    static const char *const names[] = {"running", "loss",     "steps",    "seconds",
                                        "stalled", "diverged", "trace_end"};
    return names[status];
}

struct result *result_new(uint32_t workers) {
    struct result *result = memory_zeroed(1, sizeof *result);
    result->workers = workers;
    result->run.final_loss = result->run.time_to_loss_s = result->run.steps_to_loss = (double)NAN;
    result->stalest_end = (double)NAN;
    result->worker = memory_zeroed(workers, sizeof *result->worker);
    return result;
}

void result_free(struct result *result) {
    if (!result)
        return;
    free(result->step);
    free(result->worker);
    free(result->aged);
    free(result->fate);
    if (result->moments)
        moment_log_fini(result->moments);
    free(result->moments);
    if (result->audited)
        free(result->audited->partition);
    free(result->audited);
    free(result);
}

void result_keep_moments(struct result *result) {
    if (!result->moments)
        result->moments = memory_zeroed(1, sizeof *result->moments);
}

void result_keep_audit(struct result *result, uint32_t partitions) {
    result->audited = memory_zeroed(1, sizeof *result->audited);
    result->audited->partitions = partitions;
    result->audited->partition = memory_zeroed(partitions, sizeof *result->audited->partition);
}

void result_keep_fates(struct result *result, uint32_t partitions) {
    result->partitions = partitions;
    result->fate = memory_zeroed(partitions, sizeof *result->fate);
}

void result_forget_bookings(struct result *result) {
    struct run_row *run = &result->run;
    run->useful_s = run->redundant_s = run->stale_s = (double)NAN;
    run->discarded_s = run->idle_s = run->down_s = (double)NAN;
    result->workers = 0;
    result->ages = 0;
}

static void make_room_for_age(struct result *result, uint32_t staleness) {
    if (staleness < result->ages)
        return;
    size_t ages = (size_t)staleness * 2 + 16;
    result->aged = memory_grown(result->aged, result->ages, ages, sizeof *result->aged);
    for (size_t age = result->ages; age < ages; age++)
        result->aged[age] = 0;
    result->ages = ages;
}

void result_note_age(struct result *result, uint32_t staleness) {
    result_note_ages(result, staleness, 1);
}

void result_note_ages(struct result *result, uint32_t staleness, uint64_t count) {
    make_room_for_age(result, staleness);
    result->aged[staleness] += count;
}

/* A loop of nothing else, in which many ages are fetched at a time. */
void result_note_each_age(struct result *result, const uint32_t *staleness, size_t count) {
    uint32_t most = 0;
    for (size_t q = 0; q < count; q++)
        most = staleness[q] > most ? staleness[q] : most;
    make_room_for_age(result, most);
    for (size_t q = 0; q < count; q++)
        result->aged[staleness[q]]++;
}

void result_add_step(struct result *result, const struct step_row *row) {
    if (result->steps == result->step_capacity) {
        result->step_capacity = result->step_capacity * 2 + 64;
        result->step = memory_resized(result->step, result->step_capacity, sizeof *result->step);
    }
    result->step[result->steps++] = *row;
}

struct step_row blank_step(void) {
    const double none = (double)NAN;
    return (struct step_row){.responders = UINT32_MAX,
                             .recovered = UINT32_MAX,
                             .loss = none,
                             .gradient_error = none,
                             .gradient_cosine = none,
                             .decode_residual = none,
                             .decode_largest = none,
                             .staleness_mean = none,
                             .staleness_max = none,
                             .aggregation_s = none,
                             .loss_spread = none};
}
