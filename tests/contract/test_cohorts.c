/* A run prints the same in any cohort, sharing what it may with the others, and alone, sharing nothing. Studies of every kind
 * are run one by one and in cohorts of 1, 3, 16 and 40 runs, and in several threads by the runner. */
#include "all_runs.h"
#include "cohort.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROBLEM(keys)                                                                                        \
    "problem: {loss: logistic, l2: 0.01, " keys "data: {type: synthetic, samples: 157, features: 9}}\n"
#define TWELVE                                                                                               \
    "cluster: {workers: [{count: 5, delay: {type: gamma, shape: 2, scale: 1}},\n"                            \
    "                    {count: 7, speed: 0.5, compute: {type: weibull, shape: 2, scale: 1}}]}\n"

struct study_case {
    const char *name, *problem, *optimizer, *rest, *schemes;
};
static const struct study_case cases[] = {
    {"exact codes share a trajectory, one that really decodes does not", PROBLEM(""), "{learning_rate: 0.3}",
     "stop: {steps: 25}\n" TWELVE,
     "[{type: uncoded}, {type: gc-fr, stragglers: 2}, {type: gc-cr, stragglers: 3}, {type: gc-cr, "
     "stragglers: 2, "
     "decode: real}, {type: gc-mds, stragglers: 3}, {type: gc-mds, stragglers: 3, decode: real}]"},
    {"runs that leave the trajectory at once, later, or never", PROBLEM(""),
     "{type: adam, learning_rate: 0.05}", "stop: {steps: 25}\n" TWELVE,
     "[{type: ignore, stragglers: 2}, {type: isgc-fr, stragglers: 1, copies: 3}, {type: isgc-cr, stragglers: "
     "3, "
     "copies: 2}, {type: isgc-hr, stragglers: 1, copies: 3, copies_local: 1, groups: 3}, {type: uncoded}, "
     "{type: "
     "k-batch-sync, k: 9}, {type: anytime, seconds: 4}, {type: bgc, stragglers: 2, density: 4}]"},
    {"momentum and several estimates an update", PROBLEM(""),
     "{type: momentum, learning_rate: 0.2, accumulate: 3, clip_norm: 0.4, schedule: {type: cosine, steps: "
     "20}}",
     "stop: {steps: 12}\n" TWELVE,
     "[{type: uncoded}, {type: isgc-fr, stragglers: 1, copies: 2}, {type: erasurehead, copies: 3, results: "
     "6}, "
     "{type: gc-fr, stragglers: 2}]"},
    {"a rate by the workers used", PROBLEM(""), "{learning_rate: 0.3, scale_lr: linear}",
     "stop: {steps: 20}\n" TWELVE,
     "[{type: uncoded}, {type: gc-fr, stragglers: 2}, {type: ignore, stragglers: 4}]"},
    {"mini-batches", PROBLEM("batch: 4, "), "{learning_rate: 0.3}", "stop: {steps: 20}\n" TWELVE,
     "[{type: uncoded}, {type: gc-cr, stragglers: 2}, {type: ignore, stragglers: 2}, {type: pgc-cr, "
     "stragglers: 2}]"},
    {"gradients that are kept", PROBLEM(""), "{type: nesterov, learning_rate: 0.1}",
     "stop: {steps: 25}\n" TWELVE,
     "[{type: pgc-fr, stragglers: 2}, {type: pgc-cr, stragglers: 3}, {type: pgc-fr, stragglers: 0}, {type: "
     "async}, "
     "{type: ssp, bound: 2}, {type: dsag, fresh: 4}, {type: k-async, k: 3}, {type: ringmaster, max_age: 3}]"},
    {"several models, sums that are kept", PROBLEM(""), "{learning_rate: 0.2}", "stop: {steps: 24}\n" TWELVE,
     "[{type: m-sgc, B: 1, W: 3, lambda: 3, mu: 0.5, models: all, late: cancel}, {type: m-sgc, B: 1, W: 3, "
     "lambda: 3, "
     "mu: 0.5, late: cancel}, {type: sr-sgc, B: 1, W: 2, lambda: 3, mu: 0.5, models: all, late: cancel}, "
     "{type: sr-sgc, "
     "B: 2, W: 3, lambda: 4, mu: 0.5, late: cancel}, {type: gc-deadline, stragglers: 2, mu: 1, late: "
     "cancel}, {type: "
     "m-sgc, B: 1, W: 2, lambda: 2, mu: 1, models: all, decode: real, late: cancel}]"},
    {"local steps, learned waits, parts", PROBLEM(""), "{learning_rate: 0.3}", "stop: {steps: 25}\n" TWELVE,
     "[{type: local, local_steps: 3, stragglers: 3}, {type: local, local_steps: 1}, {type: adaptive-k, k: 4, "
     "burn_in: 2, "
     "threshold: 1, increment: 4}, {type: multi-message, copies: 3}, {type: partial-fr, stragglers: 2, "
     "pieces: 5}, {type: "
     "partial-cr, stragglers: 2, pieces: 5, decode: real}]"},
    {"audited", PROBLEM(""), "{learning_rate: 0.3}", "record: {audit: true}\nstop: {steps: 15}\n" TWELVE,
     "[{type: uncoded}, {type: gc-cr, stragglers: 2}, {type: isgc-cr, stragglers: 3, copies: 2}, {type: "
     "pgc-cr, "
     "stragglers: 2}, {type: local, local_steps: 2, stragglers: 3}]"},
    {"compressed", PROBLEM(""),
     "{learning_rate: 0.3, compression: {type: topk, coordinates: 3, error_feedback: true}}",
     "stop: {steps: 15}\n" TWELVE,
     "[{type: uncoded}, {type: gc-cr, stragglers: 2, late: latest}, {type: ignore, stragglers: 2}, {type: "
     "async}]"},
    {"ends of every kind", PROBLEM(""), "{learning_rate: 3000}",
     "stop: {steps: 40, loss: 0.6, seconds: 60}\n" TWELVE,
     "[{type: uncoded}, {type: ignore, stragglers: 2}, {type: gc-fr, stragglers: 2}, {type: pgc-cr, "
     "stragglers: 1}]"},
    {"workers that die", PROBLEM(""), "{learning_rate: 0.3}",
     "stop: {steps: 40}\ncluster: {workers: [{count: 12, delay: {type: exponential, mean: 1}, failure: "
     "{mean_time_to_failure: 40s, mean_time_to_repair: never}}]}\n",
     "[{type: uncoded}, {type: ignore, stragglers: 2}, {type: gc-fr, stragglers: 2}, {type: pgc-cr, "
     "stragglers: 1}]"},
    {"only time", "problem: {loss: none}\n", NULL, "stop: {steps: 40}\n" TWELVE,
     "[{type: uncoded}, {type: ignore, stragglers: 2}, {type: gc-fr, stragglers: 2}, {type: async}]"},
    {"points that share the data and those that do not", PROBLEM(""), "{learning_rate: 0.3}",
     "stop: {steps: 15}\nsweep: {optimizer.learning_rate: [0.1, 0.3], problem.l2: [0, 0.1], seed: [1, "
     "2]}\n" TWELVE,
     "[{type: uncoded}, {type: ignore, stragglers: 2}, {type: gc-fr, stragglers: 2}]"},
    {"so many partitions that none of their gradients is held",
     "problem: {loss: logistic, l2: 0.01, data: {type: synthetic, samples: 2500, features: 5}}\n",
     "{learning_rate: 0.3}",
     "stop: {steps: 6}\ncluster: {workers: [{count: 1200, delay: {type: exponential, mean: 1}}]}\n",
     "[{type: uncoded}, {type: ignore, stragglers: 100}, {type: ignore, stragglers: 900}, {type: gc-fr, "
     "stragglers: 2, "
     "decode: real}, {type: pgc-fr, stragglers: 2}]"},
};
enum { CASES = sizeof cases / sizeof *cases, REPLICATIONS = 7 };

