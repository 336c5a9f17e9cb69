/* trial_state.h: the inside of a trial, shared by trial.c (the loop), round.c (events and rounds), tasks.c (what workers
 * do), learn.c (updates), keep.c (gradients that are needed later), estimate.c (what messages make), ages.c and spread.c (of
 * gradients, of models), packing.c (compressed messages), effective.c (what is in an estimate), audit.c (what it is worth)
 * and report.c (rows). */
#ifndef LAGGARD_TRIAL_STATE_H
#define LAGGARD_TRIAL_STATE_H
#include "learner.h"
#include "ledger.h"
#include "mailbox.h"
#include "moment.h"
#include "progress.h"
#include "run_sizes.h"
#include "table_ages.h"
#include "trial.h"

/* A part of the task that a worker is on. */
struct seat_part {
    uint32_t first, evaluations; /* of the task's */
};

/* Without a barrier: what is still to come before a worker that was told to begin a task computes it. */
enum start {
    START_NOTHING, /* it computes, or was told nothing */
    START_WORKER,  /* the worker: it is down or not there */
    START_MODEL,   /* the model, which is on its way */
    START_CLOCK    /* the worker, which is down but has the model */
};

/* One worker as the master knows it. */
struct seat {
    uint32_t models;        /* received: 1 + the round of the newest */
    uint32_t next_step;     /* the first round whose task it has not begun or jumped over */
    uint32_t misses;        /* tasks without a measurement since the last one with one */
    uint32_t begun;         /* the round of the task that it began last */
    struct task task;       /* the one it is on; its lists are the trial's */
    struct seat_part *part; /* [parts] */
    uint32_t *order;        /* [parts]: which part is done first, second, … */
    double *done_s;         /* [parts]: when those are done, in seconds of computing */
    double *delay_s;        /* [parts]: how much of those is delay; NULL: nobody asks what happens */
    uint32_t merged;        /* parts before its last that the clock does not tell: see task_join */
    double merged_s;        /* when the first of them ends */
    double part_begun_s;    /* when it began the part it is on */
    uint32_t ended;         /* parts whose computing has ended */
    uint32_t finishing;     /* parts whose computing leaves one upload: 1, or all that are sent together */
    bool computing, uploading;
    double up_at_mark_s; /* seconds it had been up when the time of its uploads was last booked */
    bool joined;         /* it was there at the start or has joined since */
    bool asked;          /* it was sent the present model */
    uint32_t heard;      /* parts, in this round */
    uint32_t rounds;     /* without a barrier: up to and with the last one in which it was heard */
    enum start start;
    uint32_t version;        /* without a barrier: updates behind the last model that it was sent */
    bool has_model;          /* and that is there */
    double done;             /* share of the part it stopped at when the master collected */
    double model_loss;       /* F of the model that it was sent last, without a barrier */
    uint32_t sent, finished; /* tasks, over the run */
    struct worker_row row;
};

/* New gradients of a partition, or a piece of one, in the estimates of a run. */
struct partition_use {
    uint32_t count, last_step;
};

/* What a run does next. */
enum stage { STAGE_START, STAGE_ROUND, STAGE_UPDATE, STAGE_STEP };

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
    /* The worker is gone for good. NULL: nothing to note. */
    void (*gone)(struct trial *trial, uint32_t worker, double now_s);
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
    enum stage stage;
    struct arena *arena;
    void *state; /* the scheme's */
    struct cluster *cluster;
    uint32_t models;
    struct objective objective;    /* the scenario's, in the parts whose gradients make an update */
    struct objective pieces_of;    /* the same, cut as the scheme cuts it where messages are decoded */
    struct trajectory *trajectory; /* NULL: it shares no versions with others */
    struct learner **learner;      /* [models]; NULL: timing only */
    struct ledger *ledger;
    struct audit *audit;         /* NULL: not asked for */
    struct effective *effective; /* NULL: estimates are not all made of their messages */
    struct packing *packing;     /* NULL: messages go as they are computed */
    struct result *result;
    struct moment_log *moments; /* the result's; NULL: nobody asks what happens */

    struct seat *seat; /* [workers] */
    struct mailbox mailbox;
    struct gradient_term *gradient_term; /* [limits.terms, or of the table] */
    struct term *kept;                   /* [limits.kept]: scratch */
    struct term *table;                  /* [limits.table]: scratch */
    struct table_ages *table_ages;       /* NULL: the scheme has no table */
    struct partition_use *use;           /* [pieces]; NULL: nobody is ever away */

    uint32_t round;        /* that is open, or opens next */
    uint32_t updates, due; /* that the closed round completes, and those of them that are still to be made */
    uint32_t step;         /* estimates made: what versions count */
    uint32_t accumulate;   /* estimates that make an update */
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
    uint32_t used; /* workers whose messages make the present estimate */

    struct step_row row; /* of the update in progress */
    struct spread {
        double least, most; /* F of the models of the update in progress */
        uint32_t models;
    } spread;
    double initial_loss;
    struct step_times took; /* by the steps */
    uint32_t standstill;    /* updates in a row that took no time */
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

