#include "burst_sets.h"
#include "jobs.h"
#include "sequential.h"
#include "set_rules.h"
#include <string.h>

/* Notation as in sr_sgc.c. */
struct sr_sgc_sets {
    struct jobs jobs;
    struct burst_sets burst;
    uint32_t workers, stragglers; /* n, s */
    size_t words;
    uint64_t *all;       /* the set of all workers */
    uint64_t *redo;      /* workers that redo in the present round */
    uint32_t redoing;    /* so many */
    uint64_t *delivered; /* [(B + 1) * words]: of job j, at jobs_slot, those whose result came in round j */
    uint32_t *results;   /* [B + 1]: so many, and those that were redone */
    uint64_t *redone;    /* whose result of job r - B came in the present round r */
};

static void *begin(const void *params, const struct setting *setting, const struct limits *limits,
                   struct arena *arena) {
    struct sr_sgc_sets *sr = arena_zeroed(arena, 1, sizeof *sr);
    size_t jobs = limits->held + 1;
    sr->workers = setting->shape.workers;
    sr->stragglers = limits->terms - 1;
    sr->words = set_words(sr->workers);
    jobs_begin(&sr->jobs, limits, setting, arena);
    burst_sets_begin(&sr->burst, ((const struct sequential_params *)params)->bounds, sr->workers, arena);
    sr->all = arena_zeroed(arena, sr->words, sizeof *sr->all);
    sr->redo = arena_zeroed(arena, sr->words, sizeof *sr->redo);
    sr->delivered = arena_zeroed(arena, jobs * sr->words, sizeof *sr->delivered);
    sr->results = arena_zeroed(arena, jobs, sizeof *sr->results);
    sr->redone = arena_zeroed(arena, sr->words, sizeof *sr->redone);
    set_fill(sr->all, sr->workers);
    return sr;
}

static uint64_t *delivered_of(const struct sr_sgc_sets *sr, uint32_t job) {
    return sr->delivered + jobs_slot(&sr->jobs, job) * sr->words;
}

static uint32_t lacks(const struct sr_sgc_sets *sr, uint32_t job) {
    uint32_t results = sr->results[jobs_slot(&sr->jobs, job)], needed = sr->workers - sr->stragglers;
    return results < needed ? needed - results : 0;
}

/* The `count` lowest bits of those that are set. */
static uint64_t lowest(uint64_t bits, uint32_t count) {
    uint64_t rest = bits;
    for (; count > 0 && rest != 0; count--)
        rest &= rest - 1;
    return bits ^ rest;
}

static void plan_redoing(struct sr_sgc_sets *sr) {
    memset(sr->redo, 0, sr->words * sizeof *sr->redo);
    sr->redoing = 0;
    if (!jobs_began(&sr->jobs, sr->jobs.delay))
        return;
    uint32_t oldest = sr->jobs.round - sr->jobs.delay, lacking = lacks(sr, oldest);
    const uint64_t *delivered = delivered_of(sr, oldest);
    for (size_t w = 0; sr->redoing < lacking; w++) {
        sr->redo[w] = lowest(sr->all[w] & ~delivered[w], lacking - sr->redoing);
        sr->redoing += set_count(&sr->redo[w], 1);
    }
}

static void open(void *state, uint32_t round, uint32_t version) {
    struct sr_sgc_sets *sr = state;
    jobs_open(&sr->jobs, round, version);
    burst_sets_open(&sr->burst, round);
    memset(delivered_of(sr, round), 0, sr->words * sizeof *sr->delivered);
    sr->results[jobs_slot(&sr->jobs, round)] = 0;
    plan_redoing(sr);
}

static bool idle(const void *state) {
    const struct sr_sgc_sets *sr = state;
    return !jobs_began(&sr->jobs, 0) && sr->redoing == 0;
}

static bool admits(const void *state, const uint64_t *missing) {
    return burst_sets_admit(&((const struct sr_sgc_sets *)state)->burst, missing);
}

/* Results of the round's own job, and of the one that is redone. */
static void count_results(struct sr_sgc_sets *sr, const uint64_t *missing) {
    uint32_t round = sr->jobs.round, oldest = round - sr->jobs.delay;
    uint64_t *delivered = delivered_of(sr, round);
    for (size_t w = 0; jobs_began(&sr->jobs, 0) && w < sr->words; w++)
        delivered[w] = sr->all[w] & ~missing[w] & ~sr->redo[w];
    sr->results[jobs_slot(&sr->jobs, round)] = set_count(delivered, sr->words);
    for (size_t w = 0; w < sr->words; w++)
        sr->redone[w] = sr->redo[w] & ~missing[w];
    if (sr->redoing > 0)
        sr->results[jobs_slot(&sr->jobs, oldest)] += set_count(sr->redone, sr->words);
}

static uint32_t close(void *state, const uint64_t *missing) {
    struct sr_sgc_sets *sr = state;
    uint32_t before = sr->jobs.released;
    count_results(sr, missing);
    if (set_count(missing, sr->words) > sr->stragglers || sr->redoing > 0)
        burst_sets_record(&sr->burst, missing);
    while (jobs_wait(&sr->jobs) && lacks(sr, sr->jobs.released) == 0)
        sr->jobs.released++;
    return sr->jobs.released - before;
}

static uint32_t release(void *state) {
    struct jobs *jobs = &((struct sr_sgc_sets *)state)->jobs;
    return jobs->version[jobs_slot(jobs, jobs_choose(jobs))];
}

/* In the rounds that complete the last jobs, workers that redo nothing evaluate nothing. */
static void evaluations(const void *state, double *evaluations) {
    const struct sr_sgc_sets *sr = state;
    const uint32_t copies = sr->stragglers + 1, own = jobs_began(&sr->jobs, 0) ? copies : 0;
    for (uint32_t i = 0; i < sr->workers; i++)
        evaluations[i] = own;
    if (own < copies)
        set_add(evaluations, sr->redo, sr->words, copies);
}

static size_t parcels(void *state, struct parcel *parcel) {
    const struct sr_sgc_sets *sr = state;
    const uint32_t job = sr->jobs.chosen - 1, round = sr->jobs.round, copies = sr->stragglers + 1;
    const bool last = round - job == sr->jobs.delay && sr->redoing > 0;
    parcel[0] = (struct parcel){.round = job, .workers = delivered_of(sr, job), .evaluations = copies};
    parcel[1] = (struct parcel){.round = round, .workers = sr->redone, .evaluations = copies, .rest = true};
    return last ? 2 : 1;
}

const struct set_rules sr_sgc_sets = {.begin = begin,
                                      .open = open,
                                      .idle = idle,
                                      .admits = admits,
                                      .close = close,
                                      .release = release,
                                      .evaluations = evaluations,
                                      .parcels = parcels};
