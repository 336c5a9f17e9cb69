/* Why the lists of a task are copied: the scheme's own are valid until its next call, the seat needs them until the task
 * ends. */
#include "trial_state.h"
#include <assert.h>
#include <math.h>
#include <string.h>

uint32_t task_parts(const struct task *task) {
    return task->parts > 0 ? task->parts : 1;
}

void tasks_begin(struct trial *trial) {
    size_t workers = trial->setting.shape.workers;
    size_t parts = trial->mailbox.parts, evaluations = trial->limits.evaluations;
    struct evaluation *evaluation = arena_zeroed(trial->arena, workers * evaluations, sizeof *evaluation);
    struct seat_part *part = arena_zeroed(trial->arena, workers * parts, sizeof *part);
    uint32_t *order = arena_zeroed(trial->arena, workers * parts, sizeof *order);
    double *done_s = arena_zeroed(trial->arena, workers * parts, sizeof *done_s);
    trial->seat = arena_zeroed(trial->arena, workers, sizeof *trial->seat);
    for (size_t i = 0; i < workers; i++) {
        trial->seat[i].task.evaluation = evaluation + i * evaluations;
        trial->seat[i].part = part + i * parts;
        trial->seat[i].order = order + i * parts;
        trial->seat[i].done_s = done_s + i * parts;
        trial->seat[i].row.gone_s = (double)NAN;
        if (trial->moments)
            trial->seat[i].delay_s = arena_zeroed(trial->arena, parts, sizeof(double));
    }
}

static void copy_parts(struct seat *seat) {
    uint32_t first = 0;
    for (uint32_t q = 0; q < task_parts(&seat->task); q++) {
        uint32_t evaluations = seat->task.parts > 0 ? seat->task.part[q].evaluations : seat->task.evaluations;
        seat->part[q] = (struct seat_part){first, evaluations};
        first += evaluations;
    }
    assert(first == seat->task.evaluations);
}

static void take(struct trial *trial, uint32_t worker, uint32_t step) {
    struct seat *seat = &trial->seat[worker];
    struct evaluation *own = (struct evaluation *)seat->task.evaluation;
    trial->scheme->assign(trial->state, worker, step, &seat->task);
    assert(seat->task.evaluations <= trial->limits.evaluations);
    assert(task_parts(&seat->task) <= trial->mailbox.parts);
    copy_parts(seat);
    memcpy(own, seat->task.evaluation, seat->task.evaluations * sizeof *own);
    seat->task.evaluation = own;
    seat->done = 1;
    seat->ended = 0;
    seat->merged = 0;
    seat->finishing = seat->task.sending == SEND_TOGETHER ? task_parts(&seat->task) : 1;
}

/* Each message meets a delay of its own, so that they need not arrive in the order of their parts. */
static void draw_messages(struct trial *trial, uint32_t worker, uint32_t step) {
    struct seat *seat = &trial->seat[worker];
    double before = 0;
    for (uint32_t q = 0; q < seat->task.parts; q++) {
        double work = seat->task.part[q].work;
        struct message_work of = {.work = work, .own = work - before, .message = q};
        double done_s = cluster_message_seconds(trial->cluster, worker, step, &of);
        uint32_t rank = q;
        for (; rank > 0 && seat->done_s[rank - 1] > done_s; rank--) {
            seat->done_s[rank] = seat->done_s[rank - 1];
            seat->order[rank] = seat->order[rank - 1];
        }
        seat->done_s[rank] = done_s;
        seat->order[rank] = q;
        before = work;
    }
}

/* When the parts are done. A missing measurement makes the first NAN. */
static void draw_seconds(struct trial *trial, uint32_t worker, uint32_t step) {
    struct seat *seat = &trial->seat[worker];
    uint32_t ends = task_parts(&seat->task) / seat->finishing;
    if (seat->task.parts > 0 && seat->task.delay_per == DELAY_PER_MESSAGE) {
        draw_messages(trial, worker, step);
        return;
    }
    for (uint32_t q = 0; q < ends; q++) {
        seat->done_s[q] = ends == 1 ? seat->task.work : seat->task.part[q].work;
        seat->order[q] = q;
    }
    if (seat->delay_s) {
        memcpy(seat->delay_s, seat->done_s, ends * sizeof *seat->delay_s);
        cluster_parts_delays(trial->cluster, worker, step, ends, seat->delay_s);
    }
    cluster_parts_seconds(trial->cluster, worker, step, ends, seat->done_s);
}

