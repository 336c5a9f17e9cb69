#include "late_set.h"
#include "rounds_inside.h"
#include <math.h>

/* NAN where no worker's time was drawn. */
static double first_arrival(const struct rounds *rounds, size_t r) {
    const double *seconds = rounds->seconds + r * rounds->row;
    if (rounds->backlog)
        return rounds->round[r].first_s;
    if (rounds->beta)
        return (double)NAN;
    return rounds->round[r].opened_s + least_of(seconds, rounds->workers);
}

static void add_round_row(struct rounds *rounds, size_t r) {
    const struct closed_round *round = &rounds->round[r];
    struct step_row row = blank_step();
    row.step = round->recorded;
    row.time_s = round->next_s;
    row.responders = rounds->k;
    row.recovered = round->recovered;
    row.loss = round->loss;
    if (round->recovered > 0)
        row.staleness_mean = row.staleness_max = 0;
    row.aggregation_s = round->next_s - first_arrival(rounds, r);
    result_add_step(rounds->result, &row);
}

void rounds_add_rows(struct rounds *rounds, size_t count) {
    for (size_t r = 0; rounds->spec.scenario->record.mode != RECORD_SUMMARY && r < count; r++)
        if (rounds->round[r].recorded > 0)
            add_round_row(rounds, r);
}

static struct spending spending_of(const struct rounds *rounds, uint32_t worker) {
    struct spending spending = {.booked_s = {[USE_DISCARDED] = rounds->dropped_s[worker]}};
    for (unsigned use = 0; use < USES; use++)
        spending.evaluated_s[use] = use == USE_STALE ? 0 : rounds->evaluated_s[use][worker];
    return spending;
}

/* A task that is unended as the run is over was not dropped; one of a round that stalled was never counted. */
static void report_worker(struct rounds *rounds, uint32_t i, const struct spending *spending) {
    struct run_row *run = &rounds->result->run;
    uint32_t heard = (uint32_t)rounds->heard[i];
    uint32_t ended = heard + rounds->finished[i], dropped = run->rounds - ended;
    struct worker_row row = {.worker = i,
                             .busy_s = spending_busy(spending),
                             .oldest_steps = UINT32_MAX,
                             .gone_s = (double)NAN,
                             .heir = UINT32_MAX};
    row.idle_s = fmax(0, run->time_s - row.busy_s);
    row.used = rounds->counts ? heard : rounds->used[i];
    row.late = run->rounds - heard;
    row.participation = run->rounds > 0 ? (double)row.used / run->rounds : (double)NAN;
    if (rounds->backlog) {
        row.evaluated = (uint64_t)ended * rounds->evaluations;
        row.backlog_end = backlog_now(rounds->backlog, i);
        row.backlog_max = backlog_most(rounds->backlog, i);
    } else {
        row.evaluated = (uint64_t)(ended + (rounds->hangs && !rounds->unended[i])) * rounds->evaluations;
        row.skipped = (uint64_t)(dropped - (!rounds->hangs && rounds->unended[i])) * rounds->evaluations;
        row.backlog_end = rounds->silent[i];
        row.backlog_max = row.late > 0;
    }
    rounds->result->worker[i] = row;
    run->idle_s += row.idle_s;
}

/* Where no worker's time was drawn nobody knows what it was good for. */
static void report_seconds(struct rounds *rounds) {
    struct run_row *run = &rounds->result->run;
    if (rounds->beta || !rounds->spec.scenario->record.bookings) {
        result_forget_bookings(rounds->result);
        return;
    }
    struct spending *spending = rounds_for_workers(rounds, sizeof *spending);
    for (uint32_t i = 0; i < rounds->workers; i++)
        spending[i] = spending_of(rounds, i);
    run->useful_s = spendings_seconds(spending, rounds->workers, USE_USEFUL);
    run->redundant_s = spendings_seconds(spending, rounds->workers, USE_REDUNDANT);
    run->discarded_s = spendings_seconds(spending, rounds->workers, USE_DISCARDED);
    for (uint32_t i = 0; i < rounds->workers; i++)
        report_worker(rounds, i, &spending[i]);
}

void rounds_report(struct rounds *rounds) {
    struct run_row *run = &rounds->result->run;
    progress_report(run, &rounds->took, 0);
    run->rounds = rounds->ended;
    run->time_s = rounds->hangs ? rounds->end_s : rounds->progress.time_s;
    run->seed = rounds->spec.scenario->seed;
    run->status = status_name(rounds->status);
    if (rounds->backlog)
        backlog_end(rounds, run->time_s);
    report_seconds(rounds);
}
