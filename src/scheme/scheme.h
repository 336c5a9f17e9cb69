/* scheme.h: who computes what, what a message holds, which messages are used and what each weighs.
 * Knows no drawn seconds, no gradient value, no file and not the model. One file per scheme.
 *
 * Notation: n workers, k = n partitions, s stragglers a code bears, c partitions on each worker, i worker, p partition,
 * t step; version v of the model is its w after v estimates, each of which
 * makes an update unless several are accumulated into one; B is the code matrix, a the decode vector.
 * README.md shows the cases that decided the interface. */
#ifndef LAGGARD_SCHEME_H
#define LAGGARD_SCHEME_H
#include "late.h"
#include "param.h"
#include "shelf.h"
#include "stream.h"
#include "wait.h"

struct shape {
    uint32_t workers, partitions;
};

/* What a scheme runs under. */
struct setting {
    struct shape shape;
    enum late_rule late;
    bool batches;       /* gradients use mini-batches: terms of different batches are different gradients */
    bool skips;         /* a worker may be given no task in some step (a trace with a gap) */
    uint32_t steps;     /* updates that the run is to make; PARAM_ABSENT: no limit */
    size_t rows;        /* m; 0: only time counts */
    uint32_t absentees; /* workers that may be away at some time: yet to join, or gone for good */
};

/* A gradient that a worker computes: of `partition` on `batch`, at `version` of `model`. Where partitions are cut into
 * pieces (struct cut), it is of the piece: its number is partition * pieces + piece. */
struct evaluation {
    uint32_t partition, batch, version, model;
};

/* coefficient * g_partition(w_version of model) on the rows keyed (partition, batch). */
struct term {
    uint32_t partition, batch, version, model;
    uint32_t rows; /* only the first `rows` of them are done; 0: all */
    double coefficient;
};

/* A part of a task: it ends in a message of its own. */
struct part {
    double work; /* in partitions, of this part and those before it; fractions allowed */
    uint32_t evaluations;
};

/* How the messages of a task of several parts leave: each when its part is done, or all in one upload at the end. */
enum sending { SEND_EACH, SEND_TOGETHER };

/* Whether a task meets one delay, before its first message, or each message one of its own. */
enum delay_per { DELAY_PER_TASK, DELAY_PER_MESSAGE };

/* What one worker does next. */
struct task {
    uint32_t step;
    double work; /* in partitions */
    uint32_t evaluations;
    /* Part by part, ascending in (partition, version) within one; valid until the next assign for this worker. */
    const struct evaluation *evaluation;
    uint32_t parts; /* 0: one, which is all of the task */
    enum sending sending;
    enum delay_per delay_per;
    const struct part *part; /* [parts]; valid as long as the evaluations */
};

/* A part that has been computed. */
struct computed {
    uint32_t worker, step, part;
    double done; /* the share of its rows, in order, that was done before the master collected; 1: all */
};

/* What reached the master: a part's result. */
struct message {
    uint32_t worker, step, part;
    double arrived_s;
};

/* Whether an estimate is sum_p g_p of one model, version and batch, so that the common full gradient serves. Those are
 * the ones of the first term used. */
enum claim { INEXACT, EXACT };
/* A code whose decode leaves a larger residual than this claims nothing. gc-cr and the sequential codes made of it stay
 * below it while s is small (1e-8 at most at n = 256, s = 27); tests measure that. */
#define EXACT_RESIDUAL 1e-6

/* What is made of the messages heard; arrays are the caller's, one entry per message. */
struct decoding {
    double *weight;     /* a_i. `choose` sets 1 where the message is used, else 0; `weigh` sets the weights */
    uint32_t recovered; /* partitions in the estimate */
    enum claim claim;
    double residual, largest_weight; /* |a B_R - 1|, max |a_i|; NAN where nothing was solved. Set by weigh */
};

/* How every partition is cut: `large` pieces of `size` units, then `small` pieces of one unit; all 0: not cut. */
struct cut {
    uint32_t large, size, small;
};

