/* rows.h: what a run leaves behind, as rows of the results files: one struct and one column table per file. */
#ifndef LAGGARD_ROWS_H
#define LAGGARD_ROWS_H
#include "sheet.h"
#include "summary.h"

struct step_row {
    uint32_t point;
    const char *scheme;
    uint32_t replication, step;
    double time_s;
    uint32_t responders, recovered; /* UINT32_MAX in row 0 */
    double loss, gradient_error, gradient_cosine, decode_residual, decode_largest;
    double staleness_mean, staleness_max, aggregation_s;
    double
        loss_spread; /* largest less smallest F over the workers' own models; NAN where it is not measured */
};
extern const struct columns step_columns;

struct run_row {
    uint32_t point;
    const char *const *swept;
    const char *scheme, *parameters;
    uint32_t replication;
    uint64_t seed;
    const char *status;
    uint32_t steps;
    double time_s, final_loss, time_to_loss_s, steps_to_loss;
    double step_mean_s, step_p50_s, step_p95_s, step_p99_s;
    double useful_s, redundant_s, stale_s, discarded_s, idle_s, down_s; /* summed over the workers */
    uint32_t rounds, rounds_overrun; /* opened; those that the deadline passed without a close */
};
extern const struct columns run_columns;

struct worker_row {
    uint32_t point;
    const char *scheme;
    uint32_t replication, worker;
    double busy_s, idle_s, down_s;
    uint32_t used, late;               /* rounds */
    double participation;              /* used / rounds; NAN without a round */
    uint64_t evaluated, skipped;       /* partition gradients */
    uint32_t backlog_end, backlog_max; /* tasks sent and not finished, at closes */
    uint32_t oldest_steps; /* age of the oldest stored gradient at the end; UINT32_MAX: none is stored */
    double gone_s;         /* when it left for good; NAN: it did not */
    uint32_t
        heir; /* who computes the partition of a worker that is away, at the end; UINT32_MAX: it is there, or nobody
                      does, or partitions have no single worker */
};
extern const struct columns worker_columns;

/* What the estimates of a run held of one partition. Its effective weight in an update is the sum over the messages used
 * of weight times coefficient, of any version, times what the staleness rule makes of its age; of a part of its rows, times
 * their share. */
struct partition_row {
    uint32_t point;
    const char *scheme;
    uint32_t replication, partition;
    double participation; /* share of the updates in which its weight is not 0 */
    double weight_mean, weight_min,
        weight_max; /* over the updates; NAN without an update, as participation */
};
extern const struct columns partition_columns;

/* A row of staleness.csv: how many terms of used messages were so old, of a run whose scheme can use old ones. */
struct staleness_row {
    uint32_t point;
    const char *scheme;
    uint32_t replication, staleness; /* updates */
    uint64_t count;                  /* not 0 */
};
extern const struct columns staleness_columns;

/* A row of tune.csv: values that were tried for a scheme before the comparison, and what its runs came to. */
struct tuning_row {
    uint32_t point;
    const char *const *swept;
    const char *scheme;
    uint32_t attempt;
    double learning_rate, momentum; /* NAN: not tuned */
    uint32_t runs;
    double reached, time_to_loss_s; /* share of the runs, mean of those; NAN without a target */
    double final_loss;              /* mean; NAN where it is without bound */
    const char *best;               /* yes: the comparison has this one; else no */
};
extern const struct columns tuning_columns;

/* A row of bounds.csv: a recorded step of a run whose scheme has a theorem. */
struct bound_row {
    uint32_t point;
    const char *scheme;
    uint32_t replication, step;
    double excess_loss; /* F(w_t) - F* */
    double bound;       /* what the theorem says it is at most */
};
extern const struct columns bound_columns;

/* A row of theorems.csv: such a run; see convergence.h. */
struct theorem_row {
    uint32_t point;
    const char *scheme;
    uint32_t replication;
    const char *theorem;
    double smoothness, convexity, xi, gamma, learning_rate, learning_rate_limit;
    const char *holds;      /* yes | no */
    const char *reason;     /* which conditions fail; NULL: none */
    double rate;            /* what the bound is multiplied by from step to step */
    uint32_t exceeded_step; /* the first recorded step above the bound; UINT32_MAX: none */
};
extern const struct columns theorem_columns;

/* A row of events.csv: struct moment as the file has it. */
struct event_row {
    uint32_t point;
    const char *scheme;
    uint32_t replication;
    double time_s;
    const char *event;
    uint32_t worker, step, part; /* UINT32_MAX: does not apply */
};
extern const struct columns event_columns;

/* A row of summary.csv: struct summary as the file has it. */
extern const struct columns summary_columns;
struct summary_row {
    uint32_t point;
    const char *const *swept;
    const char *scheme, *parameters;
    uint32_t runs;
    double reached;
    double measure[MEASURES][7]; /* mean, sd, low, high, diff, diff_low, diff_high */
    double target_loss;
};
struct summary_row summary_row_of(const struct summary *summary);
#endif