bool task_take(struct trial *trial, uint32_t worker, uint32_t step) {
    struct seat *seat = &trial->seat[worker];
    seat->next_step = step + 1;
    take(trial, worker, step);
    draw_seconds(trial, worker, step);
    return !isnan(seat->done_s[0]);
}

void task_start(struct trial *trial, uint32_t worker, double now_s) {
    struct seat *seat = &trial->seat[worker];
    uint32_t step = seat->task.step;
    struct assignment assignment = {.step = step,
                                    .start_s = now_s,
                                    .parts = task_parts(&seat->task) / seat->finishing,
                                    .done_s = seat->done_s,
                                    .vectors = seat->finishing};
    seat->computing = true;
    seat->begun = step;
    seat->part_begun_s = now_s;
    tell_part(trial, MOMENT_START, now_s,
              &(struct computed){.worker = worker, .step = step, .part = seat->order[0]});
    cluster_start(trial->cluster, worker, &assignment);
}

double task_up_seconds(const struct trial *trial, uint32_t worker, double now_s) {
    return now_s - cluster_down_seconds(trial->cluster, worker, now_s);
}

/* With overlap an upload takes none of the worker's time. */
static bool upload_counts(const struct trial *trial) {
    return !trial->spec.scenario->cluster.overlap;
}

/* The evaluations whose seconds end when the rank-th of the task's uploads begins. */
static struct booking booking_of(const struct trial *trial, uint32_t worker, uint32_t rank) {
    const struct seat *seat = &trial->seat[worker];
    struct booking booking = {.worker = worker,
                              .step = seat->begun,
                              .evaluations = seat->task.evaluations,
                              .evaluation = seat->task.evaluation};
    if (seat->finishing < task_parts(&seat->task)) {
        const struct seat_part *part = &seat->part[seat->order[rank]];
        booking.first = part->first;
        booking.evaluation += part->first;
        booking.evaluations = part->evaluations;
    }
    return booking;
}

/* More seconds of what has been computed. Without a barrier they stay with the message until its use is known. */
static void book(struct trial *trial, uint32_t worker, uint32_t rank, double seconds) {
    struct booking booking = booking_of(trial, worker, rank);
    if (!trial->scheme->starts) {
        ledger_extend(trial->ledger, &booking, seconds);
        return;
    }
    mailbox_posted(&trial->mailbox, worker)->seconds += seconds;
    ledger_spend(trial->ledger, worker, seconds);
}

/* Uploads that go on beside computing take no time of their own. */
static void book_upload(struct trial *trial, uint32_t worker, uint32_t rank, double now_s) {
    struct seat *seat = &trial->seat[worker];
    double up_s = task_up_seconds(trial, worker, now_s);
    if (upload_counts(trial) && !seat->computing)
        book(trial, worker, rank, up_s - seat->up_at_mark_s);
    seat->up_at_mark_s = up_s;
}

void task_note_missing(struct trial *trial, uint32_t worker, double now_s) {
    struct seat *seat = &trial->seat[worker];
    seat->row.skipped += seat->task.evaluations;
    seat->finished++;
    tell(trial, MOMENT_MISSING, now_s, worker, seat->task.step);
}

/* A message that will not arrive. */
static void forget_message(struct trial *trial, uint32_t worker) {
    if (trial->scheme->starts)
        ledger_unused(trial->ledger, mailbox_posted(&trial->mailbox, worker)->seconds);
}

void task_note_dropped(struct trial *trial, uint32_t worker, double spent_s, double now_s) {
    struct seat *seat = &trial->seat[worker];
    if (seat->computing) {
        ledger_book(trial->ledger, worker, spent_s, USE_DISCARDED);
        seat->row.skipped += seat->task.evaluations;
        seat->finished++;
    } else if (seat->uploading) {
        book_upload(trial, worker, task_parts(&seat->task) / seat->finishing - 1, now_s);
        forget_message(trial, worker);
    }
    seat->computing = seat->uploading = false;
}

