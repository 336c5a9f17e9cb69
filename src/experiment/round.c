/* Why events at the very instant of an opening are taken before it, but start nothing: a worker that is free when the
 * new model arrives takes the new model. */
#include "trial_state.h"
#include <assert.h>
#include <math.h>
#include <string.h>

struct term *trial_terms(const struct trial *trial, uint32_t worker) {
    return &trial->term[(size_t)worker * trial->limits.terms];
}

/* The scheme's own list is valid until its next call; the seat needs it until the task ends. */
static void take_task(struct trial *trial, uint32_t worker, uint32_t step) {
    struct seat *seat = &trial->seat[worker];
    struct evaluation *own = &trial->evaluation[(size_t)worker * trial->limits.evaluations];
    trial->scheme->assign(trial->state, worker, step, &seat->task);
    assert(seat->task.evaluations <= trial->limits.evaluations);
    memcpy(own, seat->task.evaluation, seat->task.evaluations * sizeof *own);
    seat->task.evaluation = own;
}

/* The step whose task a worker does next, of those whose model it has; UINT32_MAX: none. */
static uint32_t step_due(const struct trial *trial, const struct seat *seat) {
    if (seat->next_step >= seat->models)
        return UINT32_MAX;
    return trial->setting.late == LATE_QUEUE ? seat->next_step : seat->models - 1;
}

/* Gives an idle worker its next task, if one is due. Steps it jumps over and steps without a measurement in a trace are
 * never computed. */
static void dispatch(struct trial *trial, uint32_t worker, double now_s) {
    struct seat *seat = &trial->seat[worker];
    for (uint32_t due; cluster_idle(trial->cluster, worker) && (due = step_due(trial, seat)) != UINT32_MAX;) {
        seat->row.skipped += (uint64_t)(due - seat->next_step) * trial->limits.evaluations;
        seat->next_step = due + 1;
        take_task(trial, worker, due);
        seat->seconds = cluster_task_seconds(trial->cluster, worker, due, seat->task.work);
        if (isnan(seat->seconds)) {
            seat->row.skipped += seat->task.evaluations;
            seat->finished++;
            tell(trial, MOMENT_MISSING, now_s, worker, due);
            continue;
        }
        seat->computing = true;
        seat->begun = due;
        tell(trial, MOMENT_START, now_s, worker, due);
        cluster_start(trial->cluster, worker, due, now_s, seat->seconds);
    }
}

/* Seconds of [0, now] in which the worker was up. */
static double up_seconds(const struct trial *trial, uint32_t worker, double now_s) {
    return now_s - cluster_down_seconds(trial->cluster, worker, now_s);
}

/* With overlap an upload takes none of the worker's time. */
static bool upload_counts(const struct trial *trial) {
    return !trial->spec.scenario->cluster.overlap;
}

static void book_upload(struct trial *trial, uint32_t worker, double now_s) {
    struct seat *seat = &trial->seat[worker];
    if (upload_counts(trial))
        ledger_extend(trial->ledger, &seat->task, worker,
                      up_seconds(trial, worker, now_s) - seat->up_at_finish_s);
    seat->uploading = false;
}

/* What the worker was busy with is lost: `spent_s` of computing, or the rest of an upload. */
static void book_dropped(struct trial *trial, uint32_t worker, double spent_s, double now_s) {
    struct seat *seat = &trial->seat[worker];
    if (seat->computing) {
        ledger_book(trial->ledger, worker, spent_s, USE_DISCARDED);
        seat->row.skipped += seat->task.evaluations;
        seat->finished++;
    } else if (seat->uploading) {
        book_upload(trial, worker, now_s);
    }
    seat->computing = seat->uploading = false;
}

static void note_finished(struct trial *trial, const struct event *event) {
    struct seat *seat = &trial->seat[event->worker];
    seat->terms =
        trial->scheme->finish(trial->state, event->worker, event->step, trial_terms(trial, event->worker));
    seat->row.evaluated += seat->task.evaluations;
    seat->finished++;
    seat->computing = false;
    seat->uploading = true;
    seat->up_at_finish_s = up_seconds(trial, event->worker, event->time_s);
    tell(trial, MOMENT_FINISH, event->time_s, event->worker, event->step);
    ledger_finished(trial->ledger, &seat->task, event->worker, seat->seconds);
}

static void note_heard(struct trial *trial, const struct event *event) {
    struct message message = {event->worker, event->step, event->time_s};
    trial->seat[event->worker].heard = true;
    trial->seat[event->worker].arrived_s = event->time_s;
    trial->arrival[trial->heard++] = event->worker;
    tell(trial, MOMENT_HEARD, event->time_s, event->worker, event->step);
    if (isnan(trial->first_s))
        trial->first_s = event->time_s;
    if (trial->scheme->hear)
        trial->scheme->hear(trial->state, &message);
}

static struct hearing hearing_now(const struct trial *trial, double now_s) {
    bool decodable = trial->scheme->decodable && trial->scheme->decodable(trial->state);
    return (struct hearing){
        .workers = trial->setting.shape.workers,
        .stragglers = trial->scheme->stragglers(trial->params),
        .heard = trial->heard,
        .elapsed_s = now_s - trial->opened_s,
        .first_s = trial->first_s - trial->opened_s,
        .decodable = decodable,
    };
}

