#include "pushes_twin_inside.h"
#include "stream.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

double *zeroed(size_t count) {
    return calloc(count + 1, sizeof(double));
}

size_t partitions_of(const struct play *play, const bool *has) {
    size_t count = 0;
    for (size_t p = 0; p < play->n; p++)
        count += has[p];
    return count;
}

static struct event *place_of(struct play *play, size_t i, enum happening happening) {
    return &play->event[4 * i + happening];
}

static void expect(struct play *play, size_t i, enum happening happening, double time_s) {
    *place_of(play, i, happening) = (struct event){time_s, happening, i};
}

static bool there(const struct play *play, size_t i) {
    return play->one[i].activity != ABSENT && play->one[i].activity != GONE;
}

static size_t slowest_clock(const struct play *play) {
    size_t slowest = SIZE_MAX;
    for (size_t i = 0; i < play->n; i++)
        if (there(play, i) && play->one[i].clock < slowest)
            slowest = play->one[i].clock;
    return slowest;
}

static bool waits_for_others(const struct play *play, size_t i) {
    return play->spec->pushing == PUSH_SSP_WAIT &&
           play->one[i].clock > slowest_clock(play) + play->spec->number;
}

static double exponential(const struct play *play, size_t i, uint32_t which, double mean_s) {
    struct draw draw = {
        {play->spec->seed, 0, PURPOSE_FAILURE}, (uint32_t)i, (uint32_t)play->one[i].failures, which};
    return -mean_s * log(1 - draw_unit(&draw));
}

static void expect_failure(struct play *play, size_t i) {
    if (isinf(play->spec->to_failure_s))
        return;
    enum happening happening = isinf(play->spec->to_repair_s) ? LEFT : FAILED;
    double time_s = play->now_s + exponential(play, i, 0, play->spec->to_failure_s);
    expect(play, i, happening, fmin(time_s, place_of(play, i, happening)->time_s));
}

static size_t held_by(const struct play *play, size_t i) {
    size_t count = 0;
    for (size_t p = 0; p < play->n; p++)
        count += play->holder[p] == i;
    return count;
}

/* Each partition that nobody has goes to who has fewest, the next in the ring of indices of those. */
static void deal(struct play *play) {
    for (size_t p = 0; p < play->n && play->spec->reassigned; p++) {
        size_t best = NONE;
        for (size_t away = play->n - 1; away >= 1 && play->holder[p] == NONE; away--) {
            size_t i = (p + away) % play->n;
            if (there(play, i) && (best == NONE || held_by(play, i) <= held_by(play, best)))
                best = i;
        }
        if (best != NONE)
            play->holder[p] = best;
    }
}

static void take_partitions(struct play *play, size_t i) {
    struct one *one = &play->one[i];
    one->sharing = 0;
    for (size_t q = 0; q < play->n; q++) {
        one->has[q] = play->holder[q] == i;
        one->sharing += !play->spec->reassigned || there(play, q);
    }
}

static void begin(struct play *play, size_t i) {
    const struct pushes_spec *spec = play->spec;
    struct one *one = &play->one[i];
    one->activity = WORKING;
    one->version = play->t;
    memcpy(one->w, play->w, play->d * sizeof *one->w);
    take_partitions(play, i);
    one->seconds = (double)partitions_of(play, one->has) * spec->compute_s +
                   spec->delay_s[one->tasks++ % spec->rounds * play->n + i];
    one->begun_s = play->now_s;
    one->spent_s = 0;
    one->end_s = play->now_s + one->seconds;
    expect(play, i, PUSHED, one->end_s);
}

static void begin_all(struct play *play) {
    deal(play);
    for (size_t i = 0; i < play->n; i++)
        if (play->one[i].activity == FREE && !play->one[i].down && !waits_for_others(play, i))
            begin(play, i);
}

/* The work of an unfinished task is lost. */
static void lose(struct play *play, size_t i) {
    struct one *one = &play->one[i];
    double spent_s = one->spent_s + (one->down ? 0 : play->now_s - one->begun_s);
    play->result->discarded_s += spent_s;
    play->result->worker[i].busy_s += spent_s;
    place_of(play, i, PUSHED)->time_s = (double)INFINITY;
}

/* g_p at the worker's w, and lambda/n of that w where every update is of one worker's part. */
static void compute(const struct play *play, const struct push *push, const double *w) {
    const struct twin_problem *problem = play->spec->problem;
    enum pushing pushing = play->spec->pushing;
    for (size_t p = 0; p < play->n; p++) {
        double *gradient = push->gradient + p * play->d;
        if (push->has[p])
            twin_partial(problem, play->n, p, w, gradient);
        if (push->has[p] && (pushing == PUSH_SSP_WAIT || pushing == PUSH_SSP_DROP))
            for (size_t j = 0; j < play->d - problem->intercept; j++)
                gradient[j] += problem->l2 / (double)play->n * w[j];
    }
}

