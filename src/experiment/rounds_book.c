#include "cloned.h"
#include "elementary.h"
#include "rounds_inside.h"
#include <math.h>
#include <string.h>

struct stretch {
    const struct closed_round *round;
    size_t rounds, row;
    const double *seconds;
};

/* What is booked of some workers. */
struct lanes {
    double useful[BOOKED_AT_ONCE], dropped[BOOKED_AT_ONCE], heard[BOOKED_AT_ONCE];
};

INLINED void book_lanes(const struct stretch *stretch, size_t first, struct lanes *lanes) {
    for (size_t r = 0; r < stretch->rounds; r++) {
        const double *seconds = stretch->seconds + r * stretch->row + first;
        const struct closed_round *round = &stretch->round[r];
        const double opened_s = round->opened_s, closed_s = round->closed_s;
        const double lost_s = round->next_s - opened_s;
        LANE_LOOP
        for (size_t l = 0; l < BOOKED_AT_ONCE; l++) {
            const bool heard = opened_s + seconds[l] <= closed_s;
            lanes->useful[l] += heard ? seconds[l] : 0;
            lanes->dropped[l] += heard ? 0 : lost_s;
            lanes->heard[l] += heard ? 1 : 0;
        }
    }
}

/* Rounds in which all that were not heard were dropped, and all that were heard were useful. The sums of some workers stay
 * in registers from round to round; those that fill up a row get nonsense, which nobody reads. */
CLONED static void book_stretch(struct rounds *rounds, const struct stretch *stretch) {
    for (size_t i = 0; i < rounds->workers; i += BOOKED_AT_ONCE) {
        double *useful = rounds->evaluated_s[USE_USEFUL] + i, *dropped = rounds->dropped_s + i;
        struct lanes lanes;
        memcpy(lanes.useful, useful, sizeof lanes.useful);
        memcpy(lanes.dropped, dropped, sizeof lanes.dropped);
        memcpy(lanes.heard, rounds->heard + i, sizeof lanes.heard);
        book_lanes(stretch, i, &lanes);
        memcpy(useful, lanes.useful, sizeof lanes.useful);
        memcpy(dropped, lanes.dropped, sizeof lanes.dropped);
        memcpy(rounds->heard + i, lanes.heard, sizeof lanes.heard);
    }
}

static const double *row_of(const struct rounds *rounds, size_t r) {
    return rounds->seconds + r * rounds->row;
}

/* Of those that come to an end at the very close, so many are heard: the first ones by index. */
static uint32_t heard_at_close(const struct rounds *rounds, const struct closed_round *round,
                               const double *seconds) {
    uint32_t before = 0;
    for (uint32_t i = 0; i < rounds->workers; i++)
        before += round->opened_s + seconds[i] < round->closed_s;
    return rounds->k - before;
}

void rounds_note_arrival(struct rounds *rounds, uint32_t arrival, double time_s, uint32_t worker) {
    rounds->hearers.order.due[arrival] = (struct due){.time = elementary_bits(time_s), .worker = worker};
}

/* Marks who is silent and books what they spent; the rest are noted as arrivals. */
static void book_silent(struct rounds *rounds, const struct closed_round *round, const double *seconds) {
    uint32_t at_close = heard_at_close(rounds, round, seconds), heard = 0;
    for (uint32_t i = 0; i < rounds->workers; i++) {
        double ended_s = round->opened_s + seconds[i];
        bool hears = ended_s < round->closed_s || (ended_s <= round->closed_s && at_close > 0);
        at_close -= hears && ended_s >= round->closed_s;
        rounds->silent[i] = !hears;
        if (hears) {
            rounds_note_arrival(rounds, heard++, ended_s, i);
            rounds->heard[i]++;
        } else if (ended_s <= round->next_s) {
            rounds->evaluated_s[USE_DISCARDED][i] += rounds->evaluations * (seconds[i] / rounds->evaluations);
            rounds->finished[i]++;
        } else {
            rounds->dropped_s[i] += round->next_s - round->opened_s;
        }
    }
}

/* The scheme hears them as they came and chooses. */
static void ask(struct rounds *rounds, struct closed_round *round) {
    struct hearers *hearers = &rounds->hearers;
    const struct scheme *scheme = rounds->scheme;
    hearers->decoding.residual = hearers->decoding.largest_weight = (double)NAN;
    scheme->open(rounds->state, round->step, round->step);
    for (uint32_t a = 0; scheme->hear && a < rounds->k; a++)
        scheme->hear(rounds->state, &hearers->message[hearers->place[hearers->arrival[a].worker]]);
    scheme->choose(rounds->state, hearers->message, rounds->k, &hearers->decoding);
    round->recovered = hearers->decoding.recovered;
}

