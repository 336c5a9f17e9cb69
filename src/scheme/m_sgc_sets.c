#include "burst_sets.h"
#include "jobs.h"
#include "sequential.h"
#include "set_rules.h"

/* Its coded chunks leave a worker T rounds after a job began at the earliest, and the code brings a job to its end by then:
 * so each ends T rounds after it began. With nothing coded a job is there as soon as every worker was heard in W - 1 rounds
 * since it began. */
struct m_sgc_sets {
    struct jobs jobs;
    struct burst_sets burst;
    uint32_t workers;
    uint32_t plains;       /* W - 1 where nothing is coded, else 0 */
    uint32_t *times_heard; /* [n] */
    uint32_t *heard;       /* [n * plains]: the last rounds in which the worker was, by its times mod W - 1 */
};

static void *begin(const void *params, const struct setting *setting, const struct limits *limits,
                   struct arena *arena) {
    struct m_sgc_sets *sgc = arena_zeroed(arena, 1, sizeof *sgc);
    sgc->workers = setting->shape.workers;
    jobs_begin(&sgc->jobs, limits, setting, arena);
    burst_sets_begin(&sgc->burst, ((const struct sequential_params *)params)->bounds, sgc->workers, arena);
    if (limits->cut.small > 0)
        return sgc;
    sgc->plains = limits->cut.large;
    sgc->times_heard = arena_zeroed(arena, sgc->workers, sizeof *sgc->times_heard);
    sgc->heard = arena_zeroed(arena, (size_t)sgc->workers * sgc->plains, sizeof *sgc->heard);
    return sgc;
}

static void open(void *state, uint32_t round, uint32_t version) {
    struct m_sgc_sets *sgc = state;
    jobs_open(&sgc->jobs, round, version);
    burst_sets_open(&sgc->burst, round);
}

static bool admits(const void *state, const uint64_t *missing) {
    return burst_sets_admit(&((const struct m_sgc_sets *)state)->burst, missing);
}

/* The jobs of which the worker has sent all: those that began so early, so to say the first of the others. */
static uint32_t hear(struct m_sgc_sets *sgc, uint32_t worker, bool heard) {
    uint32_t *times = &sgc->times_heard[worker], *round = &sgc->heard[(size_t)worker * sgc->plains];
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
    jobs->released =
        sgc->plains > 0 ? released_uncoded(sgc, missing) : before + jobs_began(jobs, jobs->delay);
    return jobs->released - before;
}

static uint32_t release(void *state) {
    struct jobs *jobs = &((struct m_sgc_sets *)state)->jobs;
    return jobs->version[jobs_slot(jobs, jobs_choose(jobs))];
}

const struct set_rules m_sgc_sets = {
    .begin = begin, .open = open, .admits = admits, .close = close, .release = release};