static void take_model(struct trial *trial, uint32_t worker, uint32_t step, double now_s) {
    struct seat *seat = &trial->seat[worker];
    seat->models = step + 1;
    tell(trial, MOMENT_MODEL, now_s, worker, step);
    bool busy = cluster_computing(trial->cluster, worker) || cluster_uploading(trial->cluster, worker);
    if (trial->setting.late != LATE_CANCEL || !busy)
        return;
    tell(trial, MOMENT_DROPPED, now_s, worker, seat->begun);
    book_dropped(trial, worker, cluster_cancel(trial->cluster, worker, now_s), now_s);
}

/* The master sends the present model: a task, to be done when the late rule says. */
static void send_model(struct trial *trial, uint32_t worker, double now_s) {
    struct seat *seat = &trial->seat[worker];
    seat->asked = true;
    seat->sent++;
    if (cluster_send_model(trial->cluster, worker, trial->step, now_s) <= 0)
        take_model(trial, worker, trial->step, now_s);
    else
        tell(trial, MOMENT_SENT, now_s, worker, trial->step);
}

/* A worker that joins begins with the present step. */
static void note_up(struct trial *trial, const struct event *event) {
    struct seat *seat = &trial->seat[event->worker];
    tell(trial, seat->joined ? MOMENT_UP : MOMENT_JOIN, event->time_s, event->worker, NO_STEP);
    if (seat->joined)
        return;
    seat->joined = true;
    seat->next_step = trial->step;
    send_model(trial, event->worker, event->time_s);
}

static void note_gone(struct trial *trial, const struct event *event) {
    const struct seat *seat = &trial->seat[event->worker];
    if (seat->computing || seat->uploading)
        tell(trial, MOMENT_DROPPED, event->time_s, event->worker, seat->begun);
    book_dropped(trial, event->worker, event->seconds, event->time_s);
    tell(trial, MOMENT_GONE, event->time_s, event->worker, NO_STEP);
}

/* What an event means outside the wait rule. A stalled run ends with the last event of its workers. */
static void take_event(struct trial *trial, const struct event *event) {
    if (event->kind != EVENT_ALARM)
        trial->end_s = event->time_s;
    switch (event->kind) {
    case EVENT_FINISHED:
        note_finished(trial, event);
        break;
    case EVENT_ARRIVED:
        if (trial->seat[event->worker].uploading)
            book_upload(trial, event->worker, event->time_s);
        break;
    case EVENT_GONE:
        note_gone(trial, event);
        break;
    case EVENT_UP:
        note_up(trial, event);
        break;
    case EVENT_MODEL:
        take_model(trial, event->worker, event->step, event->time_s);
        break;
    case EVENT_DOWN:
        tell(trial, MOMENT_DOWN, event->time_s, event->worker, NO_STEP);
        break;
    case EVENT_ALARM:
        break;
    }
}

/* Events that may leave a worker with a task due. */
static bool frees(const struct event *event) {
    return event->kind == EVENT_FINISHED || event->kind == EVENT_ARRIVED || event->kind == EVENT_UP ||
           event->kind == EVENT_MODEL;
}

/* All that happens before `until_s`, and what happens then but for the start of tasks. */
static void pass_time(struct trial *trial, double until_s) {
    for (struct event event; cluster_next_by(trial->cluster, until_s, &event);) {
        take_event(trial, &event);
        if (event.kind == EVENT_ARRIVED)
            tell(trial, MOMENT_LATE, event.time_s, event.worker, event.step);
        if (frees(&event) && event.time_s < until_s)
            dispatch(trial, event.worker, event.time_s);
    }
}

static double warm_up_seconds(struct trial *trial, uint32_t worker) {
    bool timed = trial->limits.warmup_timed && cluster_present(trial->cluster, worker);
    return timed ? cluster_warmup_seconds(trial->cluster, worker, trial->limits.warmup_work) : 0;
}

/* Where a worker is when the clock starts. */
static void tell_start(const struct trial *trial, uint32_t worker) {
    if (!trial->seat[worker].joined)
        tell(trial, MOMENT_ABSENT, 0, worker, NO_STEP);
    else if (trial->limits.warmup_timed)
        tell(trial, MOMENT_WARMUP_START, 0, worker, NO_STEP);
}

/* Repairs do not interrupt a warm-up; a worker that is lost in it leaves it without end. */
bool round_warm_up(struct trial *trial) {
    uint32_t workers = trial->setting.shape.workers;
    double last_s = 0;
    for (uint32_t i = 0; i < workers; i++) {
        trial->seat[i].joined = cluster_present(trial->cluster, i);
        trial->seat[i].seconds = warm_up_seconds(trial, i);
        last_s = fmax(last_s, trial->seat[i].seconds);
        tell_start(trial, i);
    }
    if (!isfinite(last_s))
        return false;
    pass_time(trial, last_s);
    for (uint32_t i = 0; i < workers; i++) {
        const struct seat *seat = &trial->seat[i];
        bool lost = seat->joined && !cluster_present(trial->cluster, i);
        if (lost && seat->seconds > up_seconds(trial, i, last_s))
            return false;
        ledger_book(trial->ledger, i, seat->seconds, USE_USEFUL);
        if (seat->joined && trial->limits.warmup_timed)
            tell(trial, MOMENT_WARMUP_FINISH, seat->seconds, i, NO_STEP);
    }
    trial->opened_s = trial->end_s = last_s;
    return true;
}

