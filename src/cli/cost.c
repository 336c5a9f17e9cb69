#include "cost.h"
#include "cohort.h"
#include "gram.h"
#include "run_sizes.h"
#include "tuning.h"
#include <math.h>
#include <sys/resource.h>
#include <time.h>

#define PROBE_STEPS    40   /* of a probe, when a step is quick */
#define PROBE_STEP_S   0.02 /* a step that takes longer is probed alone */
#define PROBES_TOTAL_S 1.0  /* after that the others are taken to cost as the mean of what was probed */

/* One probe: seconds of computing and of simulated time that a step takes. */
struct rate {
    double step_s, simulated_s;
};

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What a probe adds up. */
struct probed {
    double steps, simulated_s;
};

static void note_end(void *context, size_t job, struct result *result) {
    struct probed *probed = context;
    (void)job;
    probed->steps += result->run.steps;
    probed->simulated_s += result->run.time_s;
    result_free(result);
}

/* Runs the first `steps` steps of so many runs side by side, as a study does. Returns the seconds it took and notes those of
 * a step. */
static double probe_steps(const struct scenario *scenario, const struct scheme_entry *entry, uint32_t steps,
                          uint32_t runs, struct rate *rate) {
    struct scenario few = *scenario;
    few.stop = (struct stop_spec){.steps = steps, .loss = (double)NAN, .seconds_s = (double)NAN};
    struct probed probed = {0};
    double begin_s = seconds_now();
    struct trajectories *trajectories = trajectories_new();
    struct cohort *cohort = cohort_new(runs, (struct finish){note_end, &probed});
    for (uint32_t r = 0; r < runs; r++)
        cohort_join(cohort,
                    &(struct trial_spec){
                        .scenario = &few, .entry = entry, .replication = r, .trajectories = trajectories},
                    r, 0);
    while (cohort_runs(cohort) > 0)
        cohort_advance(cohort);
    cohort_free(cohort);
    trajectories_free(trajectories);
    double took_s = seconds_now() - begin_s;
    rate->simulated_s = probed.simulated_s / probed.steps;
    rate->step_s = took_s / fmax(1, probed.steps);
    return took_s;
}

/* Runs that a study has at a time. */
static uint32_t runs_beside(const struct scenario *scenario, const struct scheme_entry *entry) {
    double bytes = run_bytes(scenario, entry), runs = cohort_bytes(bytes) / bytes;
    return scenario->objective.data ? (uint32_t)fmin(scenario->replications, fmax(1, floor(runs))) : 1;
}

/* The first step pays for what is set up once, so it is left out where others can be afforded. */
static struct rate probe(const struct scenario *scenario, const struct scheme_entry *entry) {
    struct rate rate;
    double first_s = probe_steps(scenario, entry, 1, 1, &rate);
    if (first_s > PROBE_STEP_S)
        return rate;
    uint32_t runs = runs_beside(scenario, entry);
    double all_s = probe_steps(scenario, entry, 1 + PROBE_STEPS, runs, &rate);
    if (all_s > runs * first_s)
        rate.step_s = (all_s - runs * first_s) / (PROBE_STEPS * runs);
    return rate;
}

static double steps_at_most(const struct scenario *scenario, const struct rate *rate, bool *guessed) {
    if (scenario->stop.steps != PARAM_ABSENT)
        return scenario->stop.steps;
    *guessed = true;
    return rate->simulated_s > 0 ? ceil(scenario->stop.seconds_s / rate->simulated_s) : (double)NAN;
}

/* The rows of a run wait in memory, and as text, until it is written. */
static double rows_bytes(const struct record_spec *record, double steps) {
    double rows = record->mode == RECORD_EVERY ? steps / record->every : 0;
    if (record->mode == RECORD_LOG)
        rows = 40 * log10(steps + 1);
    return 8 * steps + rows * (sizeof(struct step_row) + 160);
}

static void cost_add_scheme(struct cost *cost, const struct scenario *scenario,
                            const struct scheme_entry *entry, const struct rate *rate) {
    double bytes = run_bytes(scenario, entry);
    double run_steps = steps_at_most(scenario, rate, &cost->guessed);
    bytes += rows_bytes(&scenario->record, run_steps);
    cost->thread_bytes = fmax(cost->thread_bytes, scenario->objective.data ? cohort_bytes(bytes) : bytes);
    double runs = scenario->replications + (double)scenario_tuning_runs(scenario), steps = runs * run_steps;
    cost->sample_bytes =
        fmax(cost->sample_bytes, 8.0 * MEASURES * scenario->replications * scenario->schemes);
    cost->steps += steps;
    cost->processor_s += steps * rate->step_s;
}

/* Points often share their data, and the matrices made of it where they cut it alike. */
static double data_bytes(const struct study *study, size_t point) {
    const struct objective *objective = &study_scenario(study, point)->objective;
    if (!objective->data)
        return 0;
    double rows = (double)dataset_bytes(objective->data), matrices = (double)gram_bytes(objective);
    for (size_t earlier = 0; earlier < point; earlier++) {
        const struct objective *before = &study_scenario(study, earlier)->objective;
        if (before->data != objective->data)
            continue;
        rows = 0;
        if (before->partitions == objective->partitions && gram_bytes(before) > 0)
            matrices = 0;
    }
    return rows + matrices;
}

/* What reading takes is as much again in the run, so it is measured, not reckoned. */
static double resident_bytes(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024 * (double)usage.ru_maxrss : 0;
}

struct cost study_cost(const struct study *study) {
    struct cost cost = {.resident_bytes = resident_bytes()};
    struct rate rate = {0}, sum = {0};
    double begin_s = seconds_now(), probes = 0;
    for (size_t point = 0; point < study_points(study); point++) {
        const struct scenario *scenario = study_scenario(study, point);
        cost.data_bytes += data_bytes(study, point);
        for (uint32_t e = 0; e < scenario->schemes; e++) {
            if (seconds_now() - begin_s < PROBES_TOTAL_S) {
                rate = probe(scenario, &scenario->scheme[e]);
                sum.step_s += rate.step_s;
                sum.simulated_s += rate.simulated_s;
                probes++;
            } else {
                rate = (struct rate){sum.step_s / probes, sum.simulated_s / probes};
            }
            cost_add_scheme(&cost, scenario, &scenario->scheme[e], &rate);
        }
    }
    double distinct = (double)study_distinct_runs(study) / (double)study_runs(study);
    cost.steps *= distinct;
    cost.processor_s *= distinct;
    return cost;
}
