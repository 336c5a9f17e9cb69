/* code_params.h: the parameters that schemes share, their tables, and what refuses them.
 * Knows no messages and no steps. */
#ifndef LAGGARD_CODE_PARAMS_H
#define LAGGARD_CODE_PARAMS_H
#include "scheme.h"

enum warmup { WARMUP_FREE, WARMUP_TIMED };

/* Filled by each of the tables below; what a table does not name stays 0. */
struct code_params {
    uint32_t stragglers; /* s */
    uint32_t copies;     /* c, of codes whose placement does not follow from s */
    uint32_t warmup;     /* enum warmup, of pipelined codes */
};
extern const struct param_table straggler_params; /* stragglers */
extern const struct param_table copies_params;    /* stragglers, copies */
extern const struct param_table pipeline_params;  /* stragglers, warmup */

/* Entries for the tables of structs that begin with a struct code_params. */
#define CODE_STRAGGLERS                                                                                      \
    {                                                                                                        \
        .name = "stragglers", .kind = PARAM_COUNT, .offset = offsetof(struct code_params, stragglers),       \
        .minimum = 0, .maximum = 1e6, .unit = "workers",                                                     \
        .help = "workers that a step can do without (s), fewer than there are"                               \
    }
#define CODE_COPIES                                                                                          \
    {                                                                                                        \
        .name = "copies", .kind = PARAM_COUNT, .offset = offsetof(struct code_params, copies),               \
        .fallback = "2", .minimum = 1, .maximum = 1e6, .unit = "partitions",                                 \
        .help = "partitions on each worker (c), so copies of each partition"                                 \
    }

/* Hooks of struct scheme for parameters that are, or begin with, a struct code_params. */
uint32_t code_stragglers(const void *params);
uint32_t code_all_but_stragglers(const void *params, struct shape shape); /* fewest: n - s */
uint32_t code_any_one(const void *params, struct shape shape);            /* fewest: 1 */

/* Partitions on each worker where s decides: c = s + 1. */
uint32_t code_copies(const struct code_params *params);

/* True, after writing why, when s is not below workers. */
bool code_refuses_stragglers(const void *params, struct shape shape, struct sentence *why);
/* The same, or `copies` partitions on each worker are more than memory is for. */
bool code_refuses_load(const void *params, struct shape shape, uint32_t copies, struct sentence *why);
/* True, after writing why, when partitions differ from workers or s is not below workers. */
bool code_refuses(const void *params, struct shape shape, struct sentence *why);
/* The same, or c = s + 1 partitions on each worker are more than memory is for. */
bool code_refuses_windows(const void *params, struct shape shape, struct sentence *why);
/* The same, or c does not divide workers. */
bool code_refuses_fr(const void *params, struct shape shape, struct sentence *why);
/* The same as code_refuses, or `copies` is above workers. */
bool code_refuses_copies(const void *params, struct shape shape, struct sentence *why);
/* The same, or `copies` does not divide workers. */
bool code_refuses_groups(const void *params, struct shape shape, struct sentence *why);
/* `each` of what `noun` names on every worker are more than memory is for. */
bool code_refuses_many(struct shape shape, uint32_t each, const char *noun, struct sentence *why);
#endif
