#include "runner.h"
#include "cohort.h"
#include "run_sizes.h"
#include <pthread.h>
#include <stdlib.h>

/* Runs finished ahead of the one that is written next, per thread: bounds memory when one run is slow. */
#define WINDOW (2 * COHORT_RUNS)

struct outcome {
    struct result *result;
    struct rendering rendering;
};

/* Kernels take as long for most of a cohort as for a whole one, so that all threads have whole ones for as long as there are
 * enough jobs, and then share the rest evenly. */
struct cohort_sizes {
    size_t whole_jobs; /* of whole cohorts, the same number for each thread */
    size_t rest_runs;  /* of a cohort after them */
};

struct runner {
    const struct plan *plan;
    const struct run_list *list; /* a job is an index of it */
    size_t jobs;
    struct outcome **outcome; /* [window]: of job j at j % window */
    struct trajectories *trajectories;
    struct cohort_sizes sizes;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t next, written, window; /* guarded by lock, as outcome and stopped */
    bool stopped;
};

static const struct contest *contest_of(const struct runner *runner, struct run_id job) {
    return &runner->plan->contest[job.contest];
}

static struct run_id run_of(const struct runner *runner, size_t job) {
    return run_list_at(runner->list, job);
}

static struct outcome **outcome_of(struct runner *runner, size_t job) {
    return &runner->outcome[job % runner->window];
}

static struct outcome *outcome_new(const struct runner *runner, struct run_id job, struct result *result) {
    const struct contest *contest = contest_of(runner, job);
    struct outcome *outcome = memory_zeroed(1, sizeof *outcome);
    outcome->result = result;
    rendering_init(&outcome->rendering, runner->plan);
    rendering_add(&outcome->rendering, contest, job.replication, outcome->result);
    return outcome;
}

static void outcome_free(struct outcome *outcome) {
    if (!outcome)
        return;
    result_free(outcome->result);
    rendering_fini(&outcome->rendering);
    free(outcome);
}

static double job_bytes(const struct runner *runner, size_t job) {
    const struct contest *contest = contest_of(runner, run_of(runner, job));
    return run_bytes(contest->point->scenario, contest->entry);
}

/* The writer is so far behind that no run may begin. */
static bool ahead(const struct runner *runner) {
    return runner->next - runner->written >= runner->window;
}

static size_t cohort_most(struct cohort_sizes sizes, size_t job) {
    return job < sizes.whole_jobs ? COHORT_RUNS : sizes.rest_runs;
}

/* The next job, if the cohort has room for it; runner->jobs where there is none. Who has nothing else to do waits for the
 * writer. */
static size_t take_job(struct runner *runner, const struct cohort *cohort) {
    size_t job = runner->jobs;
    pthread_mutex_lock(&runner->lock);
    while (cohort_runs(cohort) == 0 && !runner->stopped && runner->next < runner->jobs && ahead(runner))
        pthread_cond_wait(&runner->changed, &runner->lock);
    if (!runner->stopped && runner->next < runner->jobs && !ahead(runner) &&
        cohort_runs(cohort) < cohort_most(runner->sizes, runner->next) &&
        cohort_has_room(cohort, job_bytes(runner, runner->next)))
        job = runner->next++;
    pthread_mutex_unlock(&runner->lock);
    return job;
}

static void take_jobs(struct runner *runner, struct cohort *cohort) {
    for (size_t job; (job = take_job(runner, cohort)) < runner->jobs;) {
        struct run_id run = run_of(runner, job);
        const struct contest *contest = contest_of(runner, run);
        struct trial_spec spec = {.scenario = contest->point->scenario,
                                  .entry = contest->entry,
                                  .replication = run.replication,
                                  .trajectories = runner->trajectories};
        cohort_join(cohort, &spec, job, job_bytes(runner, job));
    }
}

