#include "tally.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* value[x * replications + r] of each contest. */
struct tally {
    const struct plan *plan;
    double **value;
    uint32_t *stalled, *diverged; /* [contests] */
};

static uint32_t replications_of(const struct plan *plan, size_t contest) {
    return plan->contest[contest].point->scenario->replications;
}

struct tally *tally_new(const struct plan *plan) {
    struct tally *tally = memory_zeroed(1, sizeof *tally);
    tally->plan = plan;
    tally->value = memory_zeroed(plan->contests, sizeof *tally->value);
    tally->stalled = memory_zeroed(plan->contests, sizeof *tally->stalled);
    tally->diverged = memory_zeroed(plan->contests, sizeof *tally->diverged);
    for (size_t c = 0; c < plan->contests; c++)
        tally->value[c] = memory_zeroed((size_t)MEASURES * replications_of(plan, c), sizeof(double));
    return tally;
}

void tally_free(struct tally *tally) {
    if (!tally)
        return;
    for (size_t c = 0; c < tally->plan->contests; c++)
        free(tally->value[c]);
    free(tally->value);
    free(tally->stalled);
    free(tally->diverged);
    free(tally);
}

void tally_note(struct tally *tally, size_t contest, uint32_t replication, const struct result *result) {
    const struct run_row *run = &result->run;
    static const struct audited none = {.error_mean = (double)NAN,
                                        .cosine_mean = (double)NAN,
                                        .residual_max = (double)NAN,
                                        .largest_max = (double)NAN};
    const struct audited *audited = result->audited ? result->audited : &none;
    uint32_t replications = replications_of(tally->plan, contest);
    const double value[MEASURES] = {
        [MEASURE_TIME] = run->time_s,
        [MEASURE_STEPS] = run->steps,
        [MEASURE_FINAL_LOSS] = run->final_loss,
        [MEASURE_TIME_TO_LOSS] = run->time_to_loss_s,
        [MEASURE_STEPS_TO_LOSS] = run->steps_to_loss,
        [MEASURE_STEP_MEAN] = run->step_mean_s,
        [MEASURE_GRADIENT_ERROR] = audited->error_mean,
        [MEASURE_GRADIENT_COSINE] = audited->cosine_mean,
        [MEASURE_DECODE_RESIDUAL] = audited->residual_max,
        [MEASURE_DECODE_LARGEST] = audited->largest_max,
    };
    for (size_t x = 0; x < MEASURES; x++)
        tally->value[contest][x * replications + replication] = value[x];
    tally->stalled[contest] += strcmp(run->status, status_name(STATUS_STALLED)) == 0;
    tally->diverged[contest] += strcmp(run->status, status_name(STATUS_DIVERGED)) == 0;
}

/* NAN where either run has no value: such replications are left out of the difference. */
static struct estimate difference_of(const double *value, const double *first, size_t count) {
    double *difference = memory_zeroed(count, sizeof *difference);
    for (size_t r = 0; r < count; r++)
        difference[r] = value[r] - first[r];
    struct estimate estimate = estimate_of(difference, count);
    free(difference);
    return estimate;
}

static struct summary summary_of(const struct tally *tally, size_t contest, size_t first) {
    const struct contest *one = &tally->plan->contest[contest];
    uint32_t replications = one->point->scenario->replications;
    struct summary summary = {.point = one->point->index,
                              .swept = one->point->swept,
                              .scheme = one->entry->label,
                              .parameters = one->entry->parameters,
                              .runs = replications,
                              .stalled = tally->stalled[contest],
                              .diverged = tally->diverged[contest]};
    for (size_t x = 0; x < MEASURES; x++) {
        const double *value = &tally->value[contest][x * replications];
        summary.measure[x] = estimate_of(value, replications);
        summary.difference[x] = difference_of(value, &tally->value[first][x * replications], replications);
    }
    summary.reached = (double)summary.measure[MEASURE_TIME_TO_LOSS].count / replications;
    summary.target_loss = one->point->scenario->stop.loss;
    if (isnan(summary.target_loss))
        summary.reached = (double)NAN;
    return summary;
}

struct summary *tally_summaries(const struct tally *tally, struct arena *arena) {
    struct summary *summary = arena_zeroed(arena, tally->plan->contests, sizeof *summary);
    size_t first = 0;
    for (size_t c = 0; c < tally->plan->contests; c++) {
        if (tally->plan->contest[c].point != tally->plan->contest[first].point)
            first = c;
        summary[c] = summary_of(tally, c, first);
    }
    return summary;
}
