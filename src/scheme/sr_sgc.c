#include "cr_subset.h"
#include "jobs.h"
#include "placement.h"
#include "sequential.h"
#include <assert.h>
#include <string.h>

/* Job j is coded by a CR code with s stragglers. Round j brings results of all workers but those that redo job j - B;
 * where they are below n - s, round j + B brings the rest. */
struct sr_sgc {
    struct jobs jobs;
    struct burst burst;
    struct placement windows;
    struct cr_code code;
    struct cr_subset subset;
    struct evaluation *evaluation; /* [n * (s + 1)]: of each worker's task */
    uint32_t *evaluations;         /* [n] */
    bool *redoes;      /* [(B + 1) * n]: in round r, at jobs_slot, the worker works on job r - B */
    bool *delivered;   /* [(B + 1) * n]: job j, at jobs_slot, has the worker's result of round j */
    uint32_t *results; /* [B + 1]: of job j, at jobs_slot */
    uint32_t redoing;  /* workers that redo in the present round */
};

/* s: job j may lack s of the n results that rounds j and j + B bring. */
static uint32_t lacking(const struct sequential_params *params) {
    uint64_t span = (uint64_t)params->bounds.window - 1 + params->bounds.length;
    return (uint32_t)(((uint64_t)params->bounds.length * params->bounds.distinct + span - 1) / span);
}

static bool refuses(const void *params, struct shape shape, struct sentence *why) {
    const struct sequential_params *sequential = params;
    struct burst_bounds bounds = sequential->bounds;
    if (sequential_refuses(params, shape, why))
        return true;
    if ((bounds.window - 1) % bounds.length != 0) {
        sentence_set(why, "B = %u must divide W - 1 = %u", bounds.length, bounds.window - 1);
        return true;
    }
    if (lacking(sequential) >= shape.workers) {
        sentence_set(
            why, "lambda = %u makes s = ceil(B lambda / (W - 1 + B)) = %u, which must be below workers = %u",
            bounds.distinct, lacking(sequential), shape.workers);
        return true;
    }
    return sequential_outgrows(shape, (uint64_t)bounds.window + 2 * bounds.length + lacking(sequential), why);
}

static struct limits limits(const void *params, const struct setting *setting) {
    const struct sequential_params *sequential = params;
    uint32_t delay = sequential->bounds.length, copies = lacking(sequential) + 1;
    (void)setting;
    return (struct limits){.terms = copies,
                           .evaluations = copies,
                           .work = copies,
                           .span = sequential_span(sequential, delay),
                           .held = delay,
                           .models = sequential_models(sequential, delay)};
}

static uint32_t rounds(const void *params, uint32_t steps) {
    return steps + ((const struct sequential_params *)params)->bounds.length;
}

static void *begin(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena) {
    const struct sequential_params *sequential = params;
    uint32_t workers = setting->shape.workers, copies = lacking(sequential) + 1;
    struct limits sizes = limits(params, setting);
    size_t marks = (size_t)(sizes.held + 1) * workers;
    struct sr_sgc *sr = arena_zeroed(arena, 1, sizeof *sr);
    jobs_begin(&sr->jobs, &sizes, setting, arena);
    burst_begin(&sr->burst, sequential->bounds, workers, arena);
    sr->windows = placement_cr(workers, copies);
    cr_code_begin(&sr->code, setting, copies - 1, code, arena);
    cr_subset_begin(&sr->subset, workers, arena);
    sr->evaluation = arena_zeroed(arena, (size_t)workers * copies, sizeof *sr->evaluation);
    sr->evaluations = arena_zeroed(arena, workers, sizeof *sr->evaluations);
    sr->redoes = arena_zeroed(arena, marks, sizeof *sr->redoes);
    sr->delivered = arena_zeroed(arena, marks, sizeof *sr->delivered);
    sr->results = arena_zeroed(arena, sizes.held + 1, sizeof *sr->results);
    return sr;
}

/* A row of `redoes` or `delivered`. */
static bool *marks_of(const struct sr_sgc *sr, bool *marks, uint32_t job) {
    return marks + (size_t)jobs_slot(&sr->jobs, job) * sr->code.workers;
}

static uint32_t missing(const struct sr_sgc *sr, uint32_t job) {
    uint32_t results = sr->results[jobs_slot(&sr->jobs, job)],
             needed = sr->code.workers - sr->code.stragglers;
    return results < needed ? needed - results : 0;
}

/* The first workers that did not deliver the oldest job, as many as it lacks results, redo it. */
static void plan_redoing(struct sr_sgc *sr) {
    uint32_t round = sr->jobs.round;
    bool *redoes = marks_of(sr, sr->redoes, round);
    memset(redoes, 0, sr->code.workers * sizeof *redoes);
    sr->redoing = 0;
    if (!jobs_began(&sr->jobs, sr->jobs.delay))
        return;
    const bool *delivered = marks_of(sr, sr->delivered, round - sr->jobs.delay);
    uint32_t lacks = missing(sr, round - sr->jobs.delay);
    for (uint32_t i = 0; sr->redoing < lacks; i++) {
        redoes[i] = !delivered[i];
        sr->redoing += redoes[i];
    }
}

static void open(void *state, uint32_t round, uint32_t version) {
    struct sr_sgc *sr = state;
    jobs_open(&sr->jobs, round, version);
    burst_open(&sr->burst, round);
    memset(marks_of(sr, sr->delivered, round), 0, sr->code.workers * sizeof *sr->delivered);
    sr->results[jobs_slot(&sr->jobs, round)] = 0;
    plan_redoing(sr);
}

