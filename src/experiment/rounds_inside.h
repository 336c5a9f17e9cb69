/* rounds_inside.h: the inside of a run by rounds, shared by rounds.c (the clock and the rows) and rounds_book.c (what
 * every worker's seconds were good for).
 *
 * A worker's task in a round that opened at T ends at T + its seconds. It was heard when that is no later than the k-th such
 * time, ties going to the lower worker; finished when it is no later than the next opening; else it is dropped there. */
#ifndef LAGGARD_ROUNDS_INSIDE_H
#define LAGGARD_ROUNDS_INSIDE_H
#include "backlog.h"
#include "beta_rounds.h"
#include "earliest.h"
#include "ledger.h"
#include "progress.h"
#include "rounds.h"
#include "steady.h"

/* Workers whose sums stand in registers; every array by worker, and the last row, has room for as many more. */
enum { BOOKED_AT_ONCE = 8 };

/* A round that is over. */
struct closed_round {
    double opened_s, closed_s, next_s;
    double first_s; /* its first arrival, where late tasks are not cancelled */
    uint32_t step;
    uint32_t recovered; /* partitions in its estimate */
    bool ties;          /* workers that were not heard may have finished by its end */
};

/* Who was heard, in the order of arrival, and what the scheme makes of it. */
struct hearers {
    struct arrival {
        double time_s;
        uint32_t worker;
    } * arrival;             /* [k] */
    struct message *message; /* [k], by worker */
    uint32_t *place;         /* [workers]: of its message */
    struct decoding decoding;
    uint32_t *fresh; /* [partitions]: 1 + the last round whose estimate had it */
};

struct rounds {
    struct trial_spec spec;
    const struct scheme *scheme;
    const void *params;
    struct setting setting;
    struct limits limits;
    struct arena *arena;
    void *state; /* the scheme's */
    uint32_t workers, k;
    uint32_t evaluations; /* of a task */
    uint32_t *partition;  /* [workers * evaluations] */
    /* All that are heard are used, and all partitions differ: it does not matter who they are. */
    bool counts;
    uint32_t recovered; /* by every round, where it does not matter who is heard */
    struct beta_rounds
        *beta; /* NULL: every worker's time is drawn; else the k-th alone, and nobody's seconds are known */
    struct backlog *backlog; /* NULL: late tasks are cancelled */
    struct steady *steady;
    struct earliest *earliest;
    size_t row, capacity;       /* of a round's seconds; rounds that are drawn at once */
    double *seconds;            /* [capacity * row] */
    double *kth, *next;         /* [capacity] */
    struct closed_round *round; /* [capacity] */
    struct hearers hearers;

    /* By worker. */
    double *evaluated_s[USES]; /* as struct spending has them; [USE_STALE] is not there */
    double *dropped_s;         /* of tasks without an end */
    double *heard;             /* rounds in which it was */
    uint32_t *finished;        /* rounds in which it was not heard but came to an end */
    uint32_t *used;            /* rounds */
    bool *silent, *unended;    /* not heard, not ended in the last round */
    struct step_times took;    /* by the steps */
    double end_s;              /* of the run */
    bool unclear;              /* times do not tell what came first: events must */
    bool hangs;                /* its last round never closed: */
    size_t hanging;            /* the one in this row */
    struct result *result;
};

/* Books the rounds whose seconds stand in rows 0 to `rounds` - 1. */
void rounds_book(struct rounds *rounds, size_t count);
/* Books what was heard in the round of row `r`: `arrival` holds it in the order of workers. */
void rounds_book_heard(struct rounds *rounds, size_t r);
/* Books the one in row `r`, which opened at `opened_s` and will not close; returns when its last task ended. */
double rounds_book_stalled(struct rounds *rounds, size_t r, double opened_s);
#endif
