#include "jobs.h"

void jobs_begin(struct jobs *jobs, const struct limits *limits, const struct setting *setting,
                struct arena *arena) {
    *jobs = (struct jobs){.all = setting->steps,
                          .delay = limits->held,
                          .models = limits->models,
                          .batches = setting->batches,
                          .version = arena_zeroed(arena, limits->held + 1, sizeof *jobs->version)};
}

void jobs_open(struct jobs *jobs, uint32_t round, uint32_t version) {
    if (round > jobs->round)
        jobs->slot = jobs->slot < jobs->delay ? jobs->slot + 1 : 0;
    jobs->round = round;
    jobs->version[jobs->slot] = jobs->models > 1 ? round / jobs->models : version;
}

bool jobs_began(const struct jobs *jobs, uint32_t age) {
    return age <= jobs->round && jobs->round - age < jobs->all;
}

struct evaluation jobs_evaluation(const struct jobs *jobs, uint32_t job, uint32_t partition) {
    return (struct evaluation){.partition = partition,
                               .batch = jobs->batches ? job : 0,
                               .version = jobs->version[jobs_slot(jobs, job)],
                               .model = job % jobs->models};
}

struct term jobs_term(const struct evaluation *evaluation, double coefficient) {
    return (struct term){.partition = evaluation->partition,
                         .batch = evaluation->batch,
                         .version = evaluation->version,
                         .model = evaluation->model,
                         .coefficient = coefficient};
}

bool jobs_wait(const struct jobs *jobs) {
    return jobs->released <= jobs->round && jobs->released < jobs->all;
}

uint32_t jobs_choose(struct jobs *jobs) {
    assert(jobs->chosen < jobs->released);
    return jobs->chosen++;
}
