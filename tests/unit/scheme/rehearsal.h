/* rehearsal.h: steps of a scheme without a clock: the test says who answers and when. */
#ifndef LAGGARD_REHEARSAL_H
#define LAGGARD_REHEARSAL_H
#include "code_params.h"

struct rehearsal {
    const struct scheme *scheme;
    struct code_params params;
    struct setting setting;
    struct limits limits;
    struct arena *arena;
    void *state;
    struct term *term;       /* [workers * limits.terms]: of each worker's last message */
    size_t *terms;           /* [workers] */
    struct message *message; /* of the last step, by worker */
    uint32_t messages;
    struct decoding decoding;
};

/* Streams have this seed and replication. */
#define REHEARSAL_SEED        7
#define REHEARSAL_REPLICATION 3

const struct scheme *scheme_named(const char *name);

void rehearsal_begin(struct rehearsal *rehearsal, const char *scheme, struct code_params params,
                     struct setting setting);
void rehearsal_end(struct rehearsal *rehearsal);

/* A setting of `workers` partitions under `queue` with full batches. */
struct setting plain_setting(uint32_t workers);

/* All workers compute the step; those with a finite `arrived_s` [workers] are heard in the order of arrival, chosen from
 * and weighed. */
void rehearse(struct rehearsal *rehearsal, uint32_t step, const double *arrived_s);
/* The same; the workers of the mask are heard, the lower first. */
void rehearse_mask(struct rehearsal *rehearsal, uint32_t step, uint64_t mask);
/* One worker computes its task of the step, heard or not. */
void rehearse_task(struct rehearsal *rehearsal, uint32_t worker, uint32_t step);

/* (a B)_p: what the estimate makes of the gradients of a partition, whatever their versions. */
double estimate_coefficient(const struct rehearsal *rehearsal, uint32_t partition);
#endif
