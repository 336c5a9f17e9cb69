/* twin.h: the simulator once more, slow and obvious, written from the definition of the model alone. It shares nothing
 * with the program but the named random streams and the normal quantile of base: its clock, decoding, gradients and
 * books are its own. A difference from the program means that one of the two is wrong.
 *
 * Notation: n workers, k = n partitions, s stragglers a code bears, c partitions on each worker, i worker, p partition,
 * t step; version v of the model is w after v updates; B is the code matrix. */
#ifndef LAGGARD_TWIN_H
#define LAGGARD_TWIN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TWIN_WORKERS = 64 }; /* at most */

enum twin_loss { TWIN_LOGISTIC, TWIN_LINEAR };

/* F(w) = (1/m) sum_r loss(x_r . w, y_r) + (l2/2) |w|^2 without the intercept. */
struct twin_problem {
    enum twin_loss loss;
    double l2;
    bool intercept; /* the last feature is a column of ones, untouched by l2 */
    size_t samples, features;
    double *x, *y; /* samples x features; y of two classes: 0 and 1 */
};

/* What to make of a file: its column `label` is y, the others are features in their order. */
struct twin_data {
    const char *file, *label;
    enum twin_loss loss;
    bool standardize, intercept;
    double l2;
};
/* NULL when the file cannot be opened or has no such column. Freed with twin_problem_free. */
struct twin_problem *twin_problem_read(const struct twin_data *data);
void twin_problem_free(struct twin_problem *problem);

double twin_objective(const struct twin_problem *problem, const double *w);
/* gradient = (1/m) sum over the rows of partition p of `partitions` of the loss's gradient. */
void twin_partial(const struct twin_problem *problem, size_t partitions, size_t p, const double *w,
                  double *gradient);

/* A scheme's placement and what a task evaluates. */
enum twin_placement { TWIN_OWN, TWIN_REPEATED, TWIN_CYCLIC };
struct twin_round;
struct twin_scheme {
    const char *name;
    enum twin_placement placement;
    bool rotates; /* one partition a step, the other gradients are kept; else all c */
    bool copies;  /* c is `copies`; else s + 1 where the placement repeats partitions */
    bool coded;   /* messages are combined by the rows of B */
    /* From the workers heard to a weight for each of them; weights of others stay 0. */
    void (*decode)(const struct twin_round *round, double *weight);
    /* Whether the workers heard give the exact gradient; NULL: never. */
    bool (*exact)(const struct twin_round *round);
    /* Of coded ones: fills B, n x n, of the code with s stragglers; NULL: twin_code. */
    void (*code)(uint64_t seed, size_t n, size_t s, double *code);
};
/* NULL when there is none of that name. */
const struct twin_scheme *twin_scheme_named(const char *name);

enum twin_late { TWIN_QUEUE, TWIN_LATEST, TWIN_CANCEL };
enum twin_rule { TWIN_ALL, TWIN_COUNT, TWIN_DECODABLE, TWIN_FACTOR, TWIN_SECONDS, TWIN_COUNT_OR_DECODABLE };
struct twin_wait {
    enum twin_rule rule;
    size_t results; /* of count, alone or with decodable; the least of seconds */
    double limit;   /* the factor, or seconds */
};

struct twin_spec {
    const struct twin_problem *problem; /* NULL: only time */
    const char *scheme;
    size_t workers, stragglers, copies;
    struct twin_wait wait;
    enum twin_late late;
    double compute_s, master_s; /* per partition; from a close to the next opening */
    const double *delay_s;      /* rounds x workers, replayed from the start when used up */
    size_t rounds, steps;
    double learning_rate;
    uint64_t seed;
};

/* Row t: the time and loss of w_t, and what happened in the round before it. */
struct twin_step {
    double time_s, loss, staleness_mean, staleness_max, aggregation_s;
    size_t responders, recovered;
};

/* A worker's books. used, late: rounds. evaluated, skipped: partition gradients; skipped are those of tasks that it dropped,
 * or jumped over on its way to the next one it began. backlog: at closes, the tasks it was sent and has not finished under
 * `queue`, else the one it is on. useful + redundant + stale + discarded = busy, busy + idle = the time of the last row. */
struct twin_worker {
    size_t used, late, evaluated, skipped, backlog_max, backlog_end;
    double busy_s, idle_s, useful_s, redundant_s, stale_s, discarded_s;
};

struct twin_result {
    bool diverged;
    size_t steps; /* updates; step holds steps + 1 rows */
    struct twin_step *step;
    struct twin_worker *worker;
    double largest_weight; /* of all decodings */
};
struct twin_result *twin_run(const struct twin_spec *spec);
void twin_result_free(struct twin_result *result);

/* What a decoder may look at: who was heard in the step, in the order of arrival. */
struct twin_round {
    const struct twin_spec *spec;
    size_t step, placed; /* t, c */
    const double *code;  /* B, n x n */
    size_t heard;
    size_t by_arrival[TWIN_WORKERS];
};
/* The partition at place l, 0 <= l < c, of worker i's list. */
size_t twin_partition(const struct twin_spec *spec, const struct twin_scheme *scheme, size_t i, size_t l);
size_t twin_placed(const struct twin_spec *spec, const struct twin_scheme *scheme);
/* Fills B, n x n, of the random cyclic code with s stragglers. */
void twin_code(uint64_t seed, size_t n, size_t s, double *code);
#endif
