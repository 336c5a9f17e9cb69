#include "burst_sets.h"
#include "jobs.h"
#include "sequential.h"
#include "set_rules.h"
#include "worker_set.h"
#include <string.h>

/* Its coded chunks leave a worker T rounds after a job began at the earliest, and the code brings a job to its end by then:
 * so each ends T rounds after it began. With nothing coded a job is there as soon as every worker was heard in W - 1 rounds
 * since it began. */
struct m_sgc_sets {
    struct jobs jobs;
    struct burst_sets burst;
    uint32_t workers;
    uint32_t plains;       /* W - 1 where nothing is coded, else 0 */
    uint32_t *times_heard; /* [n] */
    uint32_t *rounds;      /* [n * plains]: the last rounds in which the worker was, by its times mod W - 1 */
    uint32_t chunks, groups; /* W - 1, B */
    uint32_t coded;          /* evaluations of a coded chunk; 0: nothing is coded */
    /* Where seconds are booked, else NULL. */
    uint64_t *heard; /* [(T + 1) * words]: of round r, at jobs_slot, who was */
    uint64_t *
        plain; /* [(T + 1) * B * words]: of round r, at jobs_slot, those whose part W - 1 + b has a plain chunk */
    uint64_t *missed; /* [(B + 1) * words]: those that were not heard in so many rounds at least, or more */
    uint64_t *
        apart; /* [2 * B * words]: who sent plain, who coded chunks in part W - 1 + b for the job last released */
};

static void *begin(const void *params, const struct setting *setting, const struct limits *limits,
                   struct arena *arena) {
    struct m_sgc_sets *sgc = arena_zeroed(arena, 1, sizeof *sgc);
    sgc->workers = setting->shape.workers;
    jobs_begin(&sgc->jobs, limits, setting, arena);
    burst_sets_begin(&sgc->burst, ((const struct sequential_params *)params)->bounds, sgc->workers, arena);
    sgc->chunks = sgc->burst.bounds.window - 1;
    sgc->groups = sgc->burst.bounds.length;
    sgc->coded = limits->cut.small > 0 ? limits->terms : 0;
    if (sgc->coded > 0)
        return sgc;
    sgc->plains = limits->cut.large;
    sgc->times_heard = arena_zeroed(arena, sgc->workers, sizeof *sgc->times_heard);
    sgc->rounds = arena_zeroed(arena, (size_t)sgc->workers * sgc->plains, sizeof *sgc->rounds);
    return sgc;
}

static void keep(void *state, struct arena *arena) {
    struct m_sgc_sets *sgc = state;
    size_t words = sgc->burst.words, jobs = (size_t)sgc->jobs.delay + 1;
    sgc->heard = arena_zeroed(arena, jobs * words, sizeof *sgc->heard);
    sgc->plain = arena_zeroed(arena, jobs * sgc->groups * words, sizeof *sgc->plain);
    sgc->missed = arena_zeroed(arena, (sgc->groups + 1) * words, sizeof *sgc->missed);
    sgc->apart = arena_zeroed(arena, 2 * sgc->groups * words, sizeof *sgc->apart);
}

static uint64_t *heard_in(const struct m_sgc_sets *sgc, uint32_t round) {
    return sgc->heard + jobs_slot(&sgc->jobs, round) * sgc->burst.words;
}

static uint64_t *plain_in(const struct m_sgc_sets *sgc, uint32_t round, uint32_t b) {
    return sgc->plain + ((size_t)jobs_slot(&sgc->jobs, round) * sgc->groups + b) * sgc->burst.words;
}

/* One more round, in which all but these were missed. */
static void count_missed(struct m_sgc_sets *sgc, const uint64_t *heard) {
    size_t words = sgc->burst.words;
    for (uint32_t times = sgc->groups; times > 0; times--) {
        uint64_t *more = sgc->missed + times * words, *before = more - words;
        for (size_t w = 0; w < words; w++)
            more[w] |= before[w] & ~heard[w];
    }
}

/* Part W - 1 + b has a plain chunk where the worker was heard in fewer than W - 1 of the W - 1 + b rounds before: was missed in
 * more than b. */
static void plan_parts(struct m_sgc_sets *sgc) {
    size_t words = sgc->burst.words;
    uint32_t round = sgc->jobs.round;
    memset(sgc->missed, 0, (sgc->groups + 1) * words * sizeof *sgc->missed);
    set_fill(sgc->missed, sgc->workers);
    for (uint32_t before = 1; before < sgc->chunks + sgc->groups; before++) {
        if (before <= round)
            count_missed(sgc, heard_in(sgc, round - before));
        if (before >= sgc->chunks)
            memcpy(plain_in(sgc, round, before - sgc->chunks),
                   sgc->missed + (before - sgc->chunks + 1) * words, words * sizeof *sgc->plain);
    }
}

