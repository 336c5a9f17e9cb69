/* rehearsal.h: steps of a scheme without a clock: the test says who answers and when. */
#ifndef LAGGARD_REHEARSAL_H
#define LAGGARD_REHEARSAL_H
#include "code_params.h"

/* What a part of a task in one round became. */
struct rehearsed {
    struct term *term; /* [limits.terms] */
    size_t terms;
    double arrived_s; /* INFINITY: not heard in its round */
};

struct rehearsal {
    const struct scheme *scheme;
    const void *params;
    struct setting setting;
    struct limits limits;
    uint32_t parts;
    struct arena *arena;
    void *state;
    struct rehearsed *rehearsed; /* [(held + 1) * workers * parts]: of the last rounds */
    struct message *message;     /* what `choose` saw last, by worker, step and part */
    uint32_t messages, completed;
    uint32_t updates;                    /* in all */
    struct decoding decoding;            /* of the last update */
    double *mark;                        /* the weights that `choose` set for it */
    void (*updated)(struct rehearsal *); /* called after each update; NULL: none */
    void *context;                       /* of the caller */
};

/* Streams have this seed and replication. */
#define REHEARSAL_SEED        7
#define REHEARSAL_REPLICATION 3

const struct scheme *scheme_named(const char *name);

/* `params` is what the scheme's parameter table fills; it must live as long. */
void rehearsal_begin(struct rehearsal *rehearsal, const char *scheme, const void *params,
                     struct setting setting);
void rehearsal_end(struct rehearsal *rehearsal);

/* The parameters of a scheme as a scenario would give them: those of "key=value …" that it has, defaults elsewhere.
 * Files are looked for in the project's folder, LAGGARD_SOURCE. NULL when they are refused. In `arena`. */
void *params_bound(struct arena *arena, const struct scheme *scheme, const char *values);

/* A setting of `workers` partitions under `queue` with full batches. */
struct setting plain_setting(uint32_t workers);

/* All workers compute the step, unless it is idle; parts with a finite `arrived_s` [workers * parts] are heard in the order
 * of arrival, then the rest where the scheme's own deadline does not admit that they straggle. Each update that the round
 * completes is chosen and weighed; the last one stays. */
void rehearse(struct rehearsal *rehearsal, uint32_t step, const double *arrived_s);
/* The same; all parts of the workers of the mask are heard, the lower worker first. */
void rehearse_mask(struct rehearsal *rehearsal, uint32_t step, uint64_t mask);
/* One worker computes its task of the step, heard or not. */
void rehearse_task(struct rehearsal *rehearsal, uint32_t worker, uint32_t step);

/* The terms of a message, as many as *terms. */
const struct term *rehearsed_terms(const struct rehearsal *rehearsal, const struct message *message,
                                   size_t *terms);
/* (a B)_p: what the estimate makes of the gradients of a partition or piece, whatever their versions. */
double estimate_coefficient(const struct rehearsal *rehearsal, uint32_t partition);
#endif
