#include "tally.h"
#include "digest.h"
#include <math.h>
#include <stdlib.h>

/* Runs of one contest: value[x * room + r]. */
struct sample {
    double *value;
    uint32_t runs, room;
};

struct tally {
    const struct plan *plan;
    size_t first, contests;  /* of the point that is being noted */
    struct sample *sample;   /* [contests] */
    struct summary *summary; /* [contests of the plan] */
};

/* Has room for all replications from the first on, so that memory does not grow with them. */
static struct sample sample_of(uint32_t replications) {
    return (struct sample){memory_zeroed((size_t)MEASURES * replications, sizeof(double)), 0, replications};
}

static void begin_summary(struct summary *summary, const struct contest *contest) {
    *summary = (struct summary){.point = contest->point->index,
                                .swept = contest->point->swept,
                                .scheme = contest->entry->label,
                                .parameters = contest->entry->parameters,
                                .target_loss = contest->point->scenario->stop.loss};
    summary->reached = (double)NAN;
    for (size_t x = 0; x < MEASURES; x++)
        summary->measure[x] = summary->difference[x] = estimate_of(NULL, 0);
}

struct tally *tally_new(const struct plan *plan) {
    struct tally *tally = memory_zeroed(1, sizeof *tally);
    tally->plan = plan;
    tally->summary = memory_zeroed(plan->contests, sizeof *tally->summary);
    for (size_t c = 0; c < plan->contests; c++)
        begin_summary(&tally->summary[c], &plan->contest[c]);
    return tally;
}

static void drop_samples(struct tally *tally) {
    for (size_t e = 0; e < tally->contests; e++)
        free(tally->sample[e].value);
    free(tally->sample);
    tally->sample = NULL;
    tally->contests = 0;
}

void tally_free(struct tally *tally) {
    if (!tally)
        return;
    drop_samples(tally);
    free(tally->summary);
    free(tally);
}

static const double *values_of(const struct sample *sample, enum measure measure) {
    return sample->value ? &sample->value[measure * (size_t)sample->room] : NULL;
}

/* NAN where either run has no value: such replications are left out of the difference. */
static struct estimate difference_of(const struct sample *sample, const struct sample *first,
                                     enum measure measure) {
    const double *value = values_of(sample, measure), *base = values_of(first, measure);
    size_t count = sample->runs < first->runs ? sample->runs : first->runs;
    double *difference = memory_zeroed(count, sizeof *difference);
    for (size_t r = 0; r < count; r++)
        difference[r] = value[r] - base[r];
    struct estimate estimate = estimate_of(difference, count);
    free(difference);
    return estimate;
}

static void settle_summary(struct summary *summary, const struct sample *sample, const struct sample *first) {
    summary->runs = sample->runs;
    if (sample->runs == 0)
        return;
    for (size_t x = 0; x < MEASURES; x++) {
        summary->measure[x] = estimate_of(values_of(sample, (enum measure)x), sample->runs);
        summary->difference[x] = difference_of(sample, first, (enum measure)x);
    }
    if (!isnan(summary->target_loss))
        summary->reached = (double)summary->measure[MEASURE_TIME_TO_LOSS].count / sample->runs;
}

static void close_point(struct tally *tally) {
    for (size_t e = 0; e < tally->contests; e++)
        settle_summary(&tally->summary[tally->first + e], &tally->sample[e], &tally->sample[0]);
    drop_samples(tally);
}

static void open_point(struct tally *tally, size_t contest) {
    const struct point *point = tally->plan->contest[contest].point;
    close_point(tally);
    while (contest > 0 && tally->plan->contest[contest - 1].point == point)
        contest--;
    tally->first = contest;
    tally->contests = point->scenario->schemes;
    tally->sample = memory_zeroed(tally->contests, sizeof *tally->sample);
}

void tally_note(struct tally *tally, const struct digest *digest) {
    size_t contest = digest->run.contest;
    if (contest < tally->first || contest >= tally->first + tally->contests)
        open_point(tally, contest);
    struct sample *sample = &tally->sample[contest - tally->first];
    if (!sample->value)
        *sample = sample_of(tally->plan->contest[contest].point->scenario->replications);
    for (size_t x = 0; x < MEASURES; x++)
        sample->value[x * sample->room + sample->runs] = digest->measure[x];
    sample->runs++;
    tally->summary[contest].stalled += digest->stalled;
    tally->summary[contest].diverged += digest->diverged;
}

/* `scale`: the mean that it is a share of. */
static bool narrow(const struct estimate *estimate, double scale, double half_width) {
    return (estimate->high - estimate->low) / 2 <= half_width * fabs(scale);
}

bool tally_settled(const struct tally *tally, double half_width) {
    const struct summary *summary = &tally->summary[tally->first];
    enum measure measure = measure_compared(summary);
    struct estimate first = estimate_of(values_of(&tally->sample[0], measure), tally->sample[0].runs);
    if (tally->contests == 1)
        return first.count == 0 || narrow(&first, first.mean, half_width);
    for (size_t e = 1; e < tally->contests; e++) {
        struct estimate difference = difference_of(&tally->sample[e], &tally->sample[0], measure);
        if (difference.count > 0 && !narrow(&difference, first.mean, half_width))
            return false;
    }
    return true;
}

const struct summary *tally_summaries(struct tally *tally) {
    close_point(tally);
    return tally->summary;
}