static void read_case(struct plan *plan, const struct study_case *one) {
    char text[4096];
    struct diag *diag = diag_new();
    snprintf(text, sizeof text, "name: cohorts\nseed: 5\nreplications: %d\n%s%s%s%s%sschemes: %s\n",
             REPLICATIONS, one->problem, one->optimizer ? "optimizer: " : "",
             one->optimizer ? one->optimizer : "", one->optimizer ? "\n" : "", one->rest, one->schemes);
    struct plan_request request = {.file = one->name, .text = text};
    bool good = plan_read(plan, diag, &request);
    diag_print(diag, stderr);
    cr_assert(good, "%s", one->name);
    diag_free(diag);
}

/* The rows of a run as one text. */
static char *text_of(const struct plan *plan, size_t contest, uint32_t replication,
                     const struct result *result) {
    struct rendering rendering;
    char *text = NULL;
    size_t length;
    rendering_init(&rendering, plan);
    rendering_add(&rendering, &plan->contest[contest], replication, result);
    const struct sheet *const sheets[] = {&rendering.steps,     &rendering.runs,       &rendering.workers,
                                          &rendering.staleness, &rendering.partitions, &rendering.theorems};
    FILE *stream = open_memstream(&text, &length);
    for (size_t s = 0; s < sizeof sheets / sizeof *sheets; s++)
        fwrite(sheets[s]->text ? sheets[s]->text : "", 1, sheets[s]->length, stream);
    fclose(stream);
    rendering_fini(&rendering);
    return text;
}

