#include "late_set.h"
#include "memory.h"
#include "rounds_inside.h"
#include <math.h>
#include <stdlib.h>

/* Numbers that are drawn at once stay in the nearer caches where rows are short. */
enum { DRAWN_AT_ONCE = 8192, FEWEST_ROUNDS = 8 };

static bool serves(struct rounds *rounds) {
    const struct scenario *scenario = rounds->spec.scenario;
    const struct scheme_entry *entry = rounds->spec.entry;
    if (scenario->objective.data || scenario->record.events || rounds->setting.late == LATE_LATEST ||
        !steady_serves(&scenario->cluster))
        return false;
    rounds->limits = rounds->scheme->limits(rounds->params, &rounds->setting);
    rounds->k = scheme_closing_results(&entry->scheme, rounds->setting.shape, entry->wait);
    return scheme_whole_rounds(rounds->scheme, &rounds->limits) && rounds->k > 0;
}

/* What each worker holds; false where its message is not of all of it. */
static bool read_tasks(struct rounds *rounds) {
    const struct scheme *scheme = rounds->scheme;
    uint32_t evaluations = rounds->evaluations = rounds->limits.evaluations;
    struct term *term = arena_zeroed(rounds->arena, rounds->limits.terms, sizeof *term);
    bool whole = evaluations == rounds->limits.terms, once = evaluations == 1;
    uint32_t *fresh = rounds->hearers.fresh;
    for (uint32_t i = 0; whole && i < rounds->workers; i++) {
        struct task task;
        scheme->assign(rounds->state, i, 0, &task);
        whole = task.evaluations == evaluations &&
                scheme->finish(rounds->state, &(struct computed){i, 0, 0, 1}, term) == evaluations;
        for (uint32_t e = 0; whole && e < evaluations; e++) {
            uint32_t p = rounds->partition[(size_t)i * evaluations + e] = task.evaluation[e].partition;
            whole &= term[e].partition == p;
            once &= fresh[p]++ == 0;
        }
    }
    for (uint32_t p = 0; p < rounds->setting.shape.partitions; p++)
        fresh[p] = 0;
    rounds->counts = once && scheme->recovers;
    return whole;
}

static void *for_workers(struct rounds *rounds, size_t size) {
    return arena_zeroed(rounds->arena, (size_t)rounds->workers + BOOKED_AT_ONCE, size);
}

static void make_room(struct rounds *rounds) {
    struct hearers *hearers = &rounds->hearers;
    rounds->partition =
        arena_zeroed(rounds->arena, (size_t)rounds->workers * rounds->limits.evaluations, sizeof(uint32_t));
    hearers->fresh = arena_zeroed(rounds->arena, rounds->setting.shape.partitions, sizeof *hearers->fresh);
    hearers->arrival = for_workers(rounds, sizeof *hearers->arrival);
    hearers->message = for_workers(rounds, sizeof *hearers->message);
    hearers->place = for_workers(rounds, sizeof *hearers->place);
    hearers->decoding.weight = for_workers(rounds, sizeof(double));
    rounds->evaluated_s[USE_USEFUL] = for_workers(rounds, sizeof(double));
    rounds->evaluated_s[USE_REDUNDANT] = for_workers(rounds, sizeof(double));
    rounds->evaluated_s[USE_DISCARDED] = for_workers(rounds, sizeof(double));
    rounds->dropped_s = for_workers(rounds, sizeof(double));
    rounds->heard = for_workers(rounds, sizeof(double));
    rounds->finished = for_workers(rounds, sizeof(uint32_t));
    rounds->used = for_workers(rounds, sizeof(uint32_t));
    rounds->silent = for_workers(rounds, sizeof(bool));
    rounds->unended = for_workers(rounds, sizeof(bool));
}

static void begin_times(struct rounds *rounds) {
    const struct scenario *scenario = rounds->spec.scenario;
    struct cluster_run run = {.seed = scenario->seed, .replication = rounds->spec.replication};
    rounds->row = 1;
    if (scenario->method == METHOD_BETA) {
        rounds->beta = beta_rounds_new(&scenario->cluster, &run, rounds->limits.work, rounds->k);
        return;
    }
    if (rounds->setting.late == LATE_QUEUE)
        rounds->backlog = backlog_new(rounds->workers);
    rounds->steady = steady_new(&scenario->cluster, &run, rounds->limits.work);
    rounds->earliest = earliest_new(rounds->workers, rounds->k);
    rounds->row = steady_row(rounds->steady);
}

