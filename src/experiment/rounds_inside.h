/* rounds_inside.h: the inside of a run by rounds, shared by rounds.c (the clock), rounds_book.c (what every worker's seconds
 * were good for), rounds_learn.c (what the messages make of the model) and rounds_report.c (rows).
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
#include "steady.h"
#include "time_order.h"
#include "way.h"

/* Workers whose sums stand in registers; every array by worker, and the last row, has room for as many more. */
enum { BOOKED_AT_ONCE = 8 };

/* A round that is over. */
struct closed_round {
    double opened_s, closed_s, next_s;
    double first_s; /* its first arrival, where late tasks are not cancelled */
    uint32_t step;
    uint32_t recovered; /* partitions in its estimate */
    bool ties;          /* workers that were not heard may have finished by its end */
    uint32_t recorded;  /* the step that it ends and whose row is wanted; 0: none */
    double loss;        /* F as it ends that step */
};

/* Who was heard, and what the scheme makes of it. */
struct hearers {
    struct time_order order;   /* of the k arrivals, as they are booked: by worker */
    const struct due *arrival; /* [k]: in the order in which they are told, by time where that matters */
    struct message *message;   /* [k], by worker */
    uint32_t *place;           /* [workers]: of its message */
    struct decoding decoding;
    uint32_t *fresh; /* [partitions]: 1 + the last round whose estimate had it */
};

/* What is learned: estimates are made as each round is over. */
struct lesson {
    struct objective objective;
    struct trajectory *trajectory; /* NULL: it shares no versions with others */
    struct learner *learner;       /* NULL: only time counts */
    bool exact;                    /* whoever is heard: the full gradient */
    uint32_t accumulate;           /* estimates that make an update */
    double initial_loss;
    struct term *term; /* [limits.terms] */
    struct gradient_term *gradient_term;
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
    /* All that are heard are used, and all partitions differ: it does not matter who they are… */
    bool counts;
    /* …but the scheme must be asked what it makes of them, round by round. */
    bool asks;
    uint32_t recovered; /* by every round, where it does not matter who is heard */
    struct beta_rounds
        *beta; /* NULL: every worker's time is drawn; else the k-th alone, and nobody's seconds are known */
    struct backlog *backlog; /* NULL: late tasks are cancelled */
    struct steady *steady;
    struct earliest *earliest;
    size_t row, capacity;       /* of a round's seconds; rounds that are drawn at once */
    double *seconds;            /* [capacity * row] */
    double *kth, *next;         /* [capacity] */
    double *took_s;             /* [capacity]: by rounds, where nothing matters but time */
    struct closed_round *round; /* [capacity] */
    struct hearers hearers;
    struct lesson lesson;

    /* Where it is. */
    struct progress progress;
    enum status status;
    bool begun;           /* row 0 is written */
    size_t drawn, closed; /* rounds that were drawn at once, and those of them that are over */
    bool due;             /* the last of those ends a step, whose model is to be looked at */
    uint32_t ended;       /* rounds that are over, all in all */

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

/* Books the rounds whose seconds stand in rows 0 to `count` - 1, but for what was booked round by round. */
void rounds_book(struct rounds *rounds, size_t count);
/* Books the one in row `r`, in which it matters who is heard; the scheme is asked if it must be. */
void rounds_book_apart(struct rounds *rounds, size_t r);
/* Notes the next of the arrivals of a round, by worker. */
void rounds_note_arrival(struct rounds *rounds, uint32_t arrival, double time_s, uint32_t worker);
/* Books what was heard in the round of row `r`, whose arrivals were noted. */
void rounds_book_heard(struct rounds *rounds, size_t r);
/* Books the one in row `r`, which opened at `opened_s` and will not close; returns when its last task ended. */
double rounds_book_stalled(struct rounds *rounds, size_t r, double opened_s);

void rounds_learn_begin(struct rounds *rounds);
void rounds_learn_end(struct rounds *rounds);
/* The round in row `r`, which is booked if the scheme is asked, makes its estimate. Whether that moves the model. */
bool rounds_learn(struct rounds *rounds, size_t r);

/* The rows of the steps that ended in the rounds in rows 0 to `count` - 1. */
void rounds_add_rows(struct rounds *rounds, size_t count);
/* The row of the run and those of its workers. */
void rounds_report(struct rounds *rounds);
/* By worker, with room for as many more as are booked at once. */
void *rounds_for_workers(struct rounds *rounds, size_t size);
#endif
