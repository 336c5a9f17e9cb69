#include "tally.h"
#include "digest.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the runs of a contest measured. */
struct sample {
    double *value[MEASURES]; /* [room]; NULL: that of all runs is the same, bit by bit */
    double same[MEASURES];
    uint32_t runs, room;
    bool settled; /* all runs are there and summarised */
};

struct tally {
    const struct plan *plan;
    size_t first, contests;  /* of the point that is being noted */
    struct sample *sample;   /* [contests] */
    struct summary *summary; /* [contests of the plan] */
};

static double value_at(const struct sample *sample, enum measure measure, uint32_t run) {
    return sample->value[measure] ? sample->value[measure][run] : sample->same[measure];
}

/* From now on the measure varies. Has room for all replications at once: they are never moved. */
static void begin_values(struct sample *sample, enum measure measure) {
    double *value = memory_zeroed(sample->room, sizeof *value);
    for (uint32_t r = 0; r < sample->runs; r++)
        value[r] = sample->same[measure];
    sample->value[measure] = value;
}

static void add_value(struct sample *sample, enum measure measure, double value) {
    if (sample->runs == 0)
        sample->same[measure] = value;
    if (!sample->value[measure] && memcmp(&value, &sample->same[measure], sizeof value) != 0)
        begin_values(sample, measure);
    if (sample->value[measure])
        sample->value[measure][sample->runs] = value;
}

static void drop_values(struct sample *sample) {
    for (size_t x = 0; x < MEASURES; x++) {
        free(sample->value[x]);
        sample->value[x] = NULL;
    }
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
        drop_values(&tally->sample[e]);
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

static struct estimate mean_of(const struct sample *sample, enum measure measure) {
    double *value = memory_zeroed(sample->runs, sizeof *value);
    for (uint32_t r = 0; r < sample->runs; r++)
        value[r] = value_at(sample, measure, r);
    struct estimate estimate = estimate_of(value, sample->runs);
    free(value);
    return estimate;
}

/* NAN where either run has no value: such replications are left out of the difference. */
static struct estimate difference_of(const struct sample *sample, const struct sample *first,
                                     enum measure measure) {
    uint32_t count = sample->runs < first->runs ? sample->runs : first->runs;
    double *difference = memory_zeroed(count, sizeof *difference);
    for (uint32_t r = 0; r < count; r++)
        difference[r] = value_at(sample, measure, r) - value_at(first, measure, r);
    struct estimate estimate = estimate_of(difference, count);
    free(difference);
    return estimate;
}

static void settle_summary(struct summary *summary, const struct sample *sample, const struct sample *first) {
    summary->runs = sample->runs;
    if (sample->runs == 0)
        return;
    for (size_t x = 0; x < MEASURES; x++) {
        summary->measure[x] = mean_of(sample, (enum measure)x);
        summary->difference[x] = difference_of(sample, first, (enum measure)x);
    }
    if (!isnan(summary->target_loss))
        summary->reached = (double)summary->measure[MEASURE_TIME_TO_LOSS].count / sample->runs;
}

static void settle(struct tally *tally, size_t e) {
    if (!tally->sample[e].settled)
        settle_summary(&tally->summary[tally->first + e], &tally->sample[e], &tally->sample[0]);
}

static void close_point(struct tally *tally) {
    for (size_t e = 0; e < tally->contests; e++)
        settle(tally, e);
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

/* No run of the contest is to come; the others still need those of the first. */
static void let_go(struct tally *tally, size_t e) {
    if (e == 0)
        return;
    settle(tally, e);
    drop_values(&tally->sample[e]);
    tally->sample[e].settled = true;
}

void tally_note(struct tally *tally, const struct digest *digest) {
    size_t contest = digest->run.contest;
    if (contest < tally->first || contest >= tally->first + tally->contests)
        open_point(tally, contest);
    struct sample *sample = &tally->sample[contest - tally->first];
    sample->room = tally->plan->contest[contest].point->scenario->replications;
    for (size_t x = 0; x < MEASURES; x++)
        add_value(sample, (enum measure)x, digest->measure[x]);
    sample->runs++;
    tally->summary[contest].stalled += digest->stalled;
    tally->summary[contest].diverged += digest->diverged;
    if (sample->runs == sample->room)
        let_go(tally, contest - tally->first);
}

/* `scale`: the mean that it is a share of. */
static bool narrow(const struct estimate *estimate, double scale, double half_width) {
    return (estimate->high - estimate->low) / 2 <= half_width * fabs(scale);
}

bool tally_settled(const struct tally *tally, double half_width) {
    const struct summary *summary = &tally->summary[tally->first];
    enum measure measure = measure_compared(summary);
    struct estimate first = mean_of(&tally->sample[0], measure);
    if (tally->contests == 1)
        return first.count == 0 || narrow(&first, first.mean, half_width);
    for (size_t e = 1; e < tally->contests; e++) {
        const struct sample *sample = &tally->sample[e];
        struct estimate difference = sample->settled ? summary[e].difference[measure]
                                                     : difference_of(sample, &tally->sample[0], measure);
        if (difference.count > 0 && !narrow(&difference, first.mean, half_width))
            return false;
    }
    return true;
}

const struct summary *tally_summaries(struct tally *tally) {
    close_point(tally);
    return tally->summary;
}