static bool idle(const void *state) {
    const struct sr_sgc *sr = state;
    return !jobs_began(&sr->jobs, 0) && sr->redoing == 0;
}

/* How many rounds ago the job began that a worker works on in a round. */
static uint32_t age_of(const struct sr_sgc *sr, uint32_t worker, uint32_t round) {
    return marks_of(sr, sr->redoes, round)[worker] ? sr->jobs.delay : 0;
}

/* In the rounds that complete the last jobs, workers that redo nothing do work of no use. */
static void assign(void *state, uint32_t worker, uint32_t round, struct task *task) {
    struct sr_sgc *sr = state;
    uint32_t copies = sr->windows.copies, age = age_of(sr, worker, round);
    struct evaluation *evaluation = sr->evaluation + (size_t)worker * copies;
    sr->evaluations[worker] = jobs_began(&sr->jobs, age) ? copies : 0;
    struct evaluation own = jobs_evaluation(&sr->jobs, round - age, worker);
    for (uint32_t q = 0; q < sr->evaluations[worker]; q++) {
        evaluation[q] = own;
        evaluation[q].partition =
            placement_partition(&sr->windows, worker, placement_position(&sr->windows, worker, q));
    }
    *task = (struct task){
        .step = round, .work = copies, .evaluations = sr->evaluations[worker], .evaluation = evaluation};
}

static size_t finish(void *state, const struct computed *computed, struct term *term) {
    const struct sr_sgc *sr = state;
    uint32_t copies = sr->windows.copies, worker = computed->worker;
    const struct evaluation *evaluation = sr->evaluation + (size_t)worker * copies;
    const double *coefficient = sr->code.entry + (size_t)worker * copies;
    for (uint32_t q = 0; q < sr->evaluations[worker]; q++)
        term[q] = jobs_term(&evaluation[q], coefficient[placement_position(&sr->windows, worker, q)]);
    return sr->evaluations[worker];
}

static void hear(void *state, const struct message *message) {
    struct sr_sgc *sr = state;
    burst_hear(&sr->burst, message->worker);
}

/* Notes whose result of which job the round brought. */
static void count_results(struct sr_sgc *sr) {
    uint32_t round = sr->jobs.round;
    for (uint32_t i = 0; i < sr->code.workers; i++) {
        uint32_t age = age_of(sr, i, round);
        if (!sr->burst.heard[i] || !jobs_began(&sr->jobs, age))
            continue;
        marks_of(sr, sr->delivered, round - age)[i] = true;
        sr->results[jobs_slot(&sr->jobs, round - age)]++;
    }
}

static bool admits(const void *state) {
    return burst_admits(&((const struct sr_sgc *)state)->burst);
}

static uint32_t completions(void *state, const struct message *message, uint32_t messages) {
    struct sr_sgc *sr = state;
    (void)message;
    (void)messages;
    if (idle(sr))
        return 0;
    count_results(sr);
    /* What such a round lacks is within s, so no later round has to make up for it. */
    if (burst_stragglers(&sr->burst) > sr->code.stragglers || sr->redoing > 0)
        burst_record(&sr->burst);
    uint32_t before = sr->jobs.released;
    while (jobs_wait(&sr->jobs) && missing(sr, sr->jobs.released) == 0)
        sr->jobs.released++;
    assert(!jobs_began(&sr->jobs, sr->jobs.delay) || sr->jobs.released + sr->jobs.delay > sr->jobs.round);
    return sr->jobs.released - before;
}

static void choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    struct sr_sgc *sr = state;
    uint32_t job = jobs_choose(&sr->jobs);
    for (uint32_t m = 0; m < messages; m++)
        out->weight[m] = message[m].step - age_of(sr, message[m].worker, message[m].step) == job;
    out->recovered = sr->code.workers;
    out->claim = EXACT;
}

static void weigh(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    struct sr_sgc *sr = state;
    cr_subset_clear(&sr->subset);
    for (uint32_t m = 0; m < messages; m++)
        if (out->weight[m] != 0)
            cr_subset_add(&sr->subset, &message[m], m);
    out->residual = 0;
    out->largest_weight = 0;
    cr_subset_weigh(&sr->subset, &sr->code, out);
}

extern const struct set_rules sr_sgc_sets;
const struct scheme scheme_sr_sgc = {
    .head = {.name = "sr-sgc",
             .summary =
                 "sequential gradient coding that repeats a job B rounds later for results it lacks; exact",
             .source = "Krishnan, Ebrahimi and Khisti, arXiv 2211.13802, section 3.1 (SR-SGC)",
             .params = &burst_params},
    .wait = "deadline",
    .late = LATE_CANCEL,
    .lates = 1u << LATE_CANCEL,
    .refuses = refuses,
    .own_wait = sequential_own_wait,
    .takes_no_wait = true,
    .stragglers = sequential_stragglers,
    .fewest = sequential_fewest,
    .limits = limits,
    .begin = begin,
    .rounds = rounds,
    .open = open,
    .idle = idle,
    .assign = assign,
    .finish = finish,
    .hear = hear,
    .admits = admits,
    .completions = completions,
    .choose = choose,
    .weigh = weigh,
    .sets = &sr_sgc_sets,
};