static void take_push(struct play *play, size_t i) {
    struct one *one = &play->one[i];
    struct push *push = &play->inbox[play->arrived++];
    *push = (struct push){i, one->version, zeroed(play->n * play->d), one->seconds, .sharing = one->sharing};
    memcpy(push->has, one->has, sizeof push->has);
    compute(play, push, one->w);
    one->activity = AWAITING;
    play->result->worker[i].evaluated += partitions_of(play, one->has);
    play->result->worker[i].busy_s += one->seconds;
}

static void take_outage(struct play *play, size_t i, enum happening happening) {
    struct one *one = &play->one[i];
    if (happening == LEFT) {
        if (one->activity == WORKING) {
            lose(play, i);
            play->result->worker[i].skipped += partitions_of(play, one->has);
        }
        one->activity = GONE;
        for (size_t p = 0; p < play->n; p++)
            play->holder[p] = play->holder[p] == i ? NONE : play->holder[p];
        expect(play, i, FAILED, (double)INFINITY);
        expect(play, i, CAME, (double)INFINITY);
    } else if (happening == FAILED) {
        one->down = true;
        one->spent_s += one->activity == WORKING ? play->now_s - one->begun_s : 0;
        place_of(play, i, PUSHED)->time_s = (double)INFINITY;
        expect(play, i, CAME, play->now_s + exponential(play, i, 1, play->spec->to_repair_s));
        one->failures++;
    }
}

static void come(struct play *play, size_t i) {
    struct one *one = &play->one[i];
    size_t slowest = slowest_clock(play);
    if (one->activity == ABSENT) {
        one->activity = FREE;
        play->holder[i] = i;
        one->clock = slowest == SIZE_MAX ? 0 : slowest;
    }
    one->down = false;
    one->begun_s = play->now_s;
    if (one->activity == WORKING)
        expect(play, i, PUSHED, play->now_s + one->seconds - one->spent_s);
    expect_failure(play, i);
}

/* The first event by time, worker, kind. */
static struct event *next_event(struct play *play) {
    struct event *next = &play->event[0];
    for (size_t e = 1; e < 4 * play->n; e++)
        if (play->event[e].time_s < next->time_s)
            next = &play->event[e];
    return next;
}

static void take_event(struct play *play, struct event *event) {
    play->now_s = event->time_s;
    event->time_s = (double)INFINITY;
    if (event->happening == PUSHED)
        take_push(play, event->worker);
    else if (event->happening == CAME)
        come(play, event->worker);
    else
        take_outage(play, event->worker, event->happening);
}

/* Somebody works or may work again. */
static bool hope(const struct play *play) {
    for (size_t i = 0; i < play->n; i++) {
        const struct one *one = &play->one[i];
        bool comes = isfinite(play->event[4 * i + CAME].time_s);
        if (one->activity == WORKING || (one->activity == ABSENT && comes) ||
            (one->activity == FREE && one->down && !waits_for_others(play, i)))
            return true;
    }
    return false;
}

static void fill_table(struct play *play, size_t q) {
    const struct push *push = &play->inbox[q];
    for (size_t p = 0; p < play->n; p++) {
        if (!push->has[p] || (play->filled[p] && play->table_version[p] > push->version))
            continue;
        memcpy(play->table + p * play->d, push->gradient + p * play->d, play->d * sizeof *play->table);
        play->table_version[p] = push->version;
        play->table_push[p] = q;
        play->filled[p] = true;
    }
}

/* The next push is heard; its sender is free unless it must rest. True: the round is over. */
static bool hear(struct play *play) {
    const struct push *push = &play->inbox[play->heard++];
    struct one *one = &play->one[push->worker];
    enum pushing pushing = play->spec->pushing;
    bool fresh = push->version == play->t;
    if (play->heard - play->opened == 1)
        play->first_s = play->now_s;
    play->fresh += fresh;
    if (pushing == PUSH_DSAG)
        fill_table(play, play->heard - 1);
    bool rests = pushing == PUSH_K_ASYNC || (pushing == PUSH_DSAG && fresh);
    if (one->activity == AWAITING)
        one->activity = rests ? RESTING : FREE;
    one->clock++;
    size_t counted = pushing == PUSH_DSAG ? play->fresh : play->heard - play->opened;
    bool many = pushing <= PUSH_K_BATCH_SYNC || pushing == PUSH_DSAG;
    return counted >= (many ? play->spec->number : 1);
}

