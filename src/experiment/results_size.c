#include "results_size.h"
#include "event_plan.h"
#include "render.h"
#include "run.h"
#include <math.h>
#include <time.h>

#define PROBE_STEPS    40
#define PROBES_TOTAL_S 0.5 /* after that the others are taken to be as the last one probed */
#define LOG_ROWS       40  /* per factor of ten */

/* More than a row of steps.csv and bounds.csv, of workers.csv and partitions.csv, of events.csv, and all others of a run,
 * can have. */
#define STEP_BYTES_MOST   600.0
#define WORKER_BYTES_MOST 600.0
#define EVENT_BYTES_MOST  200.0
#define RUN_BYTES_MOST    2000.0
/* What a row of bounds.csv and of partitions.csv has. */
#define BOUND_BYTES     75.0
#define PARTITION_BYTES 110.0

/* One run as text. */
struct texture {
    double row_bytes, step_bytes, run_bytes; /* of a recorded step, of any step, of the run beside */
    double simulated_s;                      /* a step */
};

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Bounds are known once the objective was measured, which takes long: what an audit adds is reckoned. */
static struct texture texture_of_result(const struct plan *plan, const struct contest *contest,
                                        const struct result *result) {
    const struct scheme *scheme = (const struct scheme *)contest->entry->scheme.type;
    struct rendering rendering;
    struct result plain = *result;
    plain.audited = NULL;
    rendering_init(&rendering, plan);
    rendering_add(&rendering, contest, 0, &plain);
    double steps = fmax(1, result->run.steps), rows = fmax(1, (double)result->steps);
    struct texture texture = {
        .row_bytes = (double)rendering.steps.length / rows,
        .step_bytes = (double)rendering.events.length / steps,
        .run_bytes = (double)(rendering.runs.length + rendering.workers.length + rendering.staleness.length),
        .simulated_s = result->run.steps > 0 ? result->run.time_s / steps : (double)NAN,
    };
    if (result->audited) {
        texture.row_bytes += scheme->theorem ? BOUND_BYTES : 0;
        texture.run_bytes += PARTITION_BYTES * result->audited->partitions;
    }
    rendering_fini(&rendering);
    return texture;
}

static struct texture probe(const struct plan *plan, const struct contest *contest) {
    struct scenario few = *contest->point->scenario;
    few.stop = (struct stop_spec){.steps = PROBE_STEPS, .loss = (double)NAN, .seconds_s = (double)NAN};
    few.record.mode = RECORD_EVERY;
    few.record.every = 1;
    struct trial_spec spec = {.scenario = &few, .entry = contest->entry};
    struct result *result = run_whole(&spec);
    struct texture texture = texture_of_result(plan, contest, result);
    result_free(result);
    return texture;
}

static double rows_of(const struct record_spec *record, double steps) {
    if (record->mode == RECORD_SUMMARY)
        return 0;
    return record->mode == RECORD_LOG ? LOG_ROWS * log10(steps + 1) + 2 : steps / record->every + 2;
}

/* As long as their simulated time lets them be. */
static double steps_of(const struct scenario *scenario, const struct texture *texture) {
    if (scenario->stop.steps != PARAM_ABSENT)
        return scenario->stop.steps;
    return texture->simulated_s > 0 ? ceil(scenario->stop.seconds_s / texture->simulated_s) : (double)NAN;
}

double results_bytes(const struct plan *plan) {
    double begin_s = seconds_now(), bytes = 0;
    struct texture texture = {0};
    for (size_t c = 0; c < plan->contests; c++) {
        const struct contest *contest = &plan->contest[c];
        const struct scenario *scenario = contest->point->scenario;
        if (c == 0 || seconds_now() - begin_s < PROBES_TOTAL_S)
            texture = probe(plan, contest);
        double steps = steps_of(scenario, &texture);
        bytes += scenario->replications * (rows_of(&scenario->record, steps) * texture.row_bytes +
                                           steps * texture.step_bytes + texture.run_bytes);
    }
    return bytes;
}

static double bytes_at_most(const struct contest *contest) {
    const struct scenario *scenario = contest->point->scenario;
    double steps = scenario->stop.steps != PARAM_ABSENT ? scenario->stop.steps : (double)INFINITY;
    double bytes = RUN_BYTES_MOST + rows_of(&scenario->record, steps) * STEP_BYTES_MOST +
                   (scenario->cluster.workers + (double)contest->entry->partitions) * WORKER_BYTES_MOST;
    if (scenario->record.events)
        bytes += 2 * events_expected(scenario, contest->entry, steps) * EVENT_BYTES_MOST;
    return scenario->replications * bytes;
}

bool results_fit(const struct plan *plan, struct sentence *why) {
    double most = 0;
    for (size_t c = 0; c < plan->contests; c++)
        most += bytes_at_most(&plan->contest[c]);
    double bytes = most <= RESULTS_BYTES_MAX ? most : results_bytes(plan);
    if (!(bytes > RESULTS_BYTES_MAX))
        return true;
    sentence_set(
        why,
        "the results would be up to about %.0f GB, of at most %g; raise record.every, make it log or "
        "summary, or allow it with --yes",
        1e-9 * bytes, 1e-9 * RESULTS_BYTES_MAX);
    return false;
}
