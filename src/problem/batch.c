#include "batch.h"
#include <stdlib.h>

struct order {
    uint32_t replication, epoch;
    bool drawn;
};

struct batch_orders {
    struct order *order; /* of each partition */
    uint32_t *row;       /* all rows; those of a partition in its order */
};

struct batch_orders *batch_orders_new(const struct objective *objective) {
    struct batch_orders *orders = memory_zeroed(1, sizeof *orders);
    if (objective->batch == 0)
        return orders;
    orders->order = memory_zeroed(objective->partitions, sizeof *orders->order);
    orders->row = memory_zeroed(objective->data->samples, sizeof *orders->row);
    return orders;
}

void batch_orders_free(struct batch_orders *orders) {
    if (!orders)
        return;
    free(orders->order);
    free(orders->row);
    free(orders);
}

/* A key has 2^16 draws; later positions go on at workers that no partition has. */
static uint32_t position_draw(const struct objective *objective, struct batch_place place, uint32_t epoch,
                              uint32_t position) {
    struct draw draw = {
        .stream = {objective->seed, place.replication, PURPOSE_BATCH},
        .worker = place.partition + objective->partitions * (position >> 16),
        .step = epoch,
        .draw = position & 0xffff,
    };
    return draw_index(&draw, partition_rows(objective, place.partition) - position);
}

static void shuffle_rows(uint32_t *row, const struct objective *objective, struct batch_place place,
                         uint32_t epoch) {
    const uint32_t begin = partition_begin(objective, place.partition);
    const uint32_t rows = partition_rows(objective, place.partition);
    for (uint32_t position = 0; position < rows; position++)
        row[position] = begin + position;
    for (uint32_t position = 0; position + 1 < rows; position++) {
        const uint32_t other = position + position_draw(objective, place, epoch, position);
        const uint32_t kept = row[position];
        row[position] = row[other];
        row[other] = kept;
    }
}

struct row_list batch_rows(struct batch_orders *orders, const struct objective *objective,
                           struct batch_place place) {
    const uint32_t rows = partition_rows(objective, place.partition), size = objective->batch;
    const uint32_t batches = rows / size + (rows % size != 0);
    const uint32_t epoch = place.batch / batches, first = place.batch % batches * size;
    struct order *order = &orders->order[place.partition];
    uint32_t *row = orders->row + partition_begin(objective, place.partition);
    if (!order->drawn || order->epoch != epoch || order->replication != place.replication) {
        shuffle_rows(row, objective, place, epoch);
        *order = (struct order){.replication = place.replication, .epoch = epoch, .drawn = true};
    }
    return (struct row_list){row + first, rows - first < size ? rows - first : size};
}