static void begin_clock(struct rounds *rounds) {
    begin_times(rounds);
    size_t most = DRAWN_AT_ONCE / rounds->row, capacity = FEWEST_ROUNDS;
    if (most > capacity)
        capacity = most / FEWEST_ROUNDS * FEWEST_ROUNDS;
    rounds->capacity = capacity;
    rounds->seconds = arena_zeroed(rounds->arena, capacity * rounds->row + BOOKED_AT_ONCE, sizeof(double));
    rounds->kth = arena_zeroed(rounds->arena, capacity, sizeof(double));
    rounds->next = arena_zeroed(rounds->arena, capacity, sizeof(double));
    rounds->round = arena_zeroed(rounds->arena, capacity, sizeof *rounds->round);
}

static bool begin(struct rounds *rounds) {
    const struct scenario *scenario = rounds->spec.scenario;
    struct stream code = {scenario->seed, rounds->spec.replication, PURPOSE_CODE};
    rounds->arena = arena_new();
    if (scenario->method == METHOD_EVENTS) {
        rounds->state = rounds->scheme->begin(rounds->params, &rounds->setting, code, rounds->arena);
        make_room(rounds);
        if (!read_tasks(rounds))
            return false;
    }
    rounds->recovered = UINT32_MAX;
    if (rounds->scheme->recovers)
        rounds->recovered = rounds->scheme->recovers(rounds->params, rounds->setting.shape, rounds->k);
    begin_clock(rounds);
    rounds->result = result_new(rounds->beta ? 0 : rounds->workers);
    return true;
}

static void end(struct rounds *rounds) {
    backlog_free(rounds->backlog);
    beta_rounds_free(rounds->beta);
    steady_free(rounds->steady);
    earliest_free(rounds->earliest);
    arena_free(rounds->arena);
    step_times_fini(&rounds->took);
}

/* Rounds to draw at once: no more than can be. 0: the traces are at their end. */
static uint32_t rounds_ahead(const struct rounds *rounds, uint32_t step) {
    const struct scenario *scenario = rounds->spec.scenario;
    uint32_t ahead = (uint32_t)rounds->capacity;
    uint32_t traced = cluster_rounds(&scenario->cluster);
    if (scenario->stop.steps != PARAM_ABSENT && scenario->stop.steps - step < ahead)
        ahead = scenario->stop.steps - step;
    return traced - step < ahead ? traced - step : ahead;
}

/* Writes the round in row `r`; false where it never closes. */
static bool close_round(struct rounds *rounds, size_t r, const struct progress *progress) {
    double opened_s = progress->time_s;
    double closed_s = rounds->backlog ? backlog_send(rounds, r, opened_s) : opened_s + rounds->kth[r];
    double next_s = closed_s + rounds->spec.scenario->master_s;
    /* Late tasks of no time in a round of no time: several may end and begin at one instant. */
    rounds->unclear |= rounds->backlog && next_s <= opened_s && rounds->k < rounds->workers;
    if (isinf(closed_s) || rounds->unclear)
        return false;
    rounds->round[r] = (struct closed_round){.opened_s = opened_s,
                                             .closed_s = closed_s,
                                             .next_s = next_s,
                                             .step = progress->steps,
                                             .recovered = rounds->recovered,
                                             .ties = opened_s + rounds->next[r] <= next_s};
    return true;
}

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
    row.step = round->step + 1;
    row.time_s = round->next_s;
    row.responders = rounds->k;
    row.recovered = round->recovered;
    if (round->recovered > 0)
        row.staleness_mean = row.staleness_max = 0;
    row.aggregation_s = round->next_s - first_arrival(rounds, r);
    result_add_step(rounds->result, &row);
}

static void add_rows(struct rounds *rounds, size_t count, enum status status) {
    const struct record_spec *record = &rounds->spec.scenario->record;
    for (size_t r = 0; record->mode != RECORD_SUMMARY && r < count; r++)
        if ((status != STATUS_RUNNING && r + 1 == count) ||
            progress_recorded(record, rounds->round[r].step + 1))
            add_round_row(rounds, r);
}

