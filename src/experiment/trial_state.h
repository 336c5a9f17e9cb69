/* trial_state.h: the inside of a trial, shared by trial.c (the loop), round.c (timing), learn.c (the update) and
 * report.c (rows). */
#ifndef LAGGARD_TRIAL_STATE_H
#define LAGGARD_TRIAL_STATE_H
#include "learner.h"
#include "ledger.h"
#include "moment.h"
#include "trial.h"

/* One worker as the master knows it. */
struct seat {
    uint32_t models;    /* received: 1 + the step of the newest */
    uint32_t next_step; /* the first step whose task it has not begun or jumped over */
    uint32_t begun;     /* the step of the task that it began last */
    struct task task;   /* the one it is on; its evaluations are the trial's */
    double seconds;     /* of computing it */
    bool computing, uploading;
    double up_at_finish_s;   /* seconds it had been up when computing ended */
    bool joined;             /* it was there at the start or has joined since */
    bool asked;              /* it was sent the present model */
    bool heard, used;        /* in this round */
    double arrived_s;        /* when it was heard */
    size_t terms;            /* of its last message */
    uint32_t sent, finished; /* tasks, over the run */
    struct worker_row row;
};

struct trial {
    struct trial_spec spec;
    const struct scheme *scheme;
    const void *params;
    struct setting setting;
    struct limits limits;
    enum status status;
    struct arena *arena;
    void *state; /* the scheme's */
    struct cluster *cluster;
    struct objective objective; /* the scenario's, in the scheme's own partitions; with a learner */
    struct learner *learner;    /* NULL: timing only */
    struct ledger *ledger;
    struct result *result;
    struct moment_log *moments; /* the result's; NULL: nobody asks what happens */

    struct seat *seat;                   /* [workers] */
    struct evaluation *evaluation;       /* [workers * limits.evaluations] */
    struct term *term;                   /* [workers * limits.terms]: of each worker's last message */
    struct gradient_term *gradient_term; /* [limits.terms] */
    struct term *kept;                   /* [limits.kept]: scratch */

    uint32_t step, rounds; /* t; rounds that the traces have */
    double opened_s;       /* T_t */
    double closed_s;       /* C_t */
    double end_s;          /* of the run: T_t, or when the last task ended that a stalled round waited for */
    double first_s;        /* first arrival of the round; NAN before it */
    double start_s;        /* T_0 */
    uint32_t heard;
    uint32_t *arrival;       /* [workers]: who was heard, in order of arrival */
    struct message *message; /* [heard]: after the close, by worker */
    struct decoding decoding;

    struct step_row row; /* of the step in progress */
    double initial_loss;
    double *step_seconds; /* [steps]: how long each took */
    size_t step_capacity;
    uint32_t standstill; /* steps in a row that took no time */
};

struct term *trial_terms(const struct trial *trial, uint32_t worker);

/* Tells what happens, if anybody asks. */
static inline void tell(const struct trial *trial, enum moment_kind kind, double time_s, uint32_t worker,
                        uint32_t step) {
    if (trial->moments)
        moment_log_add(trial->moments,
                       (struct moment){.time_s = time_s, .worker = worker, .step = step, .kind = kind});
}
#define THE_MASTER UINT32_MAX
#define NO_STEP    UINT32_MAX

/* round.c: the master opens a step, listens until the wait rule closes it (false: it never can), and time goes on to
 * the next opening. */
bool round_warm_up(struct trial *trial);
void round_open(struct trial *trial);
bool round_listen(struct trial *trial);
void round_advance(struct trial *trial);
/* Books what is unfinished at the end. */
void round_end(struct trial *trial);

/* learn.c: what was heard becomes an estimate, an update and the row's facts. */
void learn_begin(struct trial *trial);
void learn_update(struct trial *trial);

/* report.c: the row of the present step, the reasons to stop, the summary rows of the run. */
void report_step(struct trial *trial);
void report_run(struct trial *trial);
#endif
