/* swift_inside.h: the inside of runs of pushes without the event queue, shared by swift_pushes.c (one event at a time),
 * swift_windows.c (who finishes when within a window of time) and swift_strides.c (what those finishes are for the run). */
#ifndef LAGGARD_SWIFT_INSIDE_H
#define LAGGARD_SWIFT_INSIDE_H
#include "steady.h"
#include "swift.h"
#include "time_order.h"
#include "tournament.h"

enum { AHEAD = DRAW_RUN }; /* tasks of a worker drawn in one go */

struct pusher {
    double begun_s, seconds; /* of its task */
    double busy_s;
    uint32_t tasks;  /* begun */
    uint32_t pushes; /* heard: its clock */
};

struct race {
    struct trial *trial;
    uint32_t workers, lead;
    struct tournament finishes;
    struct pusher *pusher; /* [workers] */
    uint32_t *version;     /* [workers]: of the model of its task */
    struct steady *steady; /* NULL: tasks are drawn one at a time */
    double *seconds;       /* [workers * AHEAD]: of the tasks */
    double now_s;
    /* Those that finished at this instant and wait while the round of another is closed, a ring. */
    uint32_t *arrived, first, arrivals;
    bool gathered; /* since the present round was closed */
    /* With a bound to the lead. */
    uint32_t *at; /* [lead + 2]: workers whose clock it is, by its remainder */
    uint32_t slowest;
    uint32_t *resting, rests; /* those who may not begin yet */
    double useful_s, stale_s;
    struct strides *strides; /* NULL: the run goes one event at a time */
    uint32_t single,
        patience; /* events that go one at a time before the next strides; how many did before the last */
};

static inline bool race_bounded(const struct race *race) {
    return race->lead != ANY_LEAD;
}
/* Whether the worker computes; else it rests. */
static inline bool race_computes(const struct race *race, uint32_t worker) {
    return race->pusher[worker].tasks > race->pusher[worker].pushes;
}
static inline double *race_seconds(const struct race *race, uint32_t worker, uint32_t task) {
    return &race->seconds[(size_t)worker * AHEAD + task % AHEAD];
}

/* Numbers of pushes, with a bound to the lead, that are told apart at a time: a power of two. Workers are up to lead + 1 pushes
 * apart, and look back as far. */
static inline uint32_t race_levels(const struct race *race) {
    uint32_t levels = 4;
    while (levels < 2 * race->lead + 3)
        levels *= 2;
    return levels;
}

/* swift_pushes.c */
/* Fills `at`: all workers' clocks are from the slowest on. */
void race_count_clocks(struct race *race);

/* swift_windows.c: all that finishes in a window of time, found worker by worker. As long as every task takes some time, a
 * worker's finishes depend on no others' but for the bound to the lead: it begins anew when it has pushed, or when the last
 * has pushed as often as the bound asks for. */

/* What was computed when a worker finished. */
struct finish {
    double begun_s;
    double busy_s; /* before */
    double seconds;
    uint32_t pushes; /* with this one */
};
struct windows;
/* At most so many finishes in a window. */
struct windows *windows_new(struct race *race, size_t most);
void windows_free(struct windows *windows);
/* The race stands between two events, nobody has arrived. */
void windows_enter(struct windows *windows);
/* Finds the finishes from the end of the last window on, or from when nobody finished in between, to before the end of this one;
 * false, and nothing happened, where they are too many or a task takes no time. */
bool windows_find(struct windows *windows, const struct time_span *span);
size_t windows_count(const struct windows *windows);
/* Some task took no time. */
bool windows_blocked(const struct windows *windows);
/* Takes back what was found last. */
void windows_undo(struct windows *windows);
/* What was found, in the order of (time, worker): `place` in `finish`. */
struct found {
    size_t count;
    const struct due *due;
    const struct finish *finish;
};
struct found windows_take(struct windows *windows);
/* The earliest finish that is to come; INFINITY: none is. */
double windows_next(const struct windows *windows);

/* swift_strides.c: whole windows at a time. */
struct strides *strides_new(struct race *race);
void strides_free(struct strides *strides);
/* As far as there are whole windows before the end of the run; then the race is between two events. False: it was a task of no
 * time that ended it. */
bool strides_go(struct strides *strides);
#endif
