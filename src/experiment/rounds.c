/* Runs without an event queue: where nothing comes between a worker and its task, a round is n times, and the k-th smallest
 * closes it. They serve where nobody asks what happens and nothing is measured of estimates, workers are steady, tasks are of one
 * part, as long as those of all others and cancelled or queued at the close, and the wait rule counts results. */
#include "cloned.h"
#include "memory.h"
#include "rounds_inside.h"
#include "run_sizes.h"
#include <math.h>
#include <stdlib.h>

/* Numbers that are drawn at once stay in the nearer caches where rows are short. */
enum { DRAWN_AT_ONCE = 8192, FEWEST_ROUNDS = 8 };

static bool serves(struct rounds *rounds) {
    const struct scenario *scenario = rounds->spec.scenario;
    const struct scheme_entry *entry = rounds->spec.entry;
    if ((scenario->objective.data && run_decodes(scenario, entry)) || scenario->record.events ||
        rounds->setting.late == LATE_LATEST || !steady_serves(&scenario->cluster))
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

void *rounds_for_workers(struct rounds *rounds, size_t size) {
    return arena_zeroed(rounds->arena, (size_t)rounds->workers + BOOKED_AT_ONCE, size);
}

static void make_room(struct rounds *rounds) {
    struct hearers *hearers = &rounds->hearers;
    rounds->partition =
        arena_zeroed(rounds->arena, (size_t)rounds->workers * rounds->limits.evaluations, sizeof(uint32_t));
    hearers->fresh = arena_zeroed(rounds->arena, rounds->setting.shape.partitions, sizeof *hearers->fresh);
    time_order_init(&hearers->order, rounds->workers);
    hearers->message = rounds_for_workers(rounds, sizeof *hearers->message);
    hearers->place = rounds_for_workers(rounds, sizeof *hearers->place);
    hearers->decoding = (struct decoding){.weight = rounds_for_workers(rounds, sizeof(double)),
                                          .residual = (double)NAN,
                                          .largest_weight = (double)NAN};
    rounds->evaluated_s[USE_USEFUL] = rounds_for_workers(rounds, sizeof(double));
    rounds->evaluated_s[USE_REDUNDANT] = rounds_for_workers(rounds, sizeof(double));
    rounds->evaluated_s[USE_DISCARDED] = rounds_for_workers(rounds, sizeof(double));
    rounds->dropped_s = rounds_for_workers(rounds, sizeof(double));
    rounds->heard = rounds_for_workers(rounds, sizeof(double));
    rounds->finished = rounds_for_workers(rounds, sizeof(uint32_t));
    rounds->used = rounds_for_workers(rounds, sizeof(uint32_t));
    rounds->silent = rounds_for_workers(rounds, sizeof(bool));
    rounds->unended = rounds_for_workers(rounds, sizeof(bool));
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
    rounds->took_s = arena_zeroed(rounds->arena, capacity, sizeof(double));
    rounds->round = arena_zeroed(rounds->arena, capacity, sizeof *rounds->round);
}

static void begin_result(struct rounds *rounds) {
    const struct scenario *scenario = rounds->spec.scenario;
    rounds->recovered = UINT32_MAX;
    if (rounds->scheme->recovers)
        rounds->recovered = rounds->scheme->recovers(rounds->params, rounds->setting.shape, rounds->k);
    rounds->result = result_new(rounds->beta ? 0 : rounds->workers);
    rounds_learn_begin(rounds);
    bool told = rounds->scheme->recovers && (!scenario->objective.data || rounds->lesson.exact);
    rounds->asks = !rounds->beta && !told;
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
    begin_clock(rounds);
    begin_result(rounds);
    return true;
}

static struct result *end(void *course) {
    struct rounds *rounds = course;
    struct result *result = rounds->result;
    rounds_learn_end(rounds);
    backlog_free(rounds->backlog);
    beta_rounds_free(rounds->beta);
    steady_free(rounds->steady);
    earliest_free(rounds->earliest);
    time_order_fini(&rounds->hearers.order);
    arena_free(rounds->arena);
    step_times_fini(&rounds->took);
    free(rounds);
    return result;
}

/* Rounds to draw at once: no more than can be. 0: the traces are at their end. */
static uint32_t rounds_ahead(const struct rounds *rounds) {
    const struct scenario *scenario = rounds->spec.scenario;
    uint64_t ahead = rounds->capacity, traced = cluster_rounds(&scenario->cluster), most = UINT64_MAX;
    if (scenario->stop.steps != PARAM_ABSENT)
        most = (uint64_t)scenario->stop.steps * rounds->lesson.accumulate;
    most = most < traced ? most : traced;
    return (uint32_t)(most - rounds->ended < ahead ? most - rounds->ended : ahead);
}

/* Writes the round in row `r`, which is over at `next_s`. */
INLINED void write_round(struct rounds *rounds, size_t r, double opened_s, const double ends_s[2]) {
    rounds->round[r] = (struct closed_round){.opened_s = opened_s,
                                             .closed_s = ends_s[0],
                                             .next_s = ends_s[1],
                                             .step = rounds->ended + (uint32_t)(r - rounds->closed),
                                             .recovered = rounds->recovered,
                                             .ties = opened_s + rounds->next[r] <= ends_s[1],
                                             .loss = (double)NAN};
}

/* Writes the round in row `r`; false where it never closes. */
static bool close_round(struct rounds *rounds, size_t r) {
    double opened_s = rounds->progress.time_s;
    double closed_s = rounds->backlog ? backlog_send(rounds, r, opened_s) : opened_s + rounds->kth[r];
    double next_s = closed_s + rounds->spec.scenario->master_s;
    /* Late tasks of no time in a round of no time: several may end and begin at one instant. */
    rounds->unclear |= rounds->backlog && next_s <= opened_s && rounds->k < rounds->workers;
    if (isinf(closed_s) || rounds->unclear)
        return false;
    write_round(rounds, r, opened_s, (double[2]){closed_s, next_s});
    return true;
}

static void draw(struct rounds *rounds, uint32_t count) {
    rounds->drawn = count;
    rounds->closed = 0;
    if (rounds->beta) {
        beta_rounds_find(rounds->beta, rounds->ended, count, rounds->kth);
        return;
    }
    steady_seconds(rounds->steady, rounds->ended, count, rounds->seconds);
    struct value_rows rows = {.value = rounds->seconds, .rows = count, .stride = rounds->row};
    if (!rounds->backlog)
        earliest_find(rounds->earliest, &rows, rounds->kth, rounds->next);
}

/* As many rounds as can be; false: the traces are at their end. */
static bool draw_ahead(struct rounds *rounds) {
    uint32_t ahead = rounds_ahead(rounds);
    if (ahead > 0)
        draw(rounds, ahead);
    return ahead > 0;
}

/* What follows is inlined because a round of few workers takes some 60 ns where only time counts. */

/* F of the model as it is; NAN where only time counts. True: the run has diverged. */
INLINED bool look(struct rounds *rounds, double *loss) {
    const struct decoding *decoding = &rounds->hearers.decoding;
    struct lesson *lesson = &rounds->lesson;
    *loss = lesson->learner ? learner_loss(lesson->learner) : (double)NAN;
    if (!rounds->begun)
        lesson->initial_loss = *loss;
    if (!lesson->learner || !progress_diverged(*loss, lesson->initial_loss))
        return false;
    rounds->status = STATUS_DIVERGED;
    rounds->result->diverged_residual = decoding->residual;
    rounds->result->diverged_largest = decoding->largest_weight;
    return true;
}

/* The run has come to a step. */
INLINED void note_step(struct rounds *rounds, double loss) {
    const struct progress *progress = &rounds->progress;
    rounds->status = progress_status_at(progress, &rounds->spec.scenario->stop, loss);
    const struct step_end end = {progress->steps, progress->time_s, loss, rounds->status};
    progress_end_step(&rounds->result->run, &rounds->took, &end);
}

/* w_0 is evaluated. */
static void start(struct rounds *rounds) {
    struct step_row row = blank_step();
    bool diverged = look(rounds, &row.loss);
    rounds->begun = true;
    if (diverged)
        return;
    note_step(rounds, row.loss);
    if (rounds->spec.scenario->record.mode != RECORD_SUMMARY)
        result_add_step(rounds->result, &row);
}

/* The model that the last round left is evaluated. A step by which the run diverges is none. */
INLINED void end_step(struct rounds *rounds) {
    const struct record_spec *record = &rounds->spec.scenario->record;
    struct closed_round *round = &rounds->round[rounds->closed - 1];
    rounds->due = false;
    if (look(rounds, &round->loss))
        return;
    rounds->progress.steps++;
    note_step(rounds, round->loss);
    if (record->mode != RECORD_SUMMARY &&
        (rounds->status != STATUS_RUNNING || progress_recorded(record, rounds->progress.steps)))
        round->recorded = rounds->progress.steps;
}

/* The next of the rounds that were drawn, which may never close. */
INLINED void run_round(struct rounds *rounds) {
    size_t r = rounds->closed;
    rounds->hangs = !close_round(rounds, r);
    if (rounds->hangs)
        return;
    if (rounds->backlog)
        backlog_book(rounds, r);
    else if (rounds->asks)
        rounds_book_apart(rounds, r);
    progress_go_to(&rounds->progress, rounds->round[r].next_s);
    rounds->ended++;
    rounds->closed++;
    rounds->due = !rounds->lesson.learner || rounds_learn(rounds, r);
}

static bool waits(const struct rounds *rounds) {
    return rounds->due && rounds->lesson.learner && learner_waits(rounds->lesson.learner);
}

/* Nothing comes of a round but its time. */
static bool timed(const struct rounds *rounds) {
    return !rounds->lesson.learner && !rounds->backlog && !rounds->asks;
}

/* The rounds that were drawn, where they are only timed: the clock stays in registers. */
static void run_timed(struct rounds *rounds) {
    const struct scenario *scenario = rounds->spec.scenario;
    const struct stop_spec stop = scenario->stop;
    const double master_s = scenario->master_s;
    struct progress progress = rounds->progress;
    enum status status = STATUS_RUNNING;
    size_t r = 0;
    while (r < rounds->drawn && status == STATUS_RUNNING && !rounds->hangs) {
        const double opened_s = progress.time_s, closed_s = opened_s + rounds->kth[r];
        const double next_s = closed_s + master_s;
        rounds->hangs = isinf(closed_s);
        if (rounds->hangs)
            break;
        write_round(rounds, r, opened_s, (double[2]){closed_s, next_s});
        rounds->took_s[r] = next_s - opened_s;
        progress_go_to(&progress, next_s);
        progress.steps++;
        status = progress_status(&progress, &stop);
        if (status != STATUS_RUNNING || progress_recorded(&scenario->record, progress.steps))
            rounds->round[r].recorded = progress.steps;
        r++;
    }
    rounds->progress = progress;
    rounds->status = status;
    rounds->closed = r;
    rounds->ended += (uint32_t)r;
    if (r > 0)
        progress_end_steps(&rounds->result->run, &rounds->took, rounds->took_s, &progress);
}

/* As many of the rounds that were drawn as can be; false: a model has moved and is not evaluated. */
static bool run_rounds(struct rounds *rounds) {
    if (timed(rounds)) {
        run_timed(rounds);
        return true;
    }
    if (rounds->due)
        end_step(rounds);
    while (rounds->status == STATUS_RUNNING && rounds->closed < rounds->drawn && !rounds->hangs) {
        run_round(rounds);
        if (waits(rounds))
            return false;
        if (rounds->due)
            end_step(rounds);
    }
    return true;
}

/* Where nobody asks, seconds are booked only if that tells too what a round recovers or holds. */
static bool books(const struct rounds *rounds) {
    bool asked = rounds->spec.scenario->record.bookings || rounds->asks;
    return !rounds->beta && !rounds->backlog && asked;
}

static double hanging_end(struct rounds *rounds) {
    if (rounds->beta)
        return rounds->progress.time_s;
    if (rounds->backlog)
        return backlog_last(rounds->backlog, rounds->progress.time_s);
    return rounds_book_stalled(rounds, rounds->hanging, rounds->progress.time_s);
}

/* The rounds that were drawn are over, or some of them and the run. */
static void settle(struct rounds *rounds) {
    if (books(rounds))
        rounds_book(rounds, rounds->closed);
    rounds_add_rows(rounds, rounds->closed);
    rounds->hanging = rounds->closed;
    if (rounds->hangs) {
        rounds->end_s = hanging_end(rounds);
        rounds->status = STATUS_STALLED;
    }
    rounds->drawn = rounds->closed = 0;
}

static enum stand go_on(void *course) {
    struct rounds *rounds = course;
    if (!rounds->begun)
        start(rounds);
    while (rounds->status == STATUS_RUNNING) {
        if (rounds->drawn == 0 && !draw_ahead(rounds)) {
            rounds->status = STATUS_TRACE_END;
            break;
        }
        if (!run_rounds(rounds))
            return STAND_WAITING;
        settle(rounds);
    }
    rounds_report(rounds);
    return rounds->unclear ? STAND_UNSUITED : STAND_ENDED;
}

static void *begin_course(const struct trial_spec *spec) {
    struct rounds of = {
        .spec = *spec,
        .scheme = (const struct scheme *)spec->entry->scheme.type,
        .params = spec->entry->scheme.params,
        .setting = scenario_setting(spec->scenario, spec->entry),
        .workers = spec->scenario->cluster.workers,
    };
    if (!serves(&of))
        return NULL;
    struct rounds *rounds = memory_zeroed(1, sizeof *rounds);
    *rounds = of;
    if (begin(rounds))
        return rounds;
    end(rounds);
    return NULL;
}

static struct learner *const *learners(const void *course, size_t *count) {
    const struct rounds *rounds = course;
    *count = rounds->lesson.learner != NULL;
    return &rounds->lesson.learner;
}

const struct way way_by_rounds = {
    .begin = begin_course,
    .learners = learners,
    .go_on = go_on,
    .end = end,
};
