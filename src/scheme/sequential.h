/* sequential.h: the parameters of the codes that close a round at a multiple of its fastest time.
 * Knows no messages and no rounds.
 *
 * Notation: n workers, s stragglers of one round; B, W, lambda as in burst.h; J updates.
 * Source: Krishnan, Ebrahimi and Khisti, arXiv 2211.13802. */
#ifndef LAGGARD_SEQUENTIAL_H
#define LAGGARD_SEQUENTIAL_H
#include "burst.h"
#include "code_params.h"

enum tolerance { TOLERANCE_PAPER, TOLERANCE_STRICT };
enum models { MODELS_ONE, MODELS_ALL };

/* Filled by each of the tables below; what a table does not name stays 0. */
struct sequential_params {
    struct code_params code; /* first, so that the hooks of code_params.h serve gc-deadline */
    uint32_t tolerance;      /* enum tolerance */
    double mu;               /* a round closes at 1 + mu times its first arrival */
    struct burst_bounds bounds;
    uint32_t models; /* enum models */
};
extern const struct param_table deadline_params; /* stragglers, mu, tolerance */
extern const struct param_table burst_params;    /* B, W, lambda, mu, models */

/* Hooks of struct scheme: "{type: deadline, factor: 1 + mu, else: all}"; lambda; n - lambda, at least 1. */
bool sequential_own_wait(const void *params, struct sentence *rule);
uint32_t sequential_stragglers(const void *params);
uint32_t sequential_fewest(const void *params, struct shape shape);

/* Models of a code with this delay: limits.models. */
uint32_t sequential_models(const struct sequential_params *params, uint32_t delay);
/* Versions that used messages span: limits.span. */
uint32_t sequential_span(const struct sequential_params *params, uint32_t delay);

/* True, after writing why, when partitions differ from workers, B is not below W or lambda is above n. */
bool sequential_refuses(const void *params, struct shape shape, struct sentence *why);
/* True, after writing why, when `entries` that are kept for each worker are more than memory is for. */
bool sequential_outgrows(struct shape shape, uint64_t entries, struct sentence *why);
#endif