/* Sizes, from which everything is allocated before the first step. */
struct limits {
    uint32_t terms;       /* in one message, at most */
    uint32_t evaluations; /* in one task, at most */
    double work;   /* of every task whose result is one message or one upload, in partitions; 0: not so */
    uint32_t kept; /* terms that a worker keeps beyond its message (see `kept`); 0: none */
    uint32_t span; /* a used message holds versions above t - span only; 0: no such bound */
    double warmup_work; /* partitions that every worker evaluates at w_0 before step 0; 0: none */
    bool warmup_timed;  /* the clock counts that */
    uint32_t parts;     /* messages of one task, at most; 0: 1 */
    uint32_t arrivals;  /* without a barrier: messages heard in one round, at most (see `starts`) */
    uint32_t table;     /* terms in the master's table, at most (see `table`); 0: it has none */
    uint32_t held;      /* rounds after its own in which a message is offered to `choose` again */
    uint32_t models;    /* trained in turn; the loss is their mean; 0: 1 */
    bool fractional;    /* the work of a part may be no whole number of partitions */
    bool delays_apart;  /* each message of a task meets a delay of its own (DELAY_PER_MESSAGE) */
    /* H: the terms of a message are the gradients along its worker's own H steps of plain sgd from the model of the round,
     * x <- x - eta (k g(x) + l2 x), each at the x before it; the update moves w by H times the step size, which makes it
     * the mean of the last x where the coefficients are 1/H. 0: every gradient is at its version. */
    uint32_t local_steps;
    struct cut cut;
};

/* Every late rule. */
#define LATES_ALL ((1u << LATE_RULES) - 1)

/* `stale` below: grad F at the version of each term used, one by one, or their mean over the terms. */
enum stale { STALE_EACH, STALE_MEAN };

/* A claim about the convergence of a scheme, in terms of L (grad F is L-Lipschitz), lambda (F is lambda-strongly convex),
 * xi (|g_i - grad F|^2 <= xi |grad F|^2 at every w that was reached, g_i being partition i's own mean gradient with l2 w)
 * and gamma (|grad F(w_t) - stale|^2 <= gamma |grad F(w_t)|^2): for plain sgd of a constant step eta <= 1/(L q),
 * F(w_t) - F* <= (1 - lambda (1 - gamma)/(L q))^t (F(w_0) - F*), when xi and gamma are below 1. */
struct theorem {
    const char *name, *source;
    double (*factor)(struct shape shape, const void *params, double xi); /* q */
    enum stale stale;
};

enum membership { MEMBER_JOINED, MEMBER_GONE };
#define NOBODY UINT32_MAX
/* See `lead`. */
#define ANY_LEAD UINT32_MAX
#define NO_LEAD  (UINT32_MAX - 1)

/* Where lambda w is added: at an update, at the present w; or 1/k of it with each term, at the term's version. */
enum penalty { PENALTY_AT_UPDATE, PENALTY_WITH_TERMS };

struct scheme_files;
struct set_rules;

