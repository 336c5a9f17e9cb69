/* scheme.h: who computes what, what a message holds, which messages are used and what each weighs.
 * Knows no drawn seconds, no gradient value, no file and not the model. One file per scheme.
 *
 * Notation: n workers, k = n partitions, s stragglers a code bears, c partitions on each worker, i worker, p partition,
 * t step; version v of the model is its w after v updates; B is the code matrix, a the decode vector.
 * README.md shows how the interface carries the schemes that are not built yet. */
#ifndef LAGGARD_SCHEME_H
#define LAGGARD_SCHEME_H
#include "late.h"
#include "param.h"
#include "stream.h"
#include "wait.h"

struct shape {
    uint32_t workers, partitions;
};

/* What a scheme runs under. */
struct setting {
    struct shape shape;
    enum late_rule late;
    bool batches; /* gradients use mini-batches: terms of different batches are different gradients */
    bool skips;   /* a worker may be given no task in some step (a trace with a gap) */
};

/* coefficient * g_partition(w_version) on the rows keyed (partition, batch). */
struct term {
    uint32_t partition, batch, version;
    double coefficient;
};

/* A gradient that a task computes: of `partition`, on `batch`, at the version of the task. */
struct evaluation {
    uint32_t partition, batch;
};

/* What one worker does next. */
struct task {
    uint32_t step, version;
    double work; /* in partitions */
    uint32_t evaluations;
    /* Ascending in partition; valid until the next assign for this worker. */
    const struct evaluation *evaluation;
};

/* What reached the master. */
struct message {
    uint32_t worker, step;
    double arrived_s;
};

/* Whether an estimate is sum_p g_p(w now), so that the common full gradient serves. */
enum claim { INEXACT, EXACT };

/* What is made of the messages heard; arrays are the caller's, one entry per message. */
struct decoding {
    double *weight;     /* a_i. `choose` sets 1 where the message is used, else 0; `weigh` sets the weights */
    uint32_t recovered; /* partitions in the estimate */
    enum claim claim;
    double residual, largest_weight; /* |a B_R - 1|, max |a_i|; NAN where nothing was solved. Set by weigh */
};

/* Sizes, from which everything is allocated before the first step. */
struct limits {
    uint32_t terms;       /* in one message, at most */
    uint32_t evaluations; /* in one task, at most */
    uint32_t kept;        /* terms that a worker keeps beyond its message (see `kept`); 0: none */
    uint32_t span;        /* a used message holds versions above t - span only; 0: no such bound */
    double warmup_work;   /* partitions that every worker evaluates at w_0 before step 0; 0: none */
    bool warmup_timed;    /* the clock counts that */
};

/* Every late rule. */
#define LATES_ALL ((1u << LATE_RULES) - 1)

struct scheme {
    struct variant head;
    bool all_reduces;    /* the plain sum over all workers: a ring may replace the master */
    const char *wait;    /* default wait rule */
    enum late_rule late; /* default late rule */
    unsigned lates;      /* mask of accepted late rules, 1u << LATE_…, or LATES_ALL */
    /* False, or true with the sentence that refuses these parameters for this shape. */
    bool (*refuses)(const void *params, struct shape shape, struct sentence *why);
    /* s: the stragglers the scheme is built for. */
    uint32_t (*stragglers)(const void *params);
    /* The fewest results from which it can make its estimate whatever the set; a wait rule that assures fewer is
     * refused. */
    uint32_t (*fewest)(const void *params, struct shape shape);
    struct limits (*limits)(const void *params, const struct setting *setting);
    /* Its state for one run, in `arena`. `code` is the stream of purpose CODE in the run's replication; code matrices
     * take replication 0. */
    void *(*begin)(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena);
    /* Step t opens at model version `version`. */
    void (*open)(void *state, uint32_t step, uint32_t version);
    /* The task of `worker` in `step` (the present one or, under `queue`, an earlier one). */
    void (*assign)(void *state, uint32_t worker, uint32_t step, struct task *task);
    /* The worker's task of `step` has been computed, heard or not: writes the terms of its message, ascending in
     * (partition, version), and returns their number. Called in the order in which tasks finish. */
    size_t (*finish)(void *state, uint32_t worker, uint32_t step, struct term *term);
    /* A message of the present step arrived. NULL: nothing to note. */
    void (*hear)(void *state, const struct message *message);
    /* What was heard since `open` gives the exact gradient. NULL: the scheme is never exact, `decodable` is refused. */
    bool (*decodable)(const void *state);
    /* True: with these parameters no set of results is exact, so `decodable` is refused. NULL: as `decodable` says. */
    bool (*never_exact)(const void *params, struct shape shape);
    /* After the close: which messages are used, what they recover. Messages come by worker index. */
    void (*choose)(void *state, const struct message *message, uint32_t messages, struct decoding *out);
    /* The weights of what `choose` chose; skipped where only time counts or the common gradient serves. */
    void (*weigh)(void *state, const struct message *message, uint32_t messages, struct decoding *out);
    /* Writes the terms that `worker` keeps, returns their number. NULL when limits.kept is 0. */
    size_t (*kept)(const void *state, uint32_t worker, struct term *term);
};
extern const struct family scheme_family;

/* The scheme's `wait` as written or its default agrees with it: false after writing why not. */
bool scheme_accepts_wait(const struct picked *scheme, struct shape shape, const struct picked *wait,
                         struct sentence *why);
bool scheme_accepts_late(const struct picked *scheme, enum late_rule late, struct sentence *why);
#endif
