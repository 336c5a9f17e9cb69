#include "trial_state.h"
#include <math.h>
#include <stdlib.h>

/* Rounds that belong to the run whatever they complete. */
static uint32_t rounds_due(const struct trial *trial) {
    uint32_t steps = trial->spec.scenario->stop.steps;
    return trial->scheme->rounds ? trial->scheme->rounds(trial->params, steps) : 0;
}

static struct progress progress_of(const struct trial *trial) {
    return (struct progress){.steps = updates_of(trial, trial->step),
                             .unfinished = trial->round < rounds_due(trial),
                             .time_s = trial->opened_s,
                             .standstill = trial->standstill};
}

static bool recorded(const struct trial *trial) {
    const struct record_spec *record = &trial->spec.scenario->record;
    const uint32_t step = updates_of(trial, trial->step);
    if (step == 0 || trial->status != STATUS_RUNNING)
        return record->mode != RECORD_SUMMARY;
    return progress_recorded(record, step);
}

/* Row 0 comes before any round. */
static void note_milestones(struct trial *trial, double loss) {
    if (trial->step == 0) {
        trial->row = blank_step();
        trial->start_s = trial->opened_s;
    }
    const struct step_end end = {updates_of(trial, trial->step), trial->opened_s, loss, trial->status};
    progress_end_step(&trial->result->run, &trial->took, &end);
}

void report_step(struct trial *trial) {
    const struct progress progress = progress_of(trial);
    const double loss = learn_loss(trial);
    if (trial->learner && progress_diverged(loss, trial->initial_loss)) {
        trial->status = STATUS_DIVERGED;
        trial->result->diverged_residual = trial->decoding.residual;
        trial->result->diverged_largest = trial->decoding.largest_weight;
        return;
    }
    trial->status = progress_status_at(&progress, &trial->spec.scenario->stop, loss);
    trial->fruitless = 0;
    note_milestones(trial, loss);
    if (!recorded(trial))
        return;
    trial->row.step = progress.steps;
    trial->row.time_s = trial->opened_s;
    trial->row.loss = loss;
    trial->row.aggregation_s = trial->step > 0 ? trial->opened_s - trial->first_s : (double)NAN;
    result_add_step(trial->result, &trial->row);
}

static bool hopeless(const struct trial *trial) {
    return progress_hopeless(trial->fruitless, trial->standstill) || round_deserted(trial);
}

void report_fruitless_round(struct trial *trial) {
    const struct progress progress = progress_of(trial);
    trial->fruitless++;
    trial->status = progress_status_idle(&progress, &trial->spec.scenario->stop, hopeless(trial));
}

/* Age of the oldest gradient that a living worker holds at the end. */
static uint32_t oldest_steps(struct trial *trial, uint32_t worker) {
    if (trial->limits.kept == 0 || !cluster_present(trial->cluster, worker))
        return UINT32_MAX;
    size_t terms = trial->scheme->kept(trial->state, worker, trial->kept);
    uint32_t oldest = trial->step;
    for (size_t e = 0; e < terms; e++)
        oldest = trial->kept[e].version < oldest ? trial->kept[e].version : oldest;
    return updates_of(trial, trial->step) - updates_of(trial, oldest);
}

static uint32_t heir_of(const struct trial *trial, uint32_t worker) {
    uint32_t holder = trial->scheme->holder ? trial->scheme->holder(trial->state, worker) : NOBODY;
    return holder != worker ? holder : NOBODY;
}

static void report_worker(struct trial *trial, uint32_t worker) {
    struct run_row *run = &trial->result->run;
    struct worker_row *row = &trial->result->worker[worker];
    *row = trial->seat[worker].row;
    row->worker = worker;
    row->busy_s = ledger_busy(trial->ledger, worker);
    row->down_s = cluster_down_seconds(trial->cluster, worker, trial->end_s);
    row->idle_s = fmax(0, trial->end_s - row->busy_s - row->down_s);
    row->participation = trial->step > 0 ? (double)row->used / trial->step : (double)NAN;
    row->oldest_steps = oldest_steps(trial, worker);
    row->heir = heir_of(trial, worker);
    run->idle_s += row->idle_s;
    run->down_s += row->down_s;
}

static void report_table_ages(struct trial *trial) {
    size_t ages = 0;
    if (!trial->table_ages)
        return;
    uint64_t *counts = table_ages_counts(trial->table_ages, trial->step, &ages);
    for (size_t age = 0; age < ages; age++)
        if (counts[age] > 0)
            result_note_ages(trial->result, (uint32_t)age, counts[age]);
    free(counts);
}

/* What becomes of the partitions of workers that are away. */
static void report_fates(struct trial *trial) {
    const struct scheme *scheme = trial->scheme;
    uint32_t pieces = cut_pieces(&trial->limits.cut);
    if (!trial->use)
        return;
    result_keep_fates(trial->result, trial->setting.shape.partitions);
    for (uint32_t p = 0; p < trial->setting.shape.partitions; p++) {
        struct partition_fate *fate = &trial->result->fate[p];
        fate->holder = scheme->holder ? scheme->holder(trial->state, p) : NOBODY;
        for (uint32_t q = p * pieces; q < (p + 1) * pieces; q++) {
            const struct partition_use *use = &trial->use[q];
            fate->last_step = use->last_step > fate->last_step ? use->last_step : fate->last_step;
            fate->uses += use->count;
        }
    }
}

void report_run(struct trial *trial) {
    struct run_row *run = &trial->result->run;
    progress_report(run, &trial->took, trial->start_s);
    run->time_s = trial->end_s;
    run->seed = trial->spec.scenario->seed;
    run->status = status_name(trial->status);
    run->useful_s = ledger_seconds(trial->ledger, USE_USEFUL);
    run->redundant_s = ledger_seconds(trial->ledger, USE_REDUNDANT);
    run->stale_s = ledger_seconds(trial->ledger, USE_STALE);
    run->discarded_s = ledger_seconds(trial->ledger, USE_DISCARDED);
    report_table_ages(trial);
    report_fates(trial);
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++)
        report_worker(trial, i);
    if (!trial->spec.scenario->record.bookings)
        result_forget_bookings(trial->result);
}
