/* A run event by event: the only place where the clock of events, scheme and learning meet. */
#include "swift.h"
#include "way.h"
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
    step_times_fini(&trial->took);
}

static bool trial_over(const struct trial *trial) {
    return trial->status != STATUS_RUNNING;
}

/* w_0 is evaluated: T_0. */
static void start(struct trial *trial) {
    learn_start(trial);
    if (round_warm_up(trial))
        report_step(trial);
    else
        trial->status = STATUS_STALLED;
    if (!trial_over(trial) && trial->spec.timing == TIMING_FASTEST)
        swift_pushes(trial);
    trial->stage = STAGE_ROUND;
}

/* Without a barrier, what makes no update is thrown away at once. */
static void end_fruitless(struct trial *trial) {
    round_advance(trial, trial->scheme->starts ? 0 : trial->spec.scenario->master_s);
    report_fruitless_round(trial);
}

/* One round: opened at T_t, listened to, closed at C_t. */
static void run_round(struct trial *trial) {
    if (!trial->scheme->starts && trial->round >= trial->trace_rounds) {
        trial->status = STATUS_TRACE_END;
        return;
    }
    round_open(trial);
    keep_open(trial);
    if (round_idle(trial)) {
        round_pass(trial);
        report_fruitless_round(trial);
    } else if (!round_listen(trial)) {
        trial->status = trial->exhausted ? STATUS_TRACE_END : STATUS_STALLED;
    } else if ((trial->due = trial->updates = learn_completions(trial)) > 0) {
        trial->stage = STAGE_UPDATE;
    } else {
        end_fruitless(trial);
    }
}

/* One of the updates that the closed round completes: a model moves. */
static void update(struct trial *trial) {
    learn_update(trial);
    trial->stage = STAGE_STEP;
}

/* It is evaluated. The first update of a round takes the clock to the next opening, T_{t+1}. */
static void end_step(struct trial *trial) {
    if (trial->due-- == trial->updates)
        round_advance(trial, trial->spec.scenario->master_s);
    trial->step++;
    if (trial->accumulate == 1 || trial->step % trial->accumulate == 0) {
        tell(trial, MOMENT_UPDATE, trial->opened_s, THE_MASTER, trial->round - 1);
        report_step(trial);
    }
    trial->stage = trial->due > 0 ? STAGE_UPDATE : STAGE_ROUND;
}

static void *begin_course(const struct trial_spec *spec) {
    struct trial *trial = memory_zeroed(1, sizeof *trial);
    trial->spec = *spec;
    trial->scheme = (const struct scheme *)spec->entry->scheme.type;
    trial->params = spec->entry->scheme.params;
    trial->setting = scenario_setting(spec->scenario, spec->entry);
    begin(trial);
    return trial;
}

/* T_t to T_{t+1}: a round, then update and step in turn for each update that it completes. */
static enum stand go_on(void *course) {
    struct trial *trial = course;
    static void (*const stages[])(struct trial *) = {
        [STAGE_START] = start, [STAGE_ROUND] = run_round, [STAGE_UPDATE] = update, [STAGE_STEP] = end_step};
    do
        stages[trial->stage](trial);
    while (!trial_over(trial) && !learn_waits(trial));
    return trial_over(trial) ? STAND_ENDED : STAND_WAITING;
}

static struct learner *const *learners(const void *course, size_t *count) {
    const struct trial *trial = course;
    *count = trial->learner ? trial->models : 0;
    return trial->learner;
}

static struct result *end_course(void *course) {
    struct trial *trial = course;
    struct result *result = trial->result;
    round_end(trial);
    report_run(trial);
    end(trial);
    free(trial);
    return result;
}

const struct way way_by_events = {
    .begin = begin_course,
    .learners = learners,
    .go_on = go_on,
    .end = end_course,
};
