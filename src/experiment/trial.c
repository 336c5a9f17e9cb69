#include "trial_state.h"
#include <math.h>
#include <stdlib.h>

static void seat_workers(struct trial *trial) {
    size_t workers = trial->setting.shape.workers;
    trial->seat = arena_zeroed(trial->arena, workers, sizeof *trial->seat);
    trial->arrival = arena_zeroed(trial->arena, workers, sizeof *trial->arrival);
    trial->message = arena_zeroed(trial->arena, workers, sizeof *trial->message);
    trial->evaluation =
        arena_zeroed(trial->arena, workers * trial->limits.evaluations, sizeof *trial->evaluation);
    trial->term = arena_zeroed(trial->arena, workers * trial->limits.terms, sizeof *trial->term);
    trial->gradient_term = arena_zeroed(trial->arena, trial->limits.terms, sizeof *trial->gradient_term);
    trial->kept = arena_zeroed(trial->arena, trial->limits.kept, sizeof *trial->kept);
    trial->decoding.weight = arena_zeroed(trial->arena, workers, sizeof *trial->decoding.weight);
}

static void begin(struct trial *trial) {
    const struct scenario *scenario = trial->spec.scenario;
    struct stream code = {scenario->seed, trial->spec.replication, PURPOSE_CODE};
    trial->arena = arena_new();
    trial->limits = trial->scheme->limits(trial->params, &trial->setting);
    trial->state = trial->scheme->begin(trial->params, &trial->setting, code, trial->arena);
    struct cluster_run run = {scenario->seed, trial->spec.replication, scenario->message_bytes};
    trial->cluster = cluster_new(&scenario->cluster, &run);
    trial->rounds = cluster_rounds(&scenario->cluster);
    uint32_t slots =
        trial->limits.kept > trial->limits.evaluations ? trial->limits.kept : trial->limits.evaluations;
    trial->ledger = ledger_new(trial->setting.shape, slots);
    trial->result = result_new(trial->setting.shape.workers);
    if (scenario->record.events)
        result_keep_moments(trial->result);
    trial->moments = trial->result->moments;
    seat_workers(trial);
    learn_begin(trial);
}

static void end(struct trial *trial) {
    ledger_free(trial->ledger);
    learner_free(trial->learner);
    cluster_free(trial->cluster);
    arena_free(trial->arena);
    free(trial->step_seconds);
}

static bool trial_over(const struct trial *trial) {
    return trial->status != STATUS_RUNNING;
}

/* One step: T_t to T_{t+1}. */
static void step_forward(struct trial *trial) {
    if (trial->step >= trial->rounds) {
        trial->status = STATUS_TRACE_END;
        return;
    }
    round_open(trial);
    if (!round_listen(trial)) {
        trial->status = STATUS_STALLED;
        return;
    }
    learn_update(trial);
    round_advance(trial);
    report_step(trial);
}

struct result *trial_run(const struct trial_spec *spec) {
    const struct scenario *scenario = spec->scenario;
    struct trial trial = {
        .spec = *spec,
        .scheme = (const struct scheme *)spec->entry->scheme.type,
        .params = spec->entry->scheme.params,
        .setting = {.shape = {scenario->cluster.workers, spec->entry->partitions},
                    .late = (enum late_rule)spec->entry->late,
                    .batches = scenario->problem.batch > 0,
                    .skips = cluster_skips(&scenario->cluster)},
    };
    begin(&trial);
    if (round_warm_up(&trial))
        report_step(&trial);
    else
        trial.status = STATUS_STALLED;
    while (!trial_over(&trial))
        step_forward(&trial);
    round_end(&trial);
    report_run(&trial);
    end(&trial);
    return trial.result;
}