/* Messages by worker, and arrivals by time where that matters; every message is used unless the scheme says otherwise. */
static void line_up(struct rounds *rounds, const struct closed_round *round) {
    struct hearers *hearers = &rounds->hearers;
    struct time_span span = {round->closed_s, round->closed_s};
    for (uint32_t m = 0; m < rounds->k; m++) {
        const struct due *due = &hearers->order.due[m];
        const double time_s = elementary_from_bits(due->time);
        hearers->message[m] =
            (struct message){.worker = due->worker, .step = round->step, .arrived_s = time_s};
        hearers->place[due->worker] = m;
        hearers->decoding.weight[m] = 1;
        span.since_s = fmin(span.since_s, time_s);
    }
    hearers->arrival = hearers->order.due;
    if (rounds->counts && !rounds->scheme->hear)
        return;
    time_order_sort(&hearers->order, rounds->k, &span);
    hearers->arrival = hearers->order.sorted;
}

/* Partitions of the worker's task that no message before it had in this estimate. */
static uint32_t new_partitions(struct rounds *rounds, uint32_t worker, uint32_t step) {
    const uint32_t *partition = rounds->partition + (size_t)worker * rounds->evaluations;
    uint32_t found = 0;
    for (uint32_t e = 0; e < rounds->evaluations; e++) {
        uint32_t *fresh = &rounds->hearers.fresh[partition[e]];
        found += *fresh != step + 1;
        *fresh = step + 1;
    }
    return found;
}

static void book_heard(struct rounds *rounds, const struct closed_round *round, uint32_t worker,
                       double seconds) {
    double each_s = seconds / rounds->evaluations;
    double weight = rounds->hearers.decoding.weight[rounds->hearers.place[worker]];
    if (weight < 0 || weight > 0) {
        uint32_t fresh = new_partitions(rounds, worker, round->step);
        rounds->evaluated_s[USE_USEFUL][worker] += fresh * each_s;
        rounds->evaluated_s[USE_REDUNDANT][worker] += (rounds->evaluations - fresh) * each_s;
        rounds->used[worker]++;
    } else {
        rounds->evaluated_s[USE_DISCARDED][worker] += rounds->evaluations * each_s;
    }
}

void rounds_book_heard(struct rounds *rounds, size_t r) {
    struct closed_round *round = &rounds->round[r];
    const double *seconds = row_of(rounds, r);
    if (rounds->counts && !rounds->asks) {
        for (uint32_t m = 0; m < rounds->k; m++) {
            uint32_t i = rounds->hearers.order.due[m].worker;
            rounds->evaluated_s[USE_USEFUL][i] += seconds[i];
        }
        return;
    }
    line_up(rounds, round);
    if (rounds->asks)
        ask(rounds, round);
    for (uint32_t a = 0; a < rounds->k; a++) {
        uint32_t i = rounds->hearers.arrival[a].worker;
        book_heard(rounds, round, i, seconds[i]);
    }
}

/* A round in which it matters who is heard. */
void rounds_book_apart(struct rounds *rounds, size_t r) {
    book_silent(rounds, &rounds->round[r], row_of(rounds, r));
    rounds_book_heard(rounds, r);
}

/* Tasks that began together and may end after some time. */
struct endings {
    const double *seconds;
    size_t tasks;
    double begun_s, after_s;
};

CLONED static void mark_later(struct endings of, bool *restrict later) {
    for (size_t i = 0; i < of.tasks; i++)
        later[i] = of.begun_s + of.seconds[i] > of.after_s;
}

/* Who was late in the last of the rounds, and who was still at work as it was over. */
static void mark_last(struct rounds *rounds, size_t r) {
    const struct closed_round *round = &rounds->round[r];
    struct endings of = {row_of(rounds, r), rounds->workers, round->opened_s, round->next_s};
    mark_later(of, rounds->unended);
    of.after_s = round->closed_s;
    if (rounds->counts && !round->ties)
        mark_later(of, rounds->silent);
}

static void book_together(struct rounds *rounds, size_t count) {
    for (size_t r = 0; r < count;) {
        size_t first = r;
        while (r < count && rounds->counts && !rounds->round[r].ties)
            r++;
        struct stretch stretch = {&rounds->round[first], r - first, rounds->row, row_of(rounds, first)};
        if (stretch.rounds > 0)
            book_stretch(rounds, &stretch);
        if (r < count)
            rounds_book_apart(rounds, r++);
    }
}

void rounds_book(struct rounds *rounds, size_t count) {
    if (!rounds->asks)
        book_together(rounds, count);
    if (count > 0)
        mark_last(rounds, count - 1);
}

double rounds_book_stalled(struct rounds *rounds, size_t r, double opened_s) {
    const double *seconds = row_of(rounds, r);
    double end_s = opened_s;
    for (uint32_t i = 0; i < rounds->workers; i++)
        if (isfinite(seconds[i]))
            end_s = fmax(end_s, opened_s + seconds[i]);
    for (uint32_t i = 0; i < rounds->workers; i++) {
        rounds->unended[i] = !isfinite(seconds[i]);
        if (rounds->unended[i])
            rounds->dropped_s[i] += end_s - opened_s;
        else
            rounds->evaluated_s[USE_DISCARDED][i] += rounds->evaluations * (seconds[i] / rounds->evaluations);
    }
    return end_s;
}