static void finish_job(void *context, size_t job, struct result *result) {
    struct runner *runner = context;
    struct outcome *outcome = outcome_new(runner, run_of(runner, job), result);
    pthread_mutex_lock(&runner->lock);
    *outcome_of(runner, job) = outcome;
    pthread_cond_broadcast(&runner->changed);
    pthread_mutex_unlock(&runner->lock);
}

static bool stopped(struct runner *runner) {
    pthread_mutex_lock(&runner->lock);
    bool stopped = runner->stopped;
    pthread_mutex_unlock(&runner->lock);
    return stopped;
}

static void *work(void *context) {
    struct runner *runner = context;
    struct cohort *cohort = cohort_new(COHORT_RUNS, (struct finish){finish_job, runner});
    for (take_jobs(runner, cohort); cohort_runs(cohort) > 0 && !stopped(runner); take_jobs(runner, cohort))
        cohort_advance(cohort);
    cohort_free(cohort);
    return NULL;
}

static struct outcome *await(struct runner *runner, size_t job) {
    pthread_mutex_lock(&runner->lock);
    while (!*outcome_of(runner, job))
        pthread_cond_wait(&runner->changed, &runner->lock);
    struct outcome *outcome = *outcome_of(runner, job);
    pthread_mutex_unlock(&runner->lock);
    return outcome;
}

static void mark_written(struct runner *runner, size_t job) {
    pthread_mutex_lock(&runner->lock);
    runner->written = job + 1;
    outcome_free(*outcome_of(runner, job));
    *outcome_of(runner, job) = NULL;
    pthread_cond_broadcast(&runner->changed);
    pthread_mutex_unlock(&runner->lock);
}

static bool hand_on_all(struct runner *runner, struct receiver receiver) {
    bool good = true;
    for (size_t job = 0; good && job < runner->jobs; job++) {
        const struct outcome *outcome = await(runner, job);
        struct run_id run = run_of(runner, job);
        good = receiver.receive(receiver.context, run.contest, run.replication, outcome->result,
                                &outcome->rendering);
        mark_written(runner, job);
    }
    return good;
}

static void stop(struct runner *runner) {
    pthread_mutex_lock(&runner->lock);
    runner->stopped = true;
    pthread_cond_broadcast(&runner->changed);
    pthread_mutex_unlock(&runner->lock);
}

static void runner_fini(struct runner *runner) {
    for (size_t slot = 0; slot < runner->window; slot++)
        outcome_free(runner->outcome[slot]);
    trajectories_free(runner->trajectories);
    free(runner->outcome);
    pthread_mutex_destroy(&runner->lock);
    pthread_cond_destroy(&runner->changed);
}

static struct cohort_sizes cohort_sizes(size_t jobs, size_t threads) {
    size_t rest = jobs % (COHORT_RUNS * threads);
    return (struct cohort_sizes){jobs - rest, (rest + threads - 1) / threads};
}

bool runner_run(const struct plan *plan, const struct run_list *list, unsigned threads,
                struct receiver receiver) {
    struct runner runner = {.plan = plan,
                            .list = list,
                            .jobs = list->runs,
                            .trajectories = trajectories_new(),
                            .window = (size_t)WINDOW * threads};
    runner.outcome = memory_zeroed(runner.window, sizeof *runner.outcome);
    pthread_t *thread = memory_zeroed(threads, sizeof *thread);
    unsigned started = 0;
    runner.sizes = cohort_sizes(runner.jobs, threads);
    pthread_mutex_init(&runner.lock, NULL);
    pthread_cond_init(&runner.changed, NULL);
    while (started < threads && pthread_create(&thread[started], NULL, work, &runner) == 0)
        started++;
    if (started == 0) { /* no thread to be had: do it all here, then hand it on */
        free(runner.outcome);
        runner.window = runner.jobs;
        runner.outcome = memory_zeroed(runner.window, sizeof *runner.outcome);
        work(&runner);
    }
    bool good = hand_on_all(&runner, receiver);
    stop(&runner);
    for (unsigned h = 0; h < started; h++)
        pthread_join(thread[h], NULL);
    runner_fini(&runner);
    free(thread);
    return good;
}
