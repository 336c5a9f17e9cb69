/* moment.h: what happens in a run, moment by moment, as events.csv lists it: the names of the events, and a list of
 * them that grows up to a limit. Knows no clock and no rule: it is told. */
#ifndef LAGGARD_MOMENT_H
#define LAGGARD_MOMENT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum moment_kind {
    MOMENT_OPEN,
    MOMENT_SENT,
    MOMENT_MODEL,
    MOMENT_START,
    MOMENT_DELAY,
    MOMENT_FINISH,
    MOMENT_HEARD,
    MOMENT_LATE,
    MOMENT_CLOSE,
    MOMENT_USED,
    MOMENT_UNUSED,
    MOMENT_UPDATE,
    MOMENT_DROPPED,
    MOMENT_MISSING,
    MOMENT_DOWN,
    MOMENT_UP,
    MOMENT_GONE,
    MOMENT_ABSENT,
    MOMENT_JOIN,
    MOMENT_WARMUP_START,
    MOMENT_WARMUP_FINISH,
    MOMENT_END,
};
enum { MOMENTS = MOMENT_END + 1 };

struct moment_type {
    const char *name;    /* in events.csv */
    const char *words;   /* what happens, after the worker or the master is named */
    const char *meaning; /* what else to know of it; "" : nothing */
    bool of_part;        /* of a part of a task */
    bool marked;         /* a timeline marks the moment: its stretches do not tell it */
};
extern const struct moment_type moment_types[MOMENTS];
/* The kind of that name, or MOMENTS. */
enum moment_kind moment_named(const char *name);

/* Events kept at most. */
#define MOMENTS_MAX 10000000u

struct moment {
    double time_s;
    uint32_t worker; /* UINT32_MAX: the master's */
    uint32_t step;   /* of the round, the task or the model, from 0; UINT32_MAX: of none */
    uint32_t kind;   /* enum moment_kind */
    uint32_t part;   /* of the task */
    uint32_t rank;   /* in the order in which they were told; set by moment_log_add */
};

struct moment_log {
    struct moment *moment; /* after moment_log_settle in the order of time, equal ones as they were told */
    size_t count, capacity;
    size_t lost; /* those beyond MOMENTS_MAX */
    bool unordered;
};
void moment_log_fini(struct moment_log *moments);
void moment_log_add(struct moment_log *moments, struct moment moment);
/* Puts them in order and drops what is later than the END, if there is one. */
void moment_log_settle(struct moment_log *moments);
#endif