/* Every run alone: job = contest * REPLICATIONS + replication. */
struct alone {
    const struct study_case *one;
    struct plan plan;
    char **text;
    size_t jobs, ended;
    const char *how;
};

static struct trial_spec spec_of(const struct alone *alone, size_t job, struct trajectories *trajectories) {
    const struct contest *contest = &alone->plan.contest[job / REPLICATIONS];
    return (struct trial_spec){.scenario = contest->point->scenario,
                               .entry = contest->entry,
                               .replication = (uint32_t)(job % REPLICATIONS),
                               .trajectories = trajectories};
}

static struct alone run_alone(const struct study_case *one) {
    struct alone alone = {.one = one};
    read_case(&alone.plan, one);
    alone.jobs = alone.plan.contests * REPLICATIONS;
    alone.text = calloc(alone.jobs, sizeof *alone.text);
    for (size_t job = 0; job < alone.jobs; job++) {
        struct trial_spec spec = spec_of(&alone, job, NULL);
        spec.timing = TIMING_EVENTS;
        struct result *result = run_whole(&spec);
        alone.text[job] = text_of(&alone.plan, job / REPLICATIONS, (uint32_t)(job % REPLICATIONS), result);
        result_free(result);
    }
    return alone;
}

static void alone_fini(struct alone *alone) {
    for (size_t job = 0; job < alone->jobs; job++)
        free(alone->text[job]);
    free(alone->text);
    plan_fini(&alone->plan);
}

static void expect_text(struct alone *alone, size_t job, const struct result *result) {
    size_t contest = job / REPLICATIONS;
    char *text = text_of(&alone->plan, contest, (uint32_t)(job % REPLICATIONS), result);
    cr_expect(strcmp(text, alone->text[job]) == 0, "%s: %s of point %u, replication %zu, in %s",
              alone->one->name, alone->plan.contest[contest].entry->label,
              alone->plan.contest[contest].point->index, job % REPLICATIONS, alone->how);
    alone->ended++;
    free(text);
}

static void finish(void *context, size_t job, struct result *result) {
    expect_text(context, job, result);
    result_free(result);
}

/* Runs join in an order that mixes the schemes. */
static void run_in_cohort(struct alone *alone, size_t runs) {
    struct trajectories *trajectories = trajectories_new();
    struct cohort *cohort = cohort_new(runs, (struct finish){finish, alone});
    char how[40];
    snprintf(how, sizeof how, "a cohort of %zu", runs);
    alone->how = how;
    alone->ended = 0;
    for (size_t next = 0; next < alone->jobs || cohort_runs(cohort) > 0;) {
        while (next < alone->jobs && cohort_has_room(cohort, 0)) {
            size_t job = next % alone->plan.contests * REPLICATIONS + next / alone->plan.contests;
            struct trial_spec spec = spec_of(alone, job, trajectories);
            cohort_join(cohort, &spec, job, 0);
            next++;
        }
        cohort_advance(cohort);
    }
    cr_expect(eq(sz, alone->ended, alone->jobs), "%s, %s", alone->one->name, how);
    cohort_free(cohort);
    trajectories_free(trajectories);
}

