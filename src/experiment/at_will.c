/* Tasks at will: the scheme says who begins one and when; tasks run on over updates, and every message counts in the round
 * in which it is heard. What arrives while the master is busy waits until the next round opens. */
#include "trial_state.h"
#include <math.h>

static bool cancels(const struct trial *trial) {
    return trial->setting.late == LATE_CANCEL;
}

/* A worker without a measurement in so many rounds on end of traces that begin anew is taken to have none: no time passes
 * while it looks for one, so that the search would never end. */
enum { MISSES_MAX = 1000000 };

static bool barren(const struct trial *trial, const struct seat *seat) {
    return trial->trace_rounds == UINT32_MAX && seat->misses == MISSES_MAX;
}

/* Takes tasks until one has a measurement; false: the traces have no more rounds, or none for this worker. */
static bool take_next(struct trial *trial, uint32_t worker, double now_s) {
    struct seat *seat = &trial->seat[worker];
    while (seat->next_step < trial->trace_rounds && !barren(trial, seat)) {
        if (task_take(trial, worker, seat->next_step)) {
            seat->misses = 0;
            return true;
        }
        seat->misses++;
        task_note_missing(trial, worker, now_s);
    }
    trial->exhausted |= seat->next_step >= trial->trace_rounds;
    return false;
}

static void start_clock(struct trial *trial, uint32_t worker, double now_s) {
    struct seat *seat = &trial->seat[worker];
    bool idle = cluster_idle(trial->cluster, worker);
    seat->start = idle ? START_NOTHING : START_CLOCK;
    if (idle)
        task_start(trial, worker, now_s);
}

static void model(struct trial *trial, uint32_t worker, uint32_t step, double now_s) {
    struct seat *seat = &trial->seat[worker];
    if (step != seat->task.step || seat->start != START_MODEL)
        return; /* the worker was told to begin another one since */
    seat->has_model = true;
    tell(trial, MOMENT_MODEL, now_s, worker, step);
    start_clock(trial, worker, now_s);
}

/* Sends the present model, unless the worker has it from its last task; false: it is on its way. */
static bool model_there(struct trial *trial, uint32_t worker, double now_s) {
    struct seat *seat = &trial->seat[worker];
    uint32_t updates = updates_of(trial, trial->step);
    if (seat->has_model && seat->version == updates)
        return true;
    seat->version = updates;
    seat->has_model = cluster_send_model(trial->cluster, worker, seat->task.step, now_s) <= 0;
    return seat->has_model;
}

/* An idle worker begins its next task with the present model. */
static void begin(struct trial *trial, uint32_t worker, double now_s) {
    struct seat *seat = &trial->seat[worker];
    seat->start = START_NOTHING;
    if (!take_next(trial, worker, now_s))
        return;
    keep_task(trial, worker);
    seat->sent++;
    seat->start = START_MODEL;
    if (model_there(trial, worker, now_s))
        model(trial, worker, seat->task.step, now_s);
    else
        tell(trial, MOMENT_SENT, now_s, worker, seat->task.step);
}

static void drop(struct trial *trial, uint32_t worker, double now_s) {
    struct seat *seat = &trial->seat[worker];
    if (seat->start == START_MODEL || seat->start == START_CLOCK)
        seat->row.skipped += seat->task.evaluations;
    if (!cluster_computing(trial->cluster, worker) && !cluster_uploading(trial->cluster, worker))
        return;
    tell(trial, MOMENT_DROPPED, now_s, worker, seat->begun);
    task_note_dropped(trial, worker, cluster_cancel(trial->cluster, worker, now_s), now_s);
}

static void start_ready(struct trial *trial, double now_s) {
    for (uint32_t worker; (worker = trial->scheme->starts(trial->state)) != NOBODY;) {
        if (cancels(trial))
            drop(trial, worker, now_s);
        if (cluster_idle(trial->cluster, worker))
            begin(trial, worker, now_s);
        else
            trial->seat[worker].start = START_WORKER;
    }
}