/* How long the part took that ended: less than planned where the master collected. */
static double part_seconds(const struct trial *trial, const struct event *event) {
    const struct seat *seat = &trial->seat[event->worker];
    double seconds = seat->done_s[event->part];
    return event->part > 0 ? seconds - seat->done_s[event->part - 1] : seconds;
}

/* Delays of messages run beside computing, and work that the master collects comes after the delay: neither is told. */
static void tell_delay(const struct trial *trial, const struct event *event, uint32_t part) {
    const struct seat *seat = &trial->seat[event->worker];
    if (!seat->delay_s || trial->scheme->collects ||
        (seat->task.parts > 0 && seat->task.delay_per == DELAY_PER_MESSAGE))
        return;
    double before_s = event->part > 0 ? seat->delay_s[event->part - 1] : 0;
    double delay_s = seat->delay_s[event->part] - before_s;
    double begun_s = seat->part_begun_s;
    if (delay_s < part_seconds(trial, event))
        begun_s = fmax(begun_s, event->time_s - delay_s);
    if (delay_s > 0)
        tell_part(trial, MOMENT_DELAY, begun_s, &(struct computed){event->worker, event->step, part, 1});
}

static void post_part(struct trial *trial, const struct computed *computed, double now_s) {
    struct letter *letter = mailbox_post(&trial->mailbox, computed);
    letter->first = trial->seat[computed->worker].part[computed->part].first;
    letter->terms = (uint32_t)trial->scheme->finish(trial->state, computed, letter->term);
    assert(letter->terms <= trial->limits.terms);
    pack_letter(trial, letter);
    tell_part(trial, MOMENT_FINISH, now_s, computed);
}

static void go_on(struct trial *trial, const struct event *event) {
    struct seat *seat = &trial->seat[event->worker];
    seat->ended++;
    seat->computing = cluster_computing(trial->cluster, event->worker);
    seat->up_at_mark_s = task_up_seconds(trial, event->worker, event->time_s);
    seat->finished += !seat->computing;
    seat->part_begun_s = event->time_s;
    if (seat->computing)
        tell_part(trial, MOMENT_START, event->time_s,
                  &(struct computed){
                      .worker = event->worker, .step = event->step, .part = seat->order[event->part + 1]});
}

static void note_part(struct trial *trial, const struct event *event) {
    struct seat *seat = &trial->seat[event->worker];
    uint32_t first = seat->finishing > 1 ? 0 : seat->order[event->part];
    struct booking booking = booking_of(trial, event->worker, event->part);
    tell_delay(trial, event, first);
    for (uint32_t q = first; q < first + seat->finishing; q++)
        post_part(trial, &(struct computed){event->worker, event->step, q, seat->done}, event->time_s);
    seat->row.evaluated += booking.evaluations;
    seat->uploading = true;
    if (trial->scheme->starts)
        book(trial, event->worker, event->part, part_seconds(trial, event));
    else
        ledger_finished(trial->ledger, &booking, part_seconds(trial, event));
    go_on(trial, event);
}

void task_note_arrived(struct trial *trial, const struct event *event) {
    struct seat *seat = &trial->seat[event->worker];
    if (seat->uploading)
        book_upload(trial, event->worker, event->part, event->time_s);
    seat->uploading = cluster_uploading(trial->cluster, event->worker);
}

static void tell_joined(const struct trial *trial, const struct event *event) {
    const struct seat *seat = &trial->seat[event->worker];
    struct computed ended = {event->worker, event->step, seat->order[event->part], 1};
    struct computed next = {event->worker, event->step, seat->order[event->part + 1], 1};
    tell_delay(trial, event, ended.part);
    tell_part(trial, MOMENT_FINISH, event->time_s, &ended);
    tell_part(trial, MOMENT_LATE, event->time_s, &ended);
    tell_part(trial, MOMENT_START, event->time_s, &next);
}