struct scheme {
    struct variant head;
    bool all_reduces;     /* the plain sum over all workers: a ring may replace the master */
    bool collects;        /* at the close, workers still on their task send what they have done of it */
    bool walks;           /* workers take steps of their own (limits.local_steps): plain sgd only */
    const char *wait;     /* default wait rule */
    enum late_rule late;  /* default late rule */
    unsigned lates;       /* mask of accepted late rules, 1u << LATE_…, or LATES_ALL */
    enum penalty penalty; /* with terms: only without a barrier and under `queue` */
    /* Reads the files the parameters name; false after telling why. NULL: none. */
    bool (*load)(void *params, const struct scheme_files *files);
    /* k. NULL: as many as workers. */
    uint32_t (*partitions)(const void *params, uint32_t workers);
    /* False, or true with the sentence that refuses these parameters for this shape. */
    bool (*refuses)(const void *params, struct shape shape, struct sentence *why);
    /* Writes what the parameters, which were not refused, turned out to make: for a user to read, without a full stop.
     * NULL: nothing that they do not say. */
    void (*built)(const void *params, struct shape shape, struct sentence *out);
    /* True after writing what numbers of double precision make of a decode with these parameters: told before a run that
     * learns. NULL or false: nothing of note. */
    bool (*doubts)(const void *params, struct shape shape, struct sentence *why);
    /* Writes the wait rule that the parameters make, as a scenario would ("{type: deadline, factor: 2, else: all}"), and
     * returns true: then none may be written. NULL or false: the rule is the one written, else the default; a scheme whose
     * default is no rule without keys then writes what it needs. */
    bool (*own_wait)(const void *params, struct sentence *rule);
    bool takes_no_wait; /* own_wait is true whatever the parameters */
    /* s: the stragglers the scheme is built for; ANY_STRAGGLERS: it can do without anybody. */
    uint32_t (*stragglers)(const void *params);
    /* The same at this moment of a run: s may change with what is learned. NULL: as `stragglers` says. */
    uint32_t (*bears)(const void *state);
    /* The fewest results from which it can make its estimate whatever the set; a wait rule that assures fewer is
     * refused. */
    uint32_t (*fewest)(const void *params, struct shape shape);
    struct limits (*limits)(const void *params, const struct setting *setting);
    /* Its state for one run, in `arena`. `code` is the stream of purpose CODE in the run's replication; code matrices
     * take replication 0. */
    void *(*begin)(const void *params, const struct setting *setting, struct stream code,
                   struct arena *arena);
    /* Rounds of a run of `steps` updates, which then needs that limit. NULL: the run ends with its last update. */
    uint32_t (*rounds)(const void *params, uint32_t steps);
    /* Round t opens at model version `version`: the estimates made so far. */
    void (*open)(void *state, uint32_t step, uint32_t version);
    /* The round just opened has nothing to do: no task is given and no time passes. NULL: never. */
    bool (*idle)(const void *state);
    /* The task of `worker` in round `step` (the present one or, under `queue`, an earlier one). Of a scheme of whole rounds
     * (scheme_whole_rounds) it and `finish` depend on nothing but their arguments: a worker has the same partitions in all. */
    void (*assign)(void *state, uint32_t worker, uint32_t step, struct task *task);
    /* A part of the worker's task has been computed, heard or not: writes the terms of its message, ascending in
     * (partition, version), and returns their number. Called in the order in which parts finish; left out for a part of
     * several that nobody can hear any more, where workers keep nothing. */
    size_t (*finish)(void *state, const struct computed *computed, struct term *term);
    /* NULL: every worker is sent the model as a round opens, and its task is of that round. Else there is no barrier: this
     * tells a worker that is to begin a task now, at the present version, or NOBODY; it is asked until NOBODY as a round
     * opens and after each message that does not close one. `step` then counts a worker's own tasks; tasks run on over
     * updates, or, under `cancel`, a worker that is told drops what it is doing. Every message counts, in the round in which
     * it is heard, whenever its task began; under `cancel` only those of the present version. */
    uint32_t (*starts)(void *state);
    /* Without a barrier, where every push makes an update by itself, and whoever pushed begins its next task then, or as soon as
     * the slowest present is at most so many behind it: how many tasks; ANY_LEAD: the others do not matter. It says again
     * what `starts`, `hear` and `completions` do, for the clock alone. NULL or NO_LEAD: it is not that simple. */
    uint32_t (*lead)(const void *params);
    /* Without a barrier: the worker is there, from the start or later, or it is gone for good, which may be before it joined.
     * A message of one that is gone may still be heard. NULL: nothing to note. */
    void (*member)(void *state, uint32_t worker, enum membership membership);
    /* Without a barrier: the message, which comes next to `hear`, is a result for the wait rule. NULL: every one is. */
    bool (*counts)(const void *state, const struct message *message);
    /* A message of the present round arrived. NULL: nothing to note. */
    void (*hear)(void *state, const struct message *message);
    /* What was heard since `open` gives the exact gradient. NULL: the scheme is never exact, `decodable` is refused. */
    bool (*decodable)(const void *state);
    /* True: with these parameters no set of results is exact, so `decodable` is refused. NULL: as `decodable` says. */
    bool (*never_exact)(const void *params, struct shape shape);
    /* At a deadline of `factor`: the code bears it that those not heard since `open` are stragglers. NULL: at most s. */
    bool (*admits)(const void *state);
    /* After the close of a round in which these were heard: how many updates it completes. NULL: one. */
    uint32_t (*completions)(void *state, const struct message *message, uint32_t messages);
    /* Once for each update: which messages are used, what they recover. Messages come by (worker, step, part): those
     * heard in this round, and those of the `held` rounds before it that were heard in theirs. */
    void (*choose)(void *state, const struct message *message, uint32_t messages, struct decoding *out);
    /* The weights of what `choose` chose; skipped where only time counts or the common gradient serves. */
    void (*weigh)(void *state, const struct message *message, uint32_t messages, struct decoding *out);
    /* Without a barrier: writes the terms of the estimate, ascending in partition, and returns their number: the master
     * keeps them from round to round. `weigh` then weighs no message. NULL: the estimate is made of the messages. */
    size_t (*table)(const void *state, struct term *term);
    /* Writes those terms of the table that came in the present round, in any order, and returns their number. With `table`. */
    size_t (*renewed)(const void *state, struct term *term);
    /* An update was made. `product`: the inner product of its gradient (the estimate with the penalty's) and the one of the
     * update before; NAN at the first. A scheme that has this needs a loss. NULL: nothing to learn. */
    void (*learned)(void *state, double product);
    /* Writes the terms that `worker` keeps, returns their number. NULL when limits.kept is 0. */
    size_t (*kept)(const void *state, uint32_t worker, struct term *term);
    const struct theorem *theorem; /* NULL: none is known */
    /* Without a barrier: who computes the partition from now on; NOBODY: it is lost. NULL: what a worker that is away had to do
     * is done by others or by nobody, as the placement has it. */
    uint32_t (*holder)(const void *state, uint32_t partition);
    /* So many results, whoever sent them, give the exact gradient, and fewer never do. NULL: it depends on whom. */
    uint32_t (*exact_from)(const void *params, struct shape shape);
    /* `choose` uses all messages, whoever sent them, and claims exactness if they recover all partitions: the partitions that
     * so many of them recover. NULL: it depends on whom. */
    uint32_t (*recovers)(const void *params, struct shape shape, uint32_t messages);
    const struct set_rules *sets; /* the same for the clock alone (set_rules.h); NULL: it has none */
    bool
        exact; /* every estimate, under whatever rule is accepted, is the exact gradient at the model of its round */
};
extern const struct family scheme_family;