static void open(void *state, uint32_t round, uint32_t version) {
    struct m_sgc_sets *sgc = state;
    jobs_open(&sgc->jobs, round, version);
    burst_sets_open(&sgc->burst, round);
    if (sgc->heard)
        plan_parts(sgc);
}

static bool admits(const void *state, const uint64_t *missing) {
    return burst_sets_admit(&((const struct m_sgc_sets *)state)->burst, missing);
}

/* The jobs of which the worker has sent all: those that began so early, so to say the first of the others. */
static uint32_t hear(struct m_sgc_sets *sgc, uint32_t worker, bool heard) {
    uint32_t *times = &sgc->times_heard[worker], *round = &sgc->rounds[(size_t)worker * sgc->plains];
    if (heard)
        round[(*times)++ % sgc->plains] = sgc->jobs.round;
    return *times >= sgc->plains ? round[*times % sgc->plains] + 1 : 0;
}

static uint32_t released_uncoded(struct m_sgc_sets *sgc, const uint64_t *missing) {
    uint32_t released = sgc->jobs.all;
    for (uint32_t i = 0; i < sgc->workers; i++) {
        uint32_t sent = hear(sgc, i, !(missing[i / 64] >> i % 64 & 1));
        released = sent < released ? sent : released;
    }
    return released;
}

static uint32_t close(void *state, const uint64_t *missing) {
    struct m_sgc_sets *sgc = state;
    struct jobs *jobs = &sgc->jobs;
    uint32_t before = jobs->released;
    burst_sets_record(&sgc->burst, missing);
    if (sgc->heard)
        set_others(heard_in(sgc, jobs->round), missing, sgc->workers);
    jobs->released =
        sgc->plains > 0 ? released_uncoded(sgc, missing) : before + jobs_began(jobs, jobs->delay);
    return jobs->released - before;
}

static uint32_t release(void *state) {
    struct jobs *jobs = &((struct m_sgc_sets *)state)->jobs;
    return jobs->version[jobs_slot(jobs, jobs_choose(jobs))];
}

/* Parts q that serve a job. */
static bool serves(const struct m_sgc_sets *sgc, uint32_t q) {
    return jobs_began(&sgc->jobs, q);
}

static void evaluations(const void *state, double *evaluations) {
    const struct m_sgc_sets *sgc = state;
    const double less = 1 - (double)sgc->coded;
    uint32_t most = 0;
    for (uint32_t q = 0; q < sgc->chunks + sgc->groups; q++)
        most += serves(sgc, q) ? q < sgc->chunks ? 1 : sgc->coded : 0;
    for (uint32_t i = 0; i < sgc->workers; i++)
        evaluations[i] = most;
    for (uint32_t b = 0; b < sgc->groups; b++)
        if (serves(sgc, sgc->chunks + b))
            set_add(evaluations, plain_in(sgc, sgc->jobs.round, b), sgc->burst.words, less);
}

/* Of a round in which the job's parts are coded unless a worker is behind. */
static size_t late_parcels(const struct m_sgc_sets *sgc, uint32_t round, uint32_t b, struct parcel *parcel) {
    size_t words = sgc->burst.words, parcels = 0;
    uint64_t *plain = sgc->apart + 2 * b * words, *coded = plain + words;
    const uint64_t *heard = heard_in(sgc, round), *behind = plain_in(sgc, round, b);
    for (size_t w = 0; w < words; w++) {
        plain[w] = heard[w] & behind[w];
        coded[w] = heard[w] & ~behind[w];
    }
    if (!set_empty(plain, words))
        parcel[parcels++] = (struct parcel){.round = round, .workers = plain, .evaluations = 1};
    if (sgc->coded > 0)
        parcel[parcels++] = (struct parcel){.round = round, .workers = coded, .evaluations = sgc->coded};
    return parcels;
}

static size_t parcels(void *state, struct parcel *parcel) {
    struct m_sgc_sets *sgc = state;
    const uint32_t job = sgc->jobs.chosen - 1;
    size_t parcels = 0;
    for (uint32_t q = 0; q <= sgc->jobs.round - job; q++) {
        const uint32_t round = job + q;
        if (q < sgc->chunks)
            parcel[parcels++] =
                (struct parcel){.round = round, .workers = heard_in(sgc, round), .evaluations = 1};
        else
            parcels += late_parcels(sgc, round, q - sgc->chunks, parcel + parcels);
    }
    return parcels;
}

const struct set_rules m_sgc_sets = {.begin = begin,
                                     .open = open,
                                     .admits = admits,
                                     .close = close,
                                     .release = release,
                                     .keep = keep,
                                     .evaluations = evaluations,
                                     .parcels = parcels};
