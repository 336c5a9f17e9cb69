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

/* The step whose task an idle worker does next; above the present one: none. */
static uint32_t step_due(const struct trial *trial, const struct seat *seat) {
    if (trial->setting.late == LATE_QUEUE || seat->next_step > trial->step)
        return seat->next_step;
    return trial->step;
}

/* Gives an idle worker its next task, if one is due. Steps it jumps over and steps without a measurement in a trace are
 * never computed. */
static void dispatch(struct trial *trial, uint32_t worker, double now_s) {
    struct seat *seat = &trial->seat[worker];
    for (uint32_t due;
         cluster_idle(trial->cluster, worker) && (due = step_due(trial, seat)) <= trial->step;) {
        seat->row.skipped += (uint64_t)(due - seat->next_step) * trial->limits.evaluations;
        seat->next_step = due + 1;
        take_task(trial, worker, due);
        seat->seconds = cluster_task_seconds(trial->cluster, worker, due, seat->task.work);
        if (isnan(seat->seconds)) {
            seat->row.skipped += seat->task.evaluations;
            seat->finished++;
            continue;
        }
        seat->started_s = now_s;
        cluster_start(trial->cluster, worker, due, now_s, seat->seconds);
    }
}

static void drop_task(struct trial *trial, uint32_t worker, double now_s) {
    struct seat *seat = &trial->seat[worker];
    ledger_book(trial->ledger, worker, now_s - seat->started_s, USE_DISCARDED);
    seat->row.skipped += seat->task.evaluations;
    seat->finished++;
}

static void note_finished(struct trial *trial, uint32_t worker) {
    struct seat *seat = &trial->seat[worker];
    seat->terms = trial->scheme->finish(trial->state, worker, seat->task.step, trial_terms(trial, worker));
    seat->row.evaluated += seat->task.evaluations;
    seat->finished++;
    ledger_finished(trial->ledger, &seat->task, worker, seat->seconds);
}

static void note_heard(struct trial *trial, const struct event *event) {
    struct message message = {event->worker, event->step, event->time_s};
    trial->seat[event->worker].heard = true;
    trial->seat[event->worker].arrived_s = event->time_s;
    trial->arrival[trial->heard++] = event->worker;
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

static void note_failed(struct trial *trial, const struct event *event) {
    const struct seat *seat = &trial->seat[event->worker];
    if (!(seat->started_s + seat->seconds > event->time_s))
        return; /* it was idle */
    drop_task(trial, event->worker, event->time_s);
    trial->end_s = event->time_s;
}

/* What an event means outside the wait rule. */
static void take_event(struct trial *trial, const struct event *event) {
    switch (event->kind) {
    case EVENT_FINISHED:
        note_finished(trial, event->worker);
        trial->end_s = event->time_s;
        break;
    case EVENT_FAILED:
        note_failed(trial, event);
        break;
    case EVENT_ARRIVED:
    case EVENT_ALARM:
    case EVENT_SILENCE:
        break;
    }
}

bool round_warm_up(struct trial *trial) {
    double last_s = 0;
    if (!trial->limits.warmup_timed)
        return true;
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++) {
        double seconds = cluster_warmup_seconds(trial->cluster, i, trial->limits.warmup_work);
        trial->seat[i].seconds = seconds;
        last_s = fmax(last_s, seconds);
        if (!isfinite(seconds) || cluster_failure_time(trial->cluster, i) < seconds)
            return false;
    }
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++)
        ledger_book(trial->ledger, i, trial->seat[i].seconds, USE_USEFUL);
    trial->opened_s = trial->end_s = last_s;
    return true;
}

void round_open(struct trial *trial) {
    uint32_t workers = trial->setting.shape.workers;
    trial->heard = 0;
    trial->first_s = (double)NAN;
    trial->scheme->open(trial->state, trial->step, trial->step);
    for (uint32_t i = 0; i < workers; i++) {
        struct seat *seat = &trial->seat[i];
        seat->heard = false;
        seat->asked = cluster_alive(trial->cluster, i);
        if (!seat->asked)
            continue;
        if (trial->setting.late == LATE_CANCEL && !cluster_idle(trial->cluster, i)) {
            cluster_cancel(trial->cluster, i);
            drop_task(trial, i, trial->opened_s);
        }
        dispatch(trial, i, trial->opened_s);
    }
}

static struct verdict listen_once(struct trial *trial, const struct event *event) {
    struct verdict verdict = {LISTEN, (double)INFINITY};
    take_event(trial, event);
    if (event->kind == EVENT_ARRIVED && event->step == trial->step) {
        note_heard(trial, event);
        struct hearing hearing = hearing_now(trial, event->time_s);
        verdict = wait_hear(trial->spec.entry->wait, &hearing);
    } else if (event->kind == EVENT_ARRIVED) {
        dispatch(trial, event->worker, event->time_s);
    } else if (event->kind == EVENT_ALARM) {
        struct hearing hearing = hearing_now(trial, event->time_s);
        verdict = wait_alarm(trial->spec.entry->wait, &hearing);
    }
    return verdict;
}

bool round_listen(struct trial *trial) {
    struct hearing hearing = hearing_now(trial, trial->opened_s);
    struct verdict verdict = wait_open(trial->spec.entry->wait, &hearing);
    cluster_set_alarm(trial->cluster, trial->opened_s + verdict.alarm_s);
    while (verdict.action == LISTEN) {
        struct event event = cluster_next(trial->cluster);
        if (event.kind == EVENT_SILENCE)
            return false;
        verdict = listen_once(trial, &event);
        if (isfinite(verdict.alarm_s))
            cluster_set_alarm(trial->cluster, trial->opened_s + verdict.alarm_s);
        trial->closed_s = event.time_s;
    }
    cluster_set_alarm(trial->cluster, (double)INFINITY);
    return true;
}

static void count_round(struct trial *trial) {
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++) {
        struct seat *seat = &trial->seat[i];
        uint32_t backlog = 0;
        seat->row.late += seat->asked && !seat->heard;
        if (trial->setting.late == LATE_QUEUE && cluster_alive(trial->cluster, i))
            backlog = trial->step + 1 - seat->finished;
        else
            backlog = cluster_alive(trial->cluster, i) && !cluster_idle(trial->cluster, i);
        seat->row.backlog_end = backlog;
        seat->row.backlog_max = backlog > seat->row.backlog_max ? backlog : seat->row.backlog_max;
    }
}

void round_advance(struct trial *trial) {
    count_round(trial);
    double next_s = trial->closed_s + trial->spec.scenario->master_s;
    while (cluster_next_time(trial->cluster) <= next_s) {
        struct event event = cluster_next(trial->cluster);
        take_event(trial, &event);
        if (event.kind == EVENT_ARRIVED && event.time_s < next_s)
            dispatch(trial, event.worker, event.time_s);
    }
    trial->standstill = next_s > trial->opened_s ? 0 : trial->standstill + 1;
    trial->opened_s = trial->end_s = next_s;
    trial->step++;
}

void round_end(struct trial *trial) {
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++)
        if (cluster_alive(trial->cluster, i) && !cluster_idle(trial->cluster, i) &&
            trial->seat[i].started_s < trial->end_s)
            ledger_book(trial->ledger, i, trial->end_s - trial->seat[i].started_s, USE_DISCARDED);
    ledger_settle(trial->ledger);
}