static void draw_rounds(struct rounds *rounds, uint32_t step, uint32_t count) {
    if (rounds->beta) {
        beta_rounds_find(rounds->beta, step, count, rounds->kth);
        return;
    }
    steady_seconds(rounds->steady, step, count, rounds->seconds);
    struct value_rows rows = {.value = rounds->seconds, .rows = count, .stride = rounds->row};
    if (!rounds->backlog)
        earliest_find(rounds->earliest, &rows, rounds->kth, rounds->next);
}

/* Where nobody asks, seconds are booked only if that tells too what a round recovers. */
static bool books(const struct rounds *rounds) {
    bool asked = rounds->spec.scenario->record.bookings || !rounds->scheme->recovers;
    return !rounds->beta && !rounds->backlog && asked;
}

/* As many rounds as are drawn at once. */
static enum status go_on(struct rounds *rounds, struct progress *progress) {
    const struct stop_spec *stop = &rounds->spec.scenario->stop;
    uint32_t ahead = rounds_ahead(rounds, progress->steps);
    enum status status = ahead > 0 ? STATUS_RUNNING : STATUS_TRACE_END;
    draw_rounds(rounds, progress->steps, ahead);
    size_t r = 0;
    for (; status == STATUS_RUNNING && r < ahead; r++) {
        if (!close_round(rounds, r, progress))
            break;
        if (rounds->backlog)
            backlog_book(rounds, r);
        double next_s = rounds->round[r].next_s;
        step_times_add(&rounds->took, next_s - progress->time_s);
        progress_go_to(progress, next_s);
        progress->steps++;
        status = progress_status(progress, stop);
    }
    if (books(rounds))
        rounds_book(rounds, r);
    add_rows(rounds, r, status);
    if (status != STATUS_RUNNING || r == ahead)
        return status;
    rounds->hangs = true;
    rounds->hanging = r;
    if (rounds->beta)
        rounds->end_s = progress->time_s;
    else if (rounds->backlog)
        rounds->end_s = backlog_last(rounds->backlog, progress->time_s);
    else
        rounds->end_s = rounds_book_stalled(rounds, r, progress->time_s);
    return STATUS_STALLED;
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
    row.participation = run->steps > 0 ? (double)row.used / run->steps : (double)NAN;
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
    struct spending *spending = for_workers(rounds, sizeof *spending);
    for (uint32_t i = 0; i < rounds->workers; i++)
        spending[i] = spending_of(rounds, i);
    run->useful_s = spendings_seconds(spending, rounds->workers, USE_USEFUL);
    run->redundant_s = spendings_seconds(spending, rounds->workers, USE_REDUNDANT);
    run->discarded_s = spendings_seconds(spending, rounds->workers, USE_DISCARDED);
    for (uint32_t i = 0; i < rounds->workers; i++)
        report_worker(rounds, i, &spending[i]);
}

static void report(struct rounds *rounds, const struct progress *progress, enum status status) {
    struct run_row *run = &rounds->result->run;
    run->steps = run->rounds = progress->steps;
    run->time_s = progress->time_s;
    progress_report(run, &rounds->took, 0);
    run->seed = rounds->spec.scenario->seed;
    run->status = status_name(status);
    run->time_s = rounds->hangs ? rounds->end_s : progress->time_s;
    if (rounds->backlog)
        backlog_end(rounds, run->time_s);
    report_seconds(rounds);
}

static void run(struct rounds *rounds) {
    const struct scenario *scenario = rounds->spec.scenario;
    struct progress progress = {0};
    enum status status = progress_status(&progress, &scenario->stop);
    const struct step_row first = blank_step();
    if (scenario->record.mode != RECORD_SUMMARY)
        result_add_step(rounds->result, &first);
    while (status == STATUS_RUNNING)
        status = go_on(rounds, &progress);
    report(rounds, &progress, status);
}

struct result *rounds_run(const struct trial_spec *spec) {
    struct rounds rounds = {
        .spec = *spec,
        .scheme = (const struct scheme *)spec->entry->scheme.type,
        .params = spec->entry->scheme.params,
        .setting = scenario_setting(spec->scenario, spec->entry),
        .workers = spec->scenario->cluster.workers,
    };
    if (!serves(&rounds))
        return NULL;
    if (begin(&rounds))
        run(&rounds);
    end(&rounds);
    if (!rounds.unclear)
        return rounds.result;
    result_free(rounds.result);
    return NULL;
}