static void hear(struct trial *trial, const struct letter *letter, double now_s) {
    struct message message = {letter->worker, letter->step, letter->part, letter->arrived_s};
    tell_part(trial, MOMENT_HEARD, now_s, &(struct computed){letter->worker, letter->step, letter->part, 1});
    trial->responders += trial->seat[letter->worker].rounds != trial->round + 1;
    trial->seat[letter->worker].rounds = trial->round + 1;
    if (isnan(trial->first_s))
        trial->first_s = now_s;
    trial->scheme->hear(trial->state, &message);
    trial->heard += !trial->scheme->counts || trial->scheme->counts(trial->state, &message);
}

static struct verdict listen(struct trial *trial, const struct event *event) {
    double now_s = event ? event->time_s : trial->opened_s;
    struct verdict verdict = {LISTEN, NO_ALARM};
    const struct letter *letter;
    while (verdict.action == LISTEN && (letter = mailbox_take(&trial->mailbox))) {
        hear(trial, letter, now_s);
        struct hearing hearing = round_hearing(trial, now_s);
        verdict = wait_hear(trial->spec.entry->wait, &hearing);
        if (verdict.action == LISTEN)
            start_ready(trial, now_s);
    }
    return verdict;
}

/* Under `cancel` what arrived too late for the round before is of an old model. */
static void forget_waiting(struct trial *trial) {
    for (struct letter *letter; (letter = mailbox_take(&trial->mailbox));) {
        ledger_unused(trial->ledger, letter->seconds);
        letter->seconds = 0;
        tell_part(trial, MOMENT_LATE, trial->opened_s,
                  &(struct computed){letter->worker, letter->step, letter->part, 1});
    }
    mailbox_open(&trial->mailbox, trial->round);
}

static void tell_member(struct trial *trial, uint32_t worker, enum membership membership) {
    if (trial->scheme->member)
        trial->scheme->member(trial->state, worker, membership);
}

static void begin_awaited(struct trial *trial, uint32_t worker, double now_s) {
    if (trial->seat[worker].start == START_WORKER && cluster_idle(trial->cluster, worker))
        begin(trial, worker, now_s);
}

static void greet_all(struct trial *trial) {
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++)
        if (cluster_present(trial->cluster, i))
            tell_member(trial, i, MEMBER_JOINED);
}

/* Those that came up while the master was busy, when its model was on its way to be another. */
static void start_returned(struct trial *trial) {
    for (uint32_t i = 0; trial->returned && i < trial->setting.shape.workers; i++)
        begin_awaited(trial, i, trial->opened_s);
    trial->returned = false;
}

static void open(struct trial *trial) {
    if (trial->round == 0)
        greet_all(trial);
    if (cancels(trial))
        forget_waiting(trial);
    start_ready(trial, trial->opened_s);
    start_returned(trial);
}

/* A busy master sends no model before the next round opens. */
static void up(struct trial *trial, uint32_t worker, double now_s) {
    struct seat *seat = &trial->seat[worker];
    if (!seat->joined)
        tell_member(trial, worker, MEMBER_JOINED);
    seat->joined = true;
    if (seat->start == START_CLOCK)
        start_clock(trial, worker, now_s);
    trial->returned |= !trial->listening;
    if (!trial->listening)
        return;
    start_ready(trial, now_s);
    begin_awaited(trial, worker, now_s);
}

static void gone(struct trial *trial, uint32_t worker, double now_s) {
    trial->seat[worker].start = START_NOTHING;
    tell_member(trial, worker, MEMBER_GONE);
    if (trial->listening)
        start_ready(trial, now_s);
}

static void arrived(struct trial *trial, const struct event *event) {
    mailbox_arrive(&trial->mailbox, &(struct computed){event->worker, event->step, 0, 1}, event->time_s);
}

/* Whoever is to begin a task was told; `listen` tells after each message. */
static void dispatch(struct trial *trial, uint32_t worker, double now_s) {
    (void)trial;
    (void)worker;
    (void)now_s;
}

static bool due(const struct trial *trial, uint32_t worker) {
    return trial->seat[worker].start != START_NOTHING;
}

static void count(struct trial *trial) {
    (void)trial;
}

const struct tasking tasking_at_will = {
    .open = open,
    .listen = listen,
    .model = model,
    .up = up,
    .gone = gone,
    .arrived = arrived,
    .dispatch = dispatch,
    .due = due,
    .count = count,
};
