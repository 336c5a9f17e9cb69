/* Why events at the very instant of an opening are taken before it, but start nothing: a worker that is free when the
 * new model arrives takes the new model. */
#include "trial_state.h"
#include <math.h>

struct hearing round_hearing(const struct trial *trial, double now_s) {
    bool decodable = trial->scheme->decodable && trial->scheme->decodable(trial->state);
    const struct scheme *scheme = trial->scheme;
    uint32_t stragglers = scheme->bears ? scheme->bears(trial->state) : scheme->stragglers(trial->params);
    return (struct hearing){
        .workers = trial->setting.shape.workers,
        .stragglers = stragglers,
        .heard = trial->heard,
        .elapsed_s = now_s - trial->opened_s,
        .first_s = trial->first_s - trial->opened_s,
        .decodable = decodable,
    };
}

static struct hearing hearing_at_alarm(const struct trial *trial, double now_s) {
    struct hearing hearing = round_hearing(trial, now_s);
    hearing.admitted = trial->scheme->admits ? trial->scheme->admits(trial->state)
                                             : hearing.heard + hearing.stragglers >= hearing.workers;
    return hearing;
}

static void note_gone(struct trial *trial, const struct event *event) {
    const struct seat *seat = &trial->seat[event->worker];
    if (seat->computing || seat->uploading)
        tell(trial, MOMENT_DROPPED, event->time_s, event->worker, seat->begun);
    task_note_dropped(trial, event->worker, event->seconds, event->time_s);
    tell(trial, MOMENT_GONE, event->time_s, event->worker, NO_STEP);
    trial->seat[event->worker].row.gone_s = event->time_s;
    if (trial->tasking->gone)
        trial->tasking->gone(trial, event->worker, event->time_s);
}

/* What an event means outside the wait rule. A stalled run ends with the last event of its workers. */
static void take_event(struct trial *trial, const struct event *event) {
    if (event->kind != EVENT_ALARM)
        trial->end_s = event->time_s;
    switch (event->kind) {
    case EVENT_FINISHED:
        task_note_finished(trial, event);
        break;
    case EVENT_ARRIVED:
        task_note_arrived(trial, event);
        trial->tasking->arrived(trial, event);
        break;
    case EVENT_GONE:
        note_gone(trial, event);
        break;
    case EVENT_UP:
        tell(trial, trial->seat[event->worker].joined ? MOMENT_UP : MOMENT_JOIN, event->time_s, event->worker,
             NO_STEP);
        trial->tasking->up(trial, event->worker, event->time_s);
        break;
    case EVENT_MODEL:
        trial->tasking->model(trial, event->worker, event->step, event->time_s);
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
        if (frees(&event) && event.time_s < until_s)
            trial->tasking->dispatch(trial, event.worker, event.time_s);
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

/* False when one of them never ends. */
static bool draw_warm_up(struct trial *trial) {
    bool ends = true;
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++) {
        trial->seat[i].joined = cluster_present(trial->cluster, i);
        trial->seat[i].done_s[0] = warm_up_seconds(trial, i);
        ends &= isfinite(trial->seat[i].done_s[0]);
        tell_start(trial, i);
    }
    return ends;
}

/* Returns how many begin one. */
static uint32_t start_warm_up(struct trial *trial) {
    uint32_t warming = 0;
    for (uint32_t i = 0; trial->limits.warmup_timed && i < trial->setting.shape.workers; i++) {
        struct seat *seat = &trial->seat[i];
        if (!seat->joined)
            continue;
        cluster_start(trial->cluster, i, &(struct assignment){.parts = 1, .done_s = seat->done_s});
        seat->computing = true;
        warming++;
    }
    return warming;
}

/* What it computed stays where it is: nothing is uploaded. */
static void finish_warm_up(struct trial *trial, const struct event *event) {
    struct seat *seat = &trial->seat[event->worker];
    cluster_cancel(trial->cluster, event->worker, event->time_s);
    seat->computing = false;
    ledger_book(trial->ledger, event->worker, seat->done_s[0], USE_USEFUL);
    tell(trial, MOMENT_WARMUP_FINISH, event->time_s, event->worker, NO_STEP);
}

/* A worker that joins now has no model before the first round opens. False when one is lost that has not ended. */
static bool take_warm_up_event(struct trial *trial, const struct event *event) {
    struct seat *seat = &trial->seat[event->worker];
    bool lost = event->kind == EVENT_GONE && seat->computing;
    if (event->kind == EVENT_FINISHED)
        finish_warm_up(trial, event);
    else if (event->kind == EVENT_UP)
        tell(trial, seat->joined ? MOMENT_UP : MOMENT_JOIN, event->time_s, event->worker, NO_STEP);
    else
        tell(trial, event->kind == EVENT_GONE ? MOMENT_GONE : MOMENT_DOWN, event->time_s, event->worker,
             NO_STEP);
    if (lost)
        ledger_book(trial->ledger, event->worker, event->seconds, USE_DISCARDED);
    seat->computing &= !lost;
    seat->joined |= event->kind == EVENT_UP;
    if (event->kind == EVENT_GONE)
        seat->row.gone_s = event->time_s;
    trial->end_s = event->time_s;
    return !lost;
}

/* A worker that is lost in a warm-up leaves it without end. */
bool round_warm_up(struct trial *trial) {
    if (!draw_warm_up(trial))
        return false;
    uint32_t warming = start_warm_up(trial);
    double last_s = 0;
    struct event event;
    while (cluster_next_by(trial->cluster, warming > 0 ? (double)INFINITY : last_s, &event)) {
        if (!take_warm_up_event(trial, &event))
            return false;
        warming -= event.kind == EVENT_FINISHED;
        last_s = event.kind == EVENT_FINISHED ? event.time_s : last_s;
    }
    trial->opened_s = trial->end_s = last_s;
    return true;
}

/* Nobody is there and nobody will come. */
bool round_deserted(const struct trial *trial) {
    bool present = false;
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++)
        present |= cluster_present(trial->cluster, i);
    return !present && cluster_silent(trial->cluster);
}

