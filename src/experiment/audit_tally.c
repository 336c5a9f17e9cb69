/* Why means are summed by run: a scheme's runs may end after different numbers of updates, and each is one sample. */
#include "audit_tally.h"
#include <math.h>
#include <stdlib.h>

/* Sums of one contest. */
struct sums {
    double error;
    uint32_t errors;              /* runs that have one */
    uint32_t partitions, weighed; /* runs with an update */
    double *weight;               /* [partitions]: of the means of runs; NULL before the first run */
};

struct audit_tally {
    const struct plan *plan;
    struct audit_summary *summary; /* [contests] */
    struct sums *sums;             /* [contests] */
};

struct audit_tally *audit_tally_new(const struct plan *plan) {
    struct audit_tally *tally = memory_zeroed(1, sizeof *tally);
    tally->plan = plan;
    tally->summary = memory_zeroed(plan->contests, sizeof *tally->summary);
    tally->sums = memory_zeroed(plan->contests, sizeof *tally->sums);
    for (size_t c = 0; c < plan->contests; c++) {
        struct audit_summary *summary = &tally->summary[c];
        summary->point = plan->contest[c].point->index;
        summary->scheme = plan->contest[c].entry->label;
        summary->error_mean = summary->cosine_min = (double)NAN;
        summary->residual_max = summary->largest_max = (double)NAN;
        summary->weight_min = summary->weight_max = (double)NAN;
        summary->weight_mean_min = summary->weight_mean_max = (double)NAN;
    }
    return tally;
}

void audit_tally_free(struct audit_tally *tally) {
    if (!tally)
        return;
    for (size_t c = 0; c < tally->plan->contests; c++)
        free(tally->sums[c].weight);
    free(tally->sums);
    free(tally->summary);
    free(tally);
}

static void note_partitions(struct audit_summary *summary, struct sums *sums,
                            const struct audit_digest *audit) {
    if (audit->partitions == 0)
        return;
    if (!sums->weight)
        sums->weight = memory_zeroed(audit->partitions, sizeof *sums->weight);
    sums->partitions = audit->partitions;
    sums->weighed++;
    summary->weight_min = fmin(summary->weight_min, audit->weight_min);
    summary->weight_max = fmax(summary->weight_max, audit->weight_max);
    for (uint32_t p = 0; p < audit->partitions; p++)
        sums->weight[p] += audit->weight_mean[p];
}

static void note_theorem(struct audit_summary *summary, const struct contest *contest,
                         const struct audit_digest *audit) {
    summary->theorem = ((const struct scheme *)contest->entry->scheme.type)->theorem->name;
    if (audit->holds) {
        summary->holding++;
        summary->exceeding += audit->exceeded;
        summary->slower += audit->slower;
    } else if (summary->reason.text[0] == '\0') {
        sentence_set(&summary->reason, "%s", audit->reason);
    }
}

void audit_tally_note(struct audit_tally *tally, size_t contest, const struct audit_digest *audit) {
    struct audit_summary *summary = &tally->summary[contest];
    struct sums *sums = &tally->sums[contest];
    summary->runs++;
    summary->cosine_min = fmin(summary->cosine_min, audit->cosine_min);
    summary->residual_max = fmax(summary->residual_max, audit->residual_max);
    summary->largest_max = fmax(summary->largest_max, audit->largest_max);
    if (!isnan(audit->error_mean)) {
        sums->error += audit->error_mean;
        sums->errors++;
    }
    note_partitions(summary, sums, audit);
    if (audit->theorem)
        note_theorem(summary, &tally->plan->contest[contest], audit);
}

static void settle(struct audit_summary *summary, const struct sums *sums) {
    summary->error_mean = sums->error / sums->errors;
    for (uint32_t p = 0; p < sums->partitions; p++) {
        double mean = sums->weight[p] / sums->weighed;
        summary->weight_mean_min = fmin(summary->weight_mean_min, mean);
        summary->weight_mean_max = fmax(summary->weight_mean_max, mean);
    }
}

const struct audit_summary *audit_tally_summaries(struct audit_tally *tally) {
    for (size_t c = 0; c < tally->plan->contests; c++)
        settle(&tally->summary[c], &tally->sums[c]);
    return tally->summary;
}