void round_open(struct trial *trial) {
    trial->heard = 0;
    trial->first_s = (double)NAN;
    tell(trial, MOMENT_OPEN, trial->opened_s, THE_MASTER, trial->step);
    trial->scheme->open(trial->state, trial->step, trial->step);
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++) {
        struct seat *seat = &trial->seat[i];
        seat->heard = seat->asked = false;
        if (!cluster_present(trial->cluster, i))
            continue;
        send_model(trial, i, trial->opened_s);
        dispatch(trial, i, trial->opened_s);
    }
}

static struct verdict listen_once(struct trial *trial, const struct event *event) {
    struct verdict verdict = {LISTEN, NO_ALARM};
    take_event(trial, event);
    if (event->kind == EVENT_ARRIVED && event->step == trial->step) {
        note_heard(trial, event);
        struct hearing hearing = hearing_now(trial, event->time_s);
        verdict = wait_hear(trial->spec.entry->wait, &hearing);
    } else if (event->kind == EVENT_ARRIVED) {
        tell(trial, MOMENT_LATE, event->time_s, event->worker, event->step);
    } else if (event->kind == EVENT_ALARM) {
        struct hearing hearing = hearing_now(trial, event->time_s);
        verdict = wait_alarm(trial->spec.entry->wait, &hearing);
    }
    if (frees(event))
        dispatch(trial, event->worker, event->time_s);
    return verdict;
}

/* No result will ever come: all is silent, and nobody has a task to begin after a repair. Without this a cluster in which
 * always somebody is being repaired would go on for ever. */
static bool all_over(const struct trial *trial) {
    if (!cluster_silent(trial->cluster))
        return false;
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++)
        if (cluster_repaired(trial->cluster, i) && !cluster_computing(trial->cluster, i) &&
            step_due(trial, &trial->seat[i]) != UINT32_MAX)
            return false;
    return true;
}

bool round_listen(struct trial *trial) {
    struct hearing hearing = hearing_now(trial, trial->opened_s);
    struct verdict verdict = wait_open(trial->spec.entry->wait, &hearing);
    cluster_set_alarm(trial->cluster, trial->opened_s + verdict.alarm_s);
    while (verdict.action == LISTEN) {
        struct event event;
        if (all_over(trial) || !cluster_next_by(trial->cluster, (double)INFINITY, &event))
            return false;
        verdict = listen_once(trial, &event);
        if (isfinite(verdict.alarm_s))
            cluster_set_alarm(trial->cluster, trial->opened_s + verdict.alarm_s);
        trial->closed_s = event.time_s;
    }
    cluster_set_alarm(trial->cluster, (double)INFINITY);
    if (trial->spec.scenario->cluster.topology == TOPOLOGY_RING)
        trial->closed_s += cluster_ring_seconds(trial->cluster);
    tell(trial, MOMENT_CLOSE, trial->closed_s, THE_MASTER, trial->step);
    return true;
}

/* Tasks that the worker was sent and has not done with: under queue all, else the one it is on. */
static uint32_t backlog_of(const struct trial *trial, uint32_t worker) {
    const struct seat *seat = &trial->seat[worker];
    if (!cluster_present(trial->cluster, worker))
        return 0;
    return trial->setting.late == LATE_QUEUE ? seat->sent - seat->finished
                                             : seat->computing || seat->uploading;
}

static void count_round(struct trial *trial) {
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++) {
        struct seat *seat = &trial->seat[i];
        seat->row.late += seat->asked && !seat->heard;
        seat->row.backlog_end = backlog_of(trial, i);
        if (seat->row.backlog_end > seat->row.backlog_max)
            seat->row.backlog_max = seat->row.backlog_end;
    }
}

void round_advance(struct trial *trial) {
    count_round(trial);
    double next_s = trial->closed_s + trial->spec.scenario->master_s;
    pass_time(trial, next_s);
    tell(trial, MOMENT_UPDATE, next_s, THE_MASTER, trial->step);
    trial->standstill = next_s > trial->opened_s ? 0 : trial->standstill + 1;
    trial->opened_s = trial->end_s = next_s;
    trial->step++;
}

void round_end(struct trial *trial) {
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++) {
        struct seat *seat = &trial->seat[i];
        if (seat->computing)
            ledger_book(trial->ledger, i, cluster_spent(trial->cluster, i, trial->end_s), USE_DISCARDED);
        else if (seat->uploading)
            book_upload(trial, i, trial->end_s);
    }
    ledger_settle(trial->ledger);
    tell(trial, MOMENT_END, trial->end_s, THE_MASTER, NO_STEP);
    if (trial->moments)
        moment_log_settle(trial->moments);
}
