/* trial_state.h: the inside of a trial, shared by trial.c (the loop), round.c (events and rounds), tasks.c (what workers
 * do), learn.c (updates), effective.c (what is in an estimate), audit.c (what it is worth) and report.c (rows). */
#ifndef LAGGARD_TRIAL_STATE_H
#define LAGGARD_TRIAL_STATE_H
#include "learner.h"
#include "ledger.h"
#include "mailbox.h"
#include "moment.h"
#include "run_sizes.h"
#include "trial.h"

/* A part of the task that a worker is on. */
struct seat_part {
    uint32_t first, evaluations; /* of the task's */
};

/* Without a barrier: what an idle worker still lacks to begin the task it was told to begin. */
enum start {
    START_NOTHING,
    START_WORKER,
    START_CLOCK
}; /* nothing to begin; it is down or not there; down, with its model */

/* One worker as the master knows it. */
struct seat {
    uint32_t models;        /* received: 1 + the round of the newest */
    uint32_t next_step;     /* the first round whose task it has not begun or jumped over */
    uint32_t begun;         /* the round of the task that it began last */
    struct task task;       /* the one it is on; its lists are the trial's */
    struct seat_part *part; /* [parts] */
    uint32_t *order;        /* [parts]: which part is done first, second, … */
    double *done_s;         /* [parts]: when those are done, in seconds of computing */
    double *delay_s;        /* [parts]: how much of those is delay; NULL: nobody asks what happens */
    double part_begun_s;    /* when it began the part it is on */
    uint32_t ended;         /* parts whose computing has ended */
    uint32_t finishing;     /* parts whose computing leaves one upload: 1, or all that are sent together */
    bool computing, uploading;
    double up_at_mark_s; /* seconds it had been up when the time of its uploads was last booked */
    bool joined;         /* it was there at the start or has joined since */
    bool asked;          /* it was sent the present model */
    uint32_t heard;      /* parts, in this round */
    enum start start;
    double done;             /* share of the part it stopped at when the master collected */
    uint32_t sent, finished; /* tasks, over the run */
    struct worker_row row;
};

struct trial;

/* Who gets which task when: by rounds, or as the scheme says. */
struct tasking {
    /* A round has opened. */
    void (*open)(struct trial *trial);
    /* After an event, and once as the round opens (NULL): what the wait rule says. */
    struct verdict (*listen)(struct trial *trial, const struct event *event);
    /* The model of `step` is with the worker. */
    void (*model)(struct trial *trial, uint32_t worker, uint32_t step, double now_s);
    /* The worker was repaired or has joined. */
    void (*up)(struct trial *trial, uint32_t worker, double now_s);
    /* A result has reached the master. */
    void (*arrived)(struct trial *trial, const struct event *event);
    /* The worker may have become free for a task. */
    void (*dispatch)(struct trial *trial, uint32_t worker, double now_s);
    /* Whether the worker, which is down, will begin a task once it is repaired. */
    bool (*due)(const struct trial *trial, uint32_t worker);
    /* What is counted of a round that is closed. */
    void (*count)(struct trial *trial);
};
extern const struct tasking tasking_by_rounds, tasking_at_will;

struct trial {
    struct trial_spec spec;
    const struct tasking *tasking;
    const struct scheme *scheme;
    const void *params;
    struct setting setting;
    struct limits limits;
    uint32_t pieces; /* that the scheme's partitions are cut into, all in all */
    enum status status;
    struct arena *arena;
    void *state; /* the scheme's */
    struct cluster *cluster;
    uint32_t models;
    struct objective objective; /* the scenario's, in the parts whose gradients make an update */
    struct objective pieces_of; /* the same, cut as the scheme cuts it where messages are decoded */
    struct learner **learner;   /* [models]; NULL: timing only */
    struct ledger *ledger;
    struct audit *audit;         /* NULL: not asked for */
    struct effective *effective; /* NULL: estimates are not all made of their messages */
    struct result *result;
    struct moment_log *moments; /* the result's; NULL: nobody asks what happens */

    struct seat *seat; /* [workers] */
    struct mailbox mailbox;
    struct gradient_term *gradient_term; /* [limits.terms] */
    struct term *kept;                   /* [limits.kept]: scratch */

    uint32_t round;        /* that is open, or opens next */
    uint32_t step;         /* updates made: t */
    uint32_t trace_rounds; /* rounds that the traces have */
    double opened_s;       /* T_t */
    double closed_s;       /* C_t */
    double end_s;          /* of the run: T_t, or when the last task ended that a stalled round waited for */
    double first_s;        /* first arrival of the round; NAN before it */
    double start_s;        /* T_0 */
    uint32_t heard;        /* workers all of whose parts were heard in this round */
    uint32_t responders;   /* workers some of whose parts were */
    bool exhausted;        /* a worker needs a round that the traces do not have */
    bool listening;        /* the round is open and not closed */
    bool returned;         /* somebody who is to begin a task has come up since the round was closed */
    bool overrun;          /* the deadline of this round passed without a close */
    uint32_t fruitless;    /* rounds in a row without an update */
    struct decoding decoding;

