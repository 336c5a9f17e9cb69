#include "rounds.h"
#include "swift.h"
#include <stdlib.h>

static void begin_ledger(struct trial *trial) {
    const struct limits *limits = &trial->limits;
    uint32_t slots = limits->kept > limits->evaluations ? limits->kept : limits->evaluations;
    struct ledger_spec spec = {.workers = trial->setting.shape.workers,
                               .partitions = trial->pieces,
                               .slots = slots,
                               .rounds = limits->kept > 0 ? 0 : limits->held + 1};
    trial->ledger = ledger_new(&spec);
}

static void begin(struct trial *trial) {
    const struct scenario *scenario = trial->spec.scenario;
    struct stream code = {scenario->seed, trial->spec.replication, PURPOSE_CODE};
    uint32_t workers = trial->setting.shape.workers;
    trial->tasking = trial->scheme->starts ? &tasking_at_will : &tasking_by_rounds;
    trial->arena = arena_new();
    trial->limits = trial->scheme->limits(trial->params, &trial->setting);
    trial->pieces = trial->setting.shape.partitions * cut_pieces(&trial->limits.cut);
    trial->state = trial->scheme->begin(trial->params, &trial->setting, code, trial->arena);
    struct cluster_run run = {scenario->seed, trial->spec.replication, scenario->model_bytes,
                              scenario->result_bytes};
    trial->cluster = cluster_new(&scenario->cluster, &run);
    trial->trace_rounds = cluster_rounds(&scenario->cluster);
    begin_ledger(trial);
    trial->result = result_new(workers);
    if (scenario->record.events)
        result_keep_moments(trial->result);
    trial->moments = trial->result->moments;
    trial->accumulate = scenario_accumulated(scenario);
    mailbox_begin(&trial->mailbox, workers, &trial->limits, trial->arena);
    trial->decoding.weight =
        arena_zeroed(trial->arena, mailbox_messages(&trial->mailbox), sizeof *trial->decoding.weight);
    uint32_t terms = trial->limits.terms > trial->limits.table ? trial->limits.terms : trial->limits.table;
    trial->gradient_term = arena_zeroed(trial->arena, terms, sizeof *trial->gradient_term);
    trial->table = arena_zeroed(trial->arena, trial->limits.table, sizeof *trial->table);
    trial->kept = arena_zeroed(trial->arena, trial->limits.kept, sizeof *trial->kept);
    if (trial->limits.table > 0)
        trial->table_ages = table_ages_new(trial->limits.table, trial->accumulate);
    if (trial->setting.absentees > 0)
        trial->use = arena_zeroed(trial->arena, trial->pieces, sizeof *trial->use);
    tasks_begin(trial);
    learn_begin(trial);
    effective_begin(trial);
    pack_begin(trial);
    audit_begin(trial);
}

static void end(struct trial *trial) {
    ledger_free(trial->ledger);
    audit_end(trial);
    learn_end(trial);
    cluster_free(trial->cluster);
    table_ages_free(trial->table_ages);
    arena_free(trial->arena);
    free(trial->step_seconds);
}

static bool trial_over(const struct trial *trial) {
    return trial->status != STATUS_RUNNING;
}

/* What the closed round completes: its first update takes the clock to the next opening. */
static void make_updates(struct trial *trial) {
    uint32_t updates = learn_completions(trial);
    double master_s = trial->spec.scenario->master_s;
    if (updates == 0) {
        /* Without a barrier, what makes no update is thrown away at once. */
        round_advance(trial, trial->scheme->starts ? 0 : master_s);
        report_fruitless_round(trial);
    }
    for (uint32_t u = 0; u < updates && !trial_over(trial); u++) {
        learn_update(trial);
        if (u == 0)
            round_advance(trial, master_s);
        trial->step++;
        if (trial->accumulate == 1 || trial->step % trial->accumulate == 0) {
            tell(trial, MOMENT_UPDATE, trial->opened_s, THE_MASTER, trial->round - 1);
            report_step(trial);
        }
    }
}

/* One round: T_t to T_{t+1}. */
static void round_forward(struct trial *trial) {
    if (!trial->scheme->starts && trial->round >= trial->trace_rounds) {
        trial->status = STATUS_TRACE_END;
        return;
    }
    round_open(trial);
    keep_open(trial);
    if (round_idle(trial)) {
        round_pass(trial);
        report_fruitless_round(trial);
    } else if (round_listen(trial)) {
        make_updates(trial);
    } else {
        trial->status = trial->exhausted ? STATUS_TRACE_END : STATUS_STALLED;
    }
}

static struct result *run_by_events(const struct trial_spec *spec) {
    const struct scenario *scenario = spec->scenario;
    struct trial trial = {
        .spec = *spec,
        .scheme = (const struct scheme *)spec->entry->scheme.type,
        .params = spec->entry->scheme.params,
        .setting = scenario_setting(scenario, spec->entry),
    };
    begin(&trial);
    if (round_warm_up(&trial))
        report_step(&trial);
    else
        trial.status = STATUS_STALLED;
    bool fast = spec->timing == TIMING_FASTEST;
    if (!trial_over(&trial) && !(fast && swift_pushes(&trial)))
        while (!trial_over(&trial))
            round_forward(&trial);
    round_end(&trial);
    report_run(&trial);
    end(&trial);
    return trial.result;
}

struct result *trial_run(const struct trial_spec *spec) {
    struct result *result =
        spec->timing == TIMING_FASTEST || spec->scenario->method == METHOD_BETA ? rounds_run(spec) : NULL;
    return result ? result : run_by_events(spec);
}