Test(cohorts, any_number_of_runs_prints_what_each_prints_alone, .timeout = 300) {
    static const size_t runs[] = {1, 3, 16, 40};
    for (size_t c = 0; c < CASES; c++) {
        struct alone alone = run_alone(&cases[c]);
        for (size_t k = 0; k < sizeof runs / sizeof *runs; k++)
            run_in_cohort(&alone, runs[k]);
        alone_fini(&alone);
    }
}

static bool receive(void *context, size_t contest, uint32_t replication, const struct result *result,
                    const struct rendering *rendering) {
    (void)rendering;
    struct alone *alone = context;
    cr_expect(eq(sz, contest * REPLICATIONS + replication, alone->ended), "%s: out of order",
              alone->one->name);
    expect_text(alone, contest * REPLICATIONS + replication, result);
    return true;
}

Test(cohorts, any_number_of_threads_prints_what_each_prints_alone, .timeout = 300) {
    static const unsigned threads[] = {1, 2, 5};
    for (size_t c = 0; c < CASES; c++) {
        struct alone alone = run_alone(&cases[c]);
        for (size_t h = 0; h < sizeof threads / sizeof *threads; h++) {
            alone.ended = 0;
            alone.how = "threads";
            cr_expect(all_runs(&alone.plan, threads[h], (struct receiver){receive, &alone}));
            cr_expect(eq(sz, alone.ended, alone.jobs), "%s, %u threads", alone.one->name, threads[h]);
        }
        alone_fini(&alone);
    }
}

/* A receiver may stop the runner while runs are on their way. */
static bool refuse(void *context, size_t contest, uint32_t replication, const struct result *result,
                   const struct rendering *rendering) {
    (void)contest, (void)replication, (void)result, (void)rendering;
    size_t *left = context;
    return (*left)-- > 0;
}

Test(cohorts, may_be_given_up_at_any_run, .timeout = 300) {
    for (size_t c = 0; c < CASES; c++) {
        struct plan plan;
        read_case(&plan, &cases[c]);
        for (size_t left = 0; left < 20; left += 9) {
            size_t runs = left;
            cr_expect(not(all_runs(&plan, 2, (struct receiver){refuse, &runs})), "%s", cases[c].name);
        }
        plan_fini(&plan);
    }
}

static void drop(void *context, size_t job, struct result *result) {
    (void)context, (void)job;
    result_free(result);
}

/* Exact runs leave no version to themselves; those that really decode share none but w_0. */
Test(cohorts, exact_runs_go_along_one_trajectory, .timeout = 60) {
    struct plan plan;
    read_case(&plan, &cases[0]);
    for (size_t c = 0; c < plan.contests; c++) {
        const struct scheme_entry *entry = plan.contest[c].entry;
        const struct scenario *scenario = plan.point[0].scenario;
        struct trajectories *trajectories = trajectories_new();
        struct cohort *cohort = cohort_new(3, (struct finish){drop, NULL});
        for (uint32_t r = 0; r < 3; r++)
            cohort_join(
                cohort,
                &(struct trial_spec){
                    .scenario = scenario, .entry = entry, .replication = r, .trajectories = trajectories},
                r, 0);
        while (cohort_runs(cohort) > 0)
            cohort_advance(cohort);
        struct trajectory *trajectory =
            trajectory_join(trajectories, &scenario->objective, scenario->optimizer);
        uint32_t last = entry->decode == DECODE_SHARED ? scenario->stop.steps : 0;
        cr_expect(trajectory_reaches(trajectory, last) || last == 0, "%s", entry->label);
        cr_expect(not(trajectory_reaches(trajectory, last + 1)), "%s", entry->label);
        cohort_free(cohort);
        trajectories_free(trajectories);
    }
    plan_fini(&plan);
}
