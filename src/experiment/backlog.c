#include "backlog.h"
#include "cloned.h"
#include "memory.h"
#include "rounds_inside.h"
#include <math.h>
#include <stdlib.h>

/* A task that its round closed without. */
struct late_task {
    double start_s, end_s, seconds;
};

/* Those of a worker that have not been booked, in order: task[first] to task[last - 1]. */
struct line {
    struct late_task *task;
    uint32_t first, last, capacity;
    uint32_t now, most; /* see backlog_now, backlog_most */
};

struct backlog {
    uint32_t workers;
    double *start_s, *end_s; /* [workers]: of the task sent last */
    struct line *line;       /* [workers] */
};

struct backlog *backlog_new(uint32_t workers) {
    struct backlog *backlog = memory_zeroed(1, sizeof *backlog);
    backlog->workers = workers;
    backlog->start_s = memory_zeroed(workers, sizeof *backlog->start_s);
    backlog->end_s = memory_zeroed(workers, sizeof *backlog->end_s);
    backlog->line = memory_zeroed(workers, sizeof *backlog->line);
    return backlog;
}

void backlog_free(struct backlog *backlog) {
    if (!backlog)
        return;
    for (uint32_t i = 0; i < backlog->workers; i++)
        free(backlog->line[i].task);
    free(backlog->line);
    free(backlog->start_s);
    free(backlog->end_s);
    free(backlog);
}

CLONED static void line_up(double *restrict start_s, double *restrict end_s, const double *restrict seconds,
                           double opened_s, size_t workers) {
    for (size_t i = 0; i < workers; i++) {
        start_s[i] = end_s[i] > opened_s ? end_s[i] : opened_s;
        end_s[i] = start_s[i] + seconds[i];
    }
}

double backlog_send(struct rounds *rounds, size_t r, double opened_s) {
    struct backlog *backlog = rounds->backlog;
    struct value_rows ends = {
        .value = backlog->end_s, .rows = 1, .stride = backlog->workers, .since = opened_s};
    double closed_s, next_s;
    line_up(backlog->start_s, backlog->end_s, rounds->seconds + r * rounds->row, opened_s, backlog->workers);
    earliest_find(rounds->earliest, &ends, &closed_s, &next_s);
    return closed_s;
}

static void add_task(struct line *line, struct late_task task) {
    if (line->last == line->capacity && line->first > 0) {
        for (uint32_t q = line->first; q < line->last; q++)
            line->task[q - line->first] = line->task[q];
        line->last -= line->first;
        line->first = 0;
    }
    /* Twice what is there, so that tasks are seldom moved. */
    if (2 * line->last >= line->capacity) {
        line->capacity = 2 * line->capacity + 4;
        line->task = memory_resized(line->task, line->capacity, sizeof *line->task);
    }
    line->task[line->last++] = task;
}

/* Which tasks have ended when: before a time; or then too; or then too unless they only begin then, as nothing is begun at the
 * very end of a round. */
enum ended { BEFORE, BY, BY_UNLESS_BEGUN_THEN };

static bool has_ended(const struct late_task *task, double now_s, enum ended ended) {
    if (task->end_s < now_s || task->end_s > now_s)
        return task->end_s < now_s;
    return ended == BY || (ended == BY_UNLESS_BEGUN_THEN && task->start_s < now_s);
}

/* Books the worker's late tasks that have ended. */
static void pass(struct rounds *rounds, uint32_t worker, double now_s, enum ended ended) {
    struct line *line = &rounds->backlog->line[worker];
    for (; line->first < line->last; line->first++) {
        const struct late_task *task = &line->task[line->first];
        if (!has_ended(task, now_s, ended))
            return;
        rounds->evaluated_s[USE_DISCARDED][worker] +=
            rounds->evaluations * (task->seconds / rounds->evaluations);
        rounds->finished[worker]++;
    }
    line->first = line->last = 0;
}

static void note_length(struct line *line) {
    line->now = line->last - line->first;
    line->most = line->now > line->most ? line->now : line->most;
}

/* The last worker that is heard at the very close: what ends then and comes before it has ended by the close. */
static uint32_t last_at_close(const struct rounds *rounds, double closed_s) {
    const double *end_s = rounds->backlog->end_s;
    uint32_t left = rounds->k, i = 0;
    for (uint32_t q = 0; q < rounds->workers; q++)
        left -= end_s[q] < closed_s;
    for (;; i++)
        if (end_s[i] >= closed_s && end_s[i] <= closed_s && --left == 0)
            return i;
}

void backlog_book(struct rounds *rounds, size_t r) {
    struct backlog *backlog = rounds->backlog;
    const double *seconds = rounds->seconds + r * rounds->row;
    double closed_s = rounds->round[r].closed_s, first_s = closed_s;
    uint32_t last = last_at_close(rounds, closed_s), heard = 0;
    for (uint32_t i = 0; i < rounds->workers; i++) {
        struct line *line = &backlog->line[i];
        double end_s = backlog->end_s[i];
        if (line->first < line->last) {
            pass(rounds, i, rounds->round[r].opened_s, BY_UNLESS_BEGUN_THEN);
            pass(rounds, i, closed_s, i <= last ? BY : BEFORE);
        }
        if (end_s < closed_s || (end_s <= closed_s && i <= last)) {
            rounds_note_arrival(rounds, heard++, end_s, i);
            first_s = fmin(first_s, end_s);
            rounds->heard[i]++;
            line->now = 0;
        } else {
            add_task(line, (struct late_task){backlog->start_s[i], end_s, seconds[i]});
            note_length(line);
        }
    }
    rounds->round[r].first_s = first_s;
    rounds_book_heard(rounds, r);
}

double backlog_last(const struct backlog *backlog, double now_s) {
    double last_s = now_s;
    for (uint32_t i = 0; i < backlog->workers; i++) {
        const struct line *line = &backlog->line[i];
        for (uint32_t q = line->first; q < line->last; q++)
            if (isfinite(line->task[q].end_s))
                last_s = fmax(last_s, line->task[q].end_s);
        if (isfinite(backlog->end_s[i]))
            last_s = fmax(last_s, backlog->end_s[i]);
    }
    return last_s;
}

/* Of a round that never closed all tasks are late. */
static void add_hanging(struct rounds *rounds, size_t r) {
    struct backlog *backlog = rounds->backlog;
    for (uint32_t i = 0; i < rounds->workers; i++)
        add_task(&backlog->line[i], (struct late_task){backlog->start_s[i], backlog->end_s[i],
                                                       rounds->seconds[r * rounds->row + i]});
}

void backlog_end(struct rounds *rounds, double end_s) {
    if (rounds->hangs)
        add_hanging(rounds, rounds->hanging);
    for (uint32_t i = 0; i < rounds->workers; i++) {
        struct line *line = &rounds->backlog->line[i];
        pass(rounds, i, end_s, rounds->hangs ? BY : BY_UNLESS_BEGUN_THEN);
        if (line->first < line->last && line->task[line->first].start_s < end_s)
            rounds->dropped_s[i] += end_s - line->task[line->first].start_s;
    }
}

uint32_t backlog_now(const struct backlog *backlog, uint32_t worker) {
    return backlog->line[worker].now;
}

uint32_t backlog_most(const struct backlog *backlog, uint32_t worker) {
    return backlog->line[worker].most;
}