/* What a scheme needs to read its files. */
struct scheme_files {
    struct diag *diag;
    struct shelf *shelf;     /* files already read, shared over entries and sweep points */
    const struct node *node; /* the scheme's mapping, for places */
    uint32_t workers;
};

/* Pieces that a partition is cut into, and how many units are before each: 1 and 0 where it is not cut. */
uint32_t cut_pieces(const struct cut *cut);
uint32_t cut_units(const struct cut *cut, uint32_t piece);

/* Whether some used message may hold a version below the present one. */
bool limits_stale(const struct limits *limits);

/* k of these parameters. */
uint32_t scheme_partitions(const struct picked *scheme, uint32_t workers);

/* The scheme's `wait` as written or its default agrees with it: false after writing why not. */
bool scheme_accepts_wait(const struct picked *scheme, struct shape shape, const struct picked *wait,
                         struct sentence *why);
/* Results at which the rule closes every round, whoever sent them and whenever they come; 0: it looks at more than that, or
 * the number changes. */
uint32_t scheme_closing_results(const struct picked *scheme, struct shape shape, const struct picked *wait);
/* Every task is one part as long as all others, at the model of its round and heard in that round or never, and every round
 * makes one update: what time it takes is a matter of n times and the wait rule. */
bool scheme_whole_rounds(const struct scheme *scheme, const struct limits *limits);
bool scheme_accepts_late(const struct picked *scheme, enum late_rule late, struct sentence *why);
#endif
