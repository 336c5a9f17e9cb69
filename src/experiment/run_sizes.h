/* run_sizes.h: how much a run keeps at a time, known before its first step, and that it fits into memory. Knows no run. */
#ifndef LAGGARD_RUN_SIZES_H
#define LAGGARD_RUN_SIZES_H
#include "plan.h"

/* Bytes of what one run keeps, at most; less where the memory beside the data is. */
#define RUN_BYTES_MAX 16e9

struct run_sizes {
    size_t letters;     /* messages of one round and of those before it that may still be used */
    size_t terms;       /* in all of them, at most */
    size_t evaluations; /* of tasks whose results may still be used, at most */
    uint32_t pieces;    /* that all partitions are cut into */
    uint32_t models;
    size_t packed;    /* vectors of messages that are compressed: what is sent, what was left out; 0: none */
    size_t gradients; /* of earlier versions, kept for each model; 0: none */
    size_t sums;      /* full gradients of earlier versions, kept for each model; 0: none */
    size_t walked;    /* vectors that a model's walks of local steps take; 0: nobody takes any */
    size_t audited;   /* vectors that an audit takes for each model; 0: there is none */
    size_t
        versions; /* full gradients of earlier versions that the audit of a theorem keeps; 0: there is none */
};
struct run_sizes run_sizes(const struct scenario *scenario, const struct scheme_entry *entry);
/* What is sent of a message is less than it is. */
bool run_compresses(const struct scenario *scenario);
/* Every estimate is made of its messages. */
bool run_decodes(const struct scenario *scenario, const struct scheme_entry *entry);
/* Beside gradients of earlier versions, w of those is kept. */
bool run_keeps_models(const struct scheme_entry *entry);
/* About what they take, without the data and the rows of results. */
double run_bytes(const struct scenario *scenario, const struct scheme_entry *entry);
/* False after telling at every scheme whose run would take more than RUN_BYTES_MAX. */
bool run_sizes_check(const struct plan *plan, struct diag *diag);
#endif
