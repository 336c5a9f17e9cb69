/* Tasks by rounds: every worker is sent the model as a round opens; what it does with it while it is busy is the late rule's
 * affair. */
#include "trial_state.h"
#include <math.h>

/* The round whose task a worker does next, of those whose model it has; NO_STEP: none. */
static uint32_t step_due(const struct trial *trial, const struct seat *seat) {
    if (seat->next_step >= seat->models)
        return NO_STEP;
    return trial->setting.late == LATE_QUEUE ? seat->next_step : seat->models - 1;
}

static bool due(const struct trial *trial, uint32_t worker) {
    return step_due(trial, &trial->seat[worker]) != NO_STEP;
}

/* Rounds it jumps over and rounds without a measurement in a trace are never computed. */
static void dispatch(struct trial *trial, uint32_t worker, double now_s) {
    struct seat *seat = &trial->seat[worker];
    for (uint32_t step; cluster_idle(trial->cluster, worker) && (step = step_due(trial, seat)) != NO_STEP;) {
        seat->row.skipped += (uint64_t)(step - seat->next_step) * trial->limits.evaluations;
        if (task_take(trial, worker, step))
            task_start(trial, worker, now_s);
        else
            task_note_missing(trial, worker, now_s);
        if (step != trial->round || !trial->listening)
            task_join(trial, worker);
    }
}

static void take_model(struct trial *trial, uint32_t worker, uint32_t step, double now_s) {
    struct seat *seat = &trial->seat[worker];
    seat->models = step + 1;
    tell(trial, MOMENT_MODEL, now_s, worker, step);
    bool busy = cluster_computing(trial->cluster, worker) || cluster_uploading(trial->cluster, worker);
    if (trial->setting.late != LATE_CANCEL || !busy)
        return;
    tell(trial, MOMENT_DROPPED, now_s, worker, seat->begun);
    task_note_dropped(trial, worker, cluster_cancel(trial->cluster, worker, now_s), now_s);
}

/* The master sends the present model: a task, to be done when the late rule says. */
static void send_model(struct trial *trial, uint32_t worker, double now_s) {
    struct seat *seat = &trial->seat[worker];
    seat->asked = true;
    seat->sent++;
    if (cluster_send_model(trial->cluster, worker, trial->round, now_s) <= 0)
        take_model(trial, worker, trial->round, now_s);
    else
        tell(trial, MOMENT_SENT, now_s, worker, trial->round);
}

static void open(struct trial *trial) {
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++) {
        trial->seat[i].asked = false;
        trial->seat[i].heard = 0;
        if (!cluster_present(trial->cluster, i))
            continue;
        send_model(trial, i, trial->opened_s);
        dispatch(trial, i, trial->opened_s);
    }
}

/* A worker that joins begins with the present round, or with the next one where the master has closed it: its model is
 * on its way to be another. */
static void up(struct trial *trial, uint32_t worker, double now_s) {
    struct seat *seat = &trial->seat[worker];
    if (seat->joined)
        return;
    seat->joined = true;
    seat->next_step = trial->listening ? trial->round : trial->round + 1;
    if (trial->listening)
        send_model(trial, worker, now_s);
}

static void hear_part(struct trial *trial, const struct computed *computed, double time_s) {
    struct message message = {computed->worker, computed->step, computed->part, time_s};
    mailbox_hear(&trial->mailbox, computed, time_s);
    tell_part(trial, MOMENT_HEARD, time_s, computed);
    if (trial->scheme->hear)
        trial->scheme->hear(trial->state, &message);
}

/* A message of this round. */
static void note_heard(struct trial *trial, const struct event *event, uint32_t first) {
    struct seat *seat = &trial->seat[event->worker];
    for (uint32_t q = first; q < first + seat->finishing; q++)
        hear_part(trial, &(struct computed){event->worker, event->step, q, 1}, event->time_s);
    trial->responders += seat->heard == 0;
    seat->heard += seat->finishing;
    trial->heard += seat->heard == task_parts(&seat->task);
    if (isnan(trial->first_s))
        trial->first_s = event->time_s;
}

static void arrived(struct trial *trial, const struct event *event) {
    struct seat *seat = &trial->seat[event->worker];
    /* With overlap the worker may be on another task by now. */
    uint32_t first = seat->finishing > 1 || seat->begun != event->step ? 0 : seat->order[event->part];
    if (event->step == trial->round && trial->listening)
        note_heard(trial, event, first);
    else
        tell_part(trial, MOMENT_LATE, event->time_s,
                  &(struct computed){.worker = event->worker, .step = event->step, .part = first});
}

static struct verdict listen(struct trial *trial, const struct event *event) {
    if (!event || event->kind != EVENT_ARRIVED || event->step != trial->round)
        return (struct verdict){LISTEN, NO_ALARM};
    struct hearing hearing = round_hearing(trial, event->time_s);
    return wait_hear(trial->spec.entry->wait, &hearing);
}

/* Tasks that the worker was sent and has not done with: under queue all, else the one it is on. */
static uint32_t backlog_of(const struct trial *trial, uint32_t worker) {
    const struct seat *seat = &trial->seat[worker];
    if (!cluster_present(trial->cluster, worker))
        return 0;
    return trial->setting.late == LATE_QUEUE ? seat->sent - seat->finished
                                             : seat->computing || seat->uploading;
}

static void count(struct trial *trial) {
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++) {
        struct seat *seat = &trial->seat[i];
        seat->row.late += seat->asked && seat->heard == 0;
        task_join(trial, i);
        seat->row.backlog_end = backlog_of(trial, i);
        if (seat->row.backlog_end > seat->row.backlog_max)
            seat->row.backlog_max = seat->row.backlog_end;
    }
}

const struct tasking tasking_by_rounds = {
    .open = open,
    .listen = listen,
    .model = take_model,
    .up = up,
    .arrived = arrived,
    .dispatch = dispatch,
    .due = due,
    .count = count,
};