static inline struct gradient_key key_of(const struct term *term) {
    return (struct gradient_key){term->partition, term->batch, term->version};
}

/* Updates made of the first so many estimates; of all of them: t. */
static inline uint32_t updates_of(const struct trial *trial, uint32_t estimates) {
    return trial->accumulate == 1 ? estimates : estimates / trial->accumulate;
}

/* tasks.c: a worker's task. */
void tasks_begin(struct trial *trial);
/* Takes the worker's task of `step` and draws its seconds; false: a trace has no measurement of it. */
bool task_take(struct trial *trial, uint32_t worker, uint32_t step);
/* An idle worker starts on what it took. */
void task_start(struct trial *trial, uint32_t worker, double now_s);
/* Nobody will hear what is left of the worker's task: where nothing can come between, its parts are computed in one go. */
void task_join(struct trial *trial, uint32_t worker);
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
void round_advance(struct trial *trial, double master_s);
/* The next round opens then. */
void round_next(struct trial *trial, double next_s);
/* Whether the open round has nothing to do. */
bool round_idle(const struct trial *trial);
void round_pass(struct trial *trial);
/* Whether no worker is there or will be. */
bool round_deserted(const struct trial *trial);
void round_end(struct trial *trial);

/* learn.c: what was heard becomes updates and the rows' facts. */
void learn_begin(struct trial *trial);
/* w_0 may be evaluated. */
void learn_start(struct trial *trial);
/* A model has moved, and nobody has evaluated it yet. */
bool learn_waits(const struct trial *trial);
/* Updates that the closed round completes. */
uint32_t learn_completions(struct trial *trial);
void learn_update(struct trial *trial);
/* The mean of F over the models; NAN where only time counts. */
double learn_loss(const struct trial *trial);
void learn_end(struct trial *trial);

/* keep.c: gradients that may be used at a later version of the model. */
void keep_begin(struct trial *trial);
/* A round has opened. */
void keep_open(struct trial *trial);
/* Without a barrier: the worker's next task has been taken. */
void keep_task(struct trial *trial, uint32_t worker);
/* Before the estimate of a round: those of this version that workers compute, now or once they get to this step, and hold. */
void keep_held(struct trial *trial);

/* estimate.c: the estimate of the chosen messages, or of the scheme's table. */
/* Every estimate is made of its messages. */
bool estimate_decodes(const struct trial *trial);
/* An update by an exact estimate takes the common full gradient, whatever is made of the messages beside it. */
bool estimate_shares(const struct trial *trial);
/* The terms of the scheme's table, in `table`, and their number; 0 where it has none. */
size_t estimate_table(const struct trial *trial);
/* The share of the workers whose gradients make the estimate. */
double estimate_share(const struct trial *trial);
/* Writes what the letter holds to `gradient_term`, as it is sent. */
void estimate_terms(struct trial *trial, const struct letter *letter);
/* The first term that is used: what an exact estimate is of; NULL: nothing is used. */
const struct term *estimate_first(const struct trial *trial);
/* Makes it in the learner, which is the one of the first term. */
void estimate_make(struct trial *trial, struct learner *learner);

/* packing.c: messages are compressed as they are computed; nothing happens where the scenario compresses none. */
void pack_begin(struct trial *trial);
/* The letter has been computed, heard or not: it carries what is sent of it. */
void pack_letter(struct trial *trial, struct letter *letter);
/* The model will not be asked for at versions that no worker can need any more. Before each update. */
void pack_forget(struct trial *trial, uint32_t model);

/* spread.c: how far apart the workers' own models are, in F, where runs are audited. Without a barrier those are the models
 * they were sent last; of workers that take local steps, those that they sent. */
void spread_note_model(struct trial *trial, uint32_t worker);
void spread_note_walk(struct trial *trial, double loss);
void spread_report(struct trial *trial);

/* ages.c: how old the gradients of an estimate are, and what the entry's staleness rule makes of it. */
uint32_t term_age(const struct trial *trial, const struct term *term);
/* What its coefficient is multiplied by. */
double term_factor(const struct trial *trial, const struct term *term);
/* The version that an update makes the next of. */
uint32_t present_version(const struct trial *trial, uint32_t model);
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