/* In k-batch-sync nothing of an old model counts. */
static void forget(struct play *play) {
    for (size_t i = 0; i < play->n; i++) {
        struct one *one = &play->one[i];
        if (one->activity == WORKING) {
            lose(play, i);
            play->result->worker[i].skipped += partitions_of(play, one->has);
        }
        if (one->activity == WORKING || one->activity == AWAITING)
            one->activity = FREE;
    }
    for (; play->heard < play->arrived; play->heard++)
        play->result->discarded_s += play->inbox[play->heard].seconds;
}

static void open(struct play *play) {
    if (play->spec->pushing == PUSH_K_BATCH_SYNC)
        forget(play);
    for (size_t i = 0; i < play->n; i++)
        if (play->one[i].activity == RESTING)
            play->one[i].activity = FREE;
    play->opened = play->heard;
    play->fresh = 0;
}

/* False: the round never ends. */
static bool listen(struct play *play) {
    begin_all(play);
    for (;;) {
        while (play->heard < play->arrived) {
            if (hear(play))
                return true;
            begin_all(play);
        }
        struct event *event = next_event(play);
        if (isinf(event->time_s) || !hope(play))
            return false;
        take_event(play, event);
        begin_all(play);
    }
}

/* All that happens until the master is ready. */
static void pass(struct play *play, double time_s) {
    for (struct event *event; (event = next_event(play))->time_s <= time_s;)
        take_event(play, event);
    play->now_s = play->opened_s = time_s;
}

static void end(struct play *play) {
    for (size_t i = 0; i < play->n; i++)
        if (play->one[i].activity == WORKING)
            lose(play, i);
    for (size_t q = play->result->stalled ? play->opened : play->heard; q < play->arrived; q++)
        play->result->discarded_s += play->inbox[q].seconds;
    for (size_t q = 0; q < play->arrived; q++)
        free(play->inbox[q].gradient);
    for (size_t i = 0; i < play->n; i++)
        free(play->one[i].w);
    free(play->inbox);
    free(play->w);
    free(play->table);
}

static void start(struct play *play) {
    play->w = zeroed(play->d);
    play->table = zeroed(play->n * play->d);
    play->inbox = calloc(100000, sizeof *play->inbox);
    for (size_t i = 0; i < play->n; i++) {
        bool late = play->spec->joins_s[i] > 0;
        play->holder[i] = late ? NONE : i;
        play->one[i] = (struct one){.activity = late ? ABSENT : FREE, .w = zeroed(play->d)};
        for (enum happening happening = PUSHED; happening <= CAME; happening++)
            expect(play, i, happening, (double)INFINITY);
        expect(play, i, CAME, late ? play->spec->joins_s[i] : (double)INFINITY);
        expect(play, i, LEFT, play->spec->leaves_s[i]);
        if (!late)
            expect_failure(play, i);
    }
    play->result->step[0] = (struct pushes_step){.loss = twin_objective(play->spec->problem, play->w)};
}

/* Workers heard in the round. */
static size_t responders(const struct play *play) {
    size_t count = 0;
    for (size_t i = 0; i < play->n; i++)
        for (size_t q = play->opened; q < play->heard; q++)
            if (play->inbox[q].worker == i) {
                count++;
                break;
            }
    return count;
}

struct pushes_result *pushes_run(const struct pushes_spec *spec) {
    struct pushes_result *result = calloc(1, sizeof *result);
    struct play *play = calloc(1, sizeof *play);
    *play = (struct play){.spec = spec, .result = result, .n = spec->workers, .d = spec->problem->features};
    result->step = calloc(spec->steps + 1, sizeof *result->step);
    result->worker = calloc(spec->workers, sizeof *result->worker);
    start(play);
    while (play->t < spec->steps) {
        open(play);
        if (!listen(play)) {
            result->stalled = true;
            break;
        }
        struct pushes_step row = {.responders = responders(play)};
        bool updates = choose_pushes(play, &row);
        if (updates)
            update_model(play, &row);
        pass(play, play->now_s + (updates ? spec->master_s : 0));
        play->t += updates;
        row.time_s = play->opened_s;
        row.aggregation_s = play->opened_s - play->first_s;
        if (updates)
            result->step[play->t] = row;
    }
    result->steps = play->t;
    end(play);
    free(play);
    return result;
}

void pushes_result_free(struct pushes_result *result) {
    free(result->step);
    free(result->worker);
    free(result);
}
