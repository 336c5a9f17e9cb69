/* pushes_twin.h: schemes without a barrier once more, slow and obvious, written from the definition of the model alone: a
 * list of events in no order, a copy of w on every worker. It shares nothing with the program but the named random streams
 * of base.
 *
 * Notation: n workers, k = n partitions, i worker; version v of the model is w after v updates. */
#ifndef LAGGARD_PUSHES_TWIN_H
#define LAGGARD_PUSHES_TWIN_H
#include "twin.h"

enum pushing {
    PUSH_K_ASYNC,
    PUSH_K_BATCH_ASYNC,
    PUSH_K_BATCH_SYNC,
    PUSH_RINGMASTER,
    PUSH_SSP_WAIT,
    PUSH_SSP_DROP,
    PUSH_DSAG
};

struct pushes_spec {
    const struct twin_problem *problem;
    enum pushing pushing;
    size_t number;   /* K; the oldest age; the bound; r */
    bool reassigned; /* partitions of those away are computed by those present */
    size_t workers, rounds, steps;
    double compute_s, master_s;
    const double
        *delay_s; /* [rounds * workers], by the worker's own task number, from the start when used up */
    const double *joins_s, *leaves_s; /* [workers]; INFINITY: never */
    double to_failure_s, to_repair_s; /* means; INFINITY: never */
    double learning_rate;
    uint64_t seed;
};

struct pushes_step {
    double time_s, loss, staleness_mean, staleness_max, aggregation_s;
    size_t responders, recovered;
};
struct pushes_worker {
    size_t used, evaluated, skipped;
    double busy_s;
};
struct pushes_result {
    bool stalled;
    size_t steps;             /* updates; step holds steps + 1 rows */
    struct pushes_step *step; /* row 0 has a time and a loss alone */
    struct pushes_worker *worker;
    double useful_s, redundant_s, stale_s, discarded_s;
};
struct pushes_result *pushes_run(const struct pushes_spec *spec);
void pushes_result_free(struct pushes_result *result);
#endif