/* Parts that were joined: each was computed, and late at once, so that it is of no use. */
static void note_joined(struct trial *trial, uint32_t worker, double until_s) {
    struct seat *seat = &trial->seat[worker];
    double spent_s = 0;
    for (; seat->merged > 0 && seat->merged_s <= until_s; seat->merged--) {
        struct event event = {
            .time_s = seat->merged_s, .worker = worker, .step = seat->begun, .part = seat->ended};
        spent_s += part_seconds(trial, &event);
        seat->row.evaluated += seat->part[seat->order[event.part]].evaluations;
        if (trial->moments)
            tell_joined(trial, &event);
        seat->part_begun_s = seat->merged_s;
        seat->merged_s += seat->done_s[event.part + 1] - seat->done_s[event.part];
        seat->ended++;
    }
    ledger_book(trial->ledger, worker, spent_s, USE_DISCARDED);
}

void task_note_finished(struct trial *trial, const struct event *event) {
    if (trial->seat[event->worker].merged > 0)
        note_joined(trial, event->worker, event->time_s);
    note_part(trial, event);
}

void task_join(struct trial *trial, uint32_t worker) {
    struct seat *seat = &trial->seat[worker];
    if (!seat->computing || seat->merged > 0 || trial->setting.late == LATE_CANCEL ||
        trial->limits.kept > 0 || !cluster_steady(trial->cluster, worker))
        return;
    const uint32_t ends = task_parts(&seat->task) / seat->finishing; /* of who computes, at least 1 */
    if (seat->ended + 1 >= ends)
        return;
    double end_s = cluster_join_parts(trial->cluster, worker);
    if (isnan(end_s))
        return;
    seat->merged = ends - 1 - seat->ended;
    seat->merged_s = end_s;
}

/* The share of the part that takes from `begin_s` to `end_s`, in seconds of computing, that is done. `instant_s` is less than
 * the clock can tell: what would be done by then is done. */
static double share_done(double spent_s, double begin_s, double end_s, double instant_s) {
    double share = (spent_s - begin_s) / (end_s - begin_s);
    if (isinf(end_s) || share <= 0)
        return 0;
    return fmin(1, share + instant_s / (end_s - begin_s));
}

bool task_collect(struct trial *trial, uint32_t worker, double now_s) {
    struct seat *seat = &trial->seat[worker];
    uint32_t rank = seat->ended;
    if (!seat->computing || seat->begun != trial->round)
        return false;
    double before_s = rank > 0 ? seat->done_s[rank - 1] : 0;
    double spent_s = before_s + cluster_spent(trial->cluster, worker, now_s);
    /* A delay that comes before any work is no share of it. */
    double begin_s = before_s;
    if (rank == 0 && isfinite(seat->done_s[0]))
        begin_s = cluster_task_seconds(trial->cluster, worker, seat->begun, 0);
    if (!cluster_halt(trial->cluster, worker, now_s))
        return false;
    seat->done = share_done(spent_s, begin_s, seat->done_s[rank], INSTANT * now_s);
    seat->done_s[rank] = spent_s;
    return true;
}

void tasks_end(struct trial *trial) {
    for (uint32_t i = 0; i < trial->setting.shape.workers; i++) {
        struct seat *seat = &trial->seat[i];
        bool merged = seat->merged > 0;
        if (merged)
            note_joined(trial, i, trial->end_s);
        if (seat->computing)
            ledger_book(trial->ledger, i,
                        merged ? trial->end_s - seat->part_begun_s
                               : cluster_spent(trial->cluster, i, trial->end_s),
                        USE_DISCARDED);
        else if (seat->uploading)
            book_upload(trial, i, task_parts(&seat->task) / seat->finishing - 1, trial->end_s);
        if (!seat->computing && seat->uploading)
            forget_message(trial, i);
    }
    struct mailbox *mailbox = &trial->mailbox;
    for (uint64_t q = mailbox->opened; q < mailbox->arrived; q++)
        ledger_unused(trial->ledger, mailbox->waiting[q % mailbox->capacity].seconds);
    ledger_settle(trial->ledger);
}
