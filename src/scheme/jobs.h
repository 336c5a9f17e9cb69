/* jobs.h: the updates that a pipelined code has under way.
 * Knows no code matrix, no stragglers and no times.
 *
 * Notation: job j = 0 … J - 1 begins in round j and is complete at the latest in round j + T, T the delay. Jobs are
 * released in order: one that is complete before another that precedes it waits. With one model job j is evaluated at the
 * model that round j opened with; with T + 1 models trained in turn, at model j mod (T + 1), which job j - T - 1 updated.
 * Source: Krishnan, Ebrahimi and Khisti, arXiv 2211.13802, section 2. */
#ifndef LAGGARD_JOBS_H
#define LAGGARD_JOBS_H
#include "scheme.h"
#include <assert.h>

struct jobs {
    uint32_t all;    /* J; PARAM_ABSENT: no end */
    uint32_t delay;  /* T */
    uint32_t models; /* 1 or T + 1 */
    bool batches;
    uint32_t *version; /* [T + 1]: of the model of job j, at jobs_slot */
    uint32_t round;    /* r, the present one */
    uint32_t slot;     /* of job r, at jobs_slot */
    uint32_t released; /* the first of the jobs that are not */
    uint32_t chosen;   /* the first of the jobs that `choose` was not asked for */
};

/* `limits` are the scheme's: it holds messages for T rounds. */
void jobs_begin(struct jobs *jobs, const struct limits *limits, const struct setting *setting,
                struct arena *arena);
/* Round r opens, at this version where one model is trained: job r begins. Rounds come one by one from 0. */
void jobs_open(struct jobs *jobs, uint32_t round, uint32_t version);

/* There is a job that began `age` rounds ago. */
bool jobs_began(const struct jobs *jobs, uint32_t age);
/* Where a job under way keeps its state in arrays of T + 1: job mod (T + 1). */
static inline uint32_t jobs_slot(const struct jobs *jobs, uint32_t job) {
    const uint32_t age = jobs->round - job;
    assert(age <= jobs->delay);
    return age <= jobs->slot ? jobs->slot - age : jobs->slot + jobs->delay + 1 - age;
}
/* The gradient of a partition or piece that a job under way needs. */
struct evaluation jobs_evaluation(const struct jobs *jobs, uint32_t job, uint32_t partition);

/* It, as a term of a message. */
struct term jobs_term(const struct evaluation *evaluation, double coefficient);

/* Some job has begun and is not released; the first one is `released`. */
bool jobs_wait(const struct jobs *jobs);
/* The job that `choose` is asked for. */
uint32_t jobs_choose(struct jobs *jobs);
#endif