void round_open(struct trial *trial) {
    trial->heard = trial->responders = 0;
    trial->first_s = (double)NAN;
    trial->overrun = false;
    trial->listening = true;
    mailbox_open(&trial->mailbox, trial->round);
    tell(trial, MOMENT_OPEN, trial->opened_s, THE_MASTER, trial->round);
    trial->scheme->open(trial->state, trial->round, trial->step);
}

static struct verdict listen_once(struct trial *trial, const struct event *event) {
    take_event(trial, event);
    struct verdict verdict = trial->tasking->listen(trial, event);
    if (event->kind == EVENT_ALARM) {
        struct hearing hearing = hearing_at_alarm(trial, event->time_s);
        verdict = wait_alarm(trial->spec.entry->wait, &hearing);
        trial->overrun = verdict.action == LISTEN;
    }
    if (frees(event))
        trial->tasking->dispatch(trial, event->worker, event->time_s);
    return verdict;
}

/* No result will ever come: all is silent, and nobody has a task to begin after a repair. Without this a cluster in which
 * always somebody is being repaired would go on for ever. */
static bool all_over(const struct trial *trial) {
    if (!cluster_silent(trial->cluster))
        return false;
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++)
        if (cluster_repaired(trial->cluster, i) && !cluster_computing(trial->cluster, i) &&
            trial->tasking->due(trial, i))
            return false;
    return true;
}

/* Listens until the rule closes; false: it never can. */
static bool listen(struct trial *trial) {
    struct hearing hearing = round_hearing(trial, trial->opened_s);
    struct verdict verdict = wait_open(trial->spec.entry->wait, &hearing);
    cluster_set_alarm(trial->cluster, trial->opened_s + verdict.alarm_s);
    trial->closed_s = trial->opened_s;
    if (verdict.action == LISTEN)
        verdict = trial->tasking->listen(trial, NULL);
    while (verdict.action == LISTEN) {
        struct event event;
        if (trial->exhausted || all_over(trial) || !cluster_next_by(trial->cluster, (double)INFINITY, &event))
            return false;
        verdict = listen_once(trial, &event);
        if (isfinite(verdict.alarm_s))
            cluster_set_alarm(trial->cluster, trial->opened_s + verdict.alarm_s);
        trial->closed_s = event.time_s;
    }
    cluster_set_alarm(trial->cluster, (double)INFINITY);
    return true;
}

static bool on_its_way(const struct trial *trial, uint32_t worker) {
    const struct seat *seat = &trial->seat[worker];
    return seat->uploading && seat->begun == trial->round;
}

/* Every worker sends what it has done; the round closes when the last of them was heard or is gone. */
static void collect(struct trial *trial) {
    uint32_t awaited = 0;
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++)
        awaited += on_its_way(trial, i) || task_collect(trial, i, trial->closed_s);
    struct event event;
    while (awaited > 0 && cluster_next_by(trial->cluster, (double)INFINITY, &event)) {
        bool busy = event.kind == EVENT_GONE && on_its_way(trial, event.worker);
        take_event(trial, &event);
        awaited -= busy || (event.kind == EVENT_ARRIVED && event.step == trial->round);
        trial->closed_s = event.time_s;
    }
}

bool round_listen(struct trial *trial) {
    trial->tasking->open(trial);
    if (!listen(trial))
        return false;
    if (trial->scheme->collects)
        collect(trial);
    trial->listening = false;
    if (trial->spec.scenario->cluster.topology == TOPOLOGY_RING)
        trial->closed_s += cluster_ring_seconds(trial->cluster);
    tell(trial, MOMENT_CLOSE, trial->closed_s, THE_MASTER, trial->round);
    return true;
}

void round_next(struct trial *trial, double next_s) {
    trial->standstill = next_s > trial->opened_s ? 0 : trial->standstill + 1;
    trial->opened_s = trial->end_s = next_s;
    trial->result->run.rounds = ++trial->round;
}

void round_advance(struct trial *trial, double master_s) {
    trial->tasking->count(trial);
    trial->result->run.rounds_overrun += trial->overrun;
    double next_s = trial->closed_s + master_s;
    pass_time(trial, next_s);
    round_next(trial, next_s);
}

bool round_idle(const struct trial *trial) {
    return trial->scheme->idle && trial->scheme->idle(trial->state);
}

void round_pass(struct trial *trial) {
    trial->listening = false;
    tell(trial, MOMENT_CLOSE, trial->opened_s, THE_MASTER, trial->round);
    round_next(trial, trial->opened_s);
}

void round_end(struct trial *trial) {
    tasks_end(trial);
    tell(trial, MOMENT_END, trial->end_s, THE_MASTER, NO_STEP);
    if (trial->moments)
        moment_log_settle(trial->moments);
}