    struct step_row row; /* of the update in progress */
    double initial_loss;
    double *step_seconds; /* [steps]: how long each took */
    size_t step_capacity;
    uint32_t standstill; /* updates in a row that took no time */
};

/* Tells what happens, if anybody asks. */
static inline void tell(const struct trial *trial, enum moment_kind kind, double time_s, uint32_t worker,
                        uint32_t step) {
    if (trial->moments)
        moment_log_add(trial->moments,
                       (struct moment){.time_s = time_s, .worker = worker, .step = step, .kind = kind});
}
static inline void tell_part(const struct trial *trial, enum moment_kind kind, double time_s,
                             const struct computed *of) {
    if (trial->moments)
        moment_log_add(
            trial->moments,
            (struct moment){
                .time_s = time_s, .worker = of->worker, .step = of->step, .part = of->part, .kind = kind});
}
#define THE_MASTER UINT32_MAX
#define NO_STEP    UINT32_MAX

/* tasks.c: a worker's task. */
void tasks_begin(struct trial *trial);
/* Takes the worker's task of `step` and draws its seconds; false: a trace has no measurement of it. */
bool task_take(struct trial *trial, uint32_t worker, uint32_t step);
/* An idle worker starts on what it took. */
void task_start(struct trial *trial, uint32_t worker, double now_s);
/* What it took has no measurement and is never computed. */
void task_note_missing(struct trial *trial, uint32_t worker, double now_s);
void task_note_finished(struct trial *trial, const struct event *event);
/* Its upload is over. */
void task_note_arrived(struct trial *trial, const struct event *event);
/* What the worker was busy with is lost: `spent_s` of computing, or the rest of an upload. */
void task_note_dropped(struct trial *trial, uint32_t worker, double spent_s, double now_s);
/* The worker stops and sends what it has done; false when it is not on a task of this round. */
bool task_collect(struct trial *trial, uint32_t worker, double now_s);
/* Seconds of [0, now] in which the worker was up. */
double task_up_seconds(const struct trial *trial, uint32_t worker, double now_s);
/* Parts of the worker's task: the messages it leaves. */
uint32_t task_parts(const struct task *task);
/* Books what is unfinished at the end. */
void tasks_end(struct trial *trial);

/* round.c: the master opens a round, listens until the wait rule closes it (false: it never can), and time goes on to
 * the next opening. */
bool round_warm_up(struct trial *trial);
/* What a wait rule may look at now. */
struct hearing round_hearing(const struct trial *trial, double now_s);
void round_open(struct trial *trial);
bool round_listen(struct trial *trial);
void round_advance(struct trial *trial);
/* Whether the open round has nothing to do. */
bool round_idle(const struct trial *trial);
void round_pass(struct trial *trial);
/* Whether no worker is there or will be. */
bool round_deserted(const struct trial *trial);
void round_end(struct trial *trial);

/* learn.c: what was heard becomes estimates, updates and the rows' facts. */
void learn_begin(struct trial *trial);
/* A round has opened: the gradients at its models that may be needed later are kept. */
void learn_open(struct trial *trial);
/* Without a barrier: the worker's next task has been taken; the gradients it computes are kept. */
void learn_task(struct trial *trial, uint32_t worker);
/* Updates that the closed round completes. */
uint32_t learn_completions(struct trial *trial);
void learn_update(struct trial *trial);
/* The mean of F over the models; NAN where only time counts. */
double learn_loss(const struct trial *trial);
void learn_end(struct trial *trial);

/* effective.c: where every estimate is made of its messages, what it holds of each partition: the sum over the messages
 * used of weight times coefficient, of any version; of a part of its rows, times their share. Of a scheme that solves
 * nothing the decode residual, which is how far such a sum is from 1, and the largest weight come from them. */
void effective_begin(struct trial *trial);
/* The messages of an update are weighed; nothing happens where they need not be. */
void effective_measure(struct trial *trial);
/* [partitions]: of the update that was measured last. */
const double *effective_weights(const struct trial *trial);

/* audit.c: every estimate made of messages against the full gradient at its round's opening; nothing happens where it was
 * not asked for. */
void audit_begin(struct trial *trial);
/* The learner of the model holds the estimate: fills the row's error and cosine. Once for every update, before it. */
void audit_update(struct trial *trial, uint32_t model);
void audit_end(struct trial *trial);

/* report.c: the row of the present step, the reasons to stop, the summary rows of the run. */
void report_step(struct trial *trial);
void report_fruitless_round(struct trial *trial);
void report_run(struct trial *trial);
#endif
