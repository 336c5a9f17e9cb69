/* batch.h: which rows a mini-batch takes. Knows no gradient. */
#ifndef LAGGARD_BATCH_H
#define LAGGARD_BATCH_H
#include "kernel.h"
#include "objective.h"

/* The order of the rows of each partition in the epoch it was last asked for. Of one thread. */
struct batch_orders;
struct batch_orders *batch_orders_new(const struct objective *objective);
void batch_orders_free(struct batch_orders *orders);

/* The place of a mini-batch in a run. */
struct batch_place {
    uint32_t replication, partition, batch;
};

/* The rows of a mini-batch, valid until the next call. The objective has a batch, and the partition more rows. */
struct row_list batch_rows(struct batch_orders *orders, const struct objective *objective,
                           struct batch_place place);
#endif
