/* Times go to slots of equal width, more than there are times, so that most have one or none; what is out of order within a slot
 * is put right by insertion. A slot that has many is sorted by itself in the same way, whose slots are as much narrower. */
#include "time_order.h"
#include "elementary.h"
#include "memory.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 24, SLOTS = 2 }; /* in a slot; slots to a time, at most */

/* Some times, where they come from and where they go. */
struct batch {
    struct due *from, *to;
    size_t count;
    uint32_t *slot;
};

void time_order_init(struct time_order *order, size_t capacity) {
    const size_t each = 2 * sizeof *order->due + SLOTS * sizeof *order->slot;
    order->due = memory_huge(capacity + 1, each);
    order->sorted = order->due + capacity;
    order->slot = (uint32_t *)(void *)(order->sorted + capacity);
}

void time_order_fini(struct time_order *order) {
    free(order->due);
    *order = (struct time_order){0};
}

static bool before(const struct due *a, const struct due *b) {
    return a->time < b->time || (a->time == b->time && a->worker < b->worker);
}

static void insert_all(struct due *due, size_t count) {
    for (size_t q = 1; q < count; q++) {
        if (!before(&due[q], &due[q - 1]))
            continue;
        const struct due one = due[q];
        size_t at = q;
        for (; at > 0 && before(&one, &due[at - 1]); at--)
            due[at] = due[at - 1];
        due[at] = one;
    }
}

/* Slot (key - least) >> shift; keys are times or, where all times are equal, workers. */
struct ruler {
    bool by_worker;
    uint64_t least, most;
    unsigned shift;
    size_t slots;
};

static uint64_t key_of(const struct ruler *ruler, const struct due *due) {
    return ruler->by_worker ? due->worker : due->time;
}

static size_t slot_of(const struct ruler *ruler, const struct due *due) {
    return (size_t)((key_of(ruler, due) - ruler->least) >> ruler->shift);
}

static void find_ends(struct ruler *ruler, const struct due *due, size_t count) {
    ruler->least = UINT64_MAX;
    ruler->most = 0;
    for (size_t q = 0; q < count; q++) {
        const uint64_t key = key_of(ruler, &due[q]);
        ruler->least = key < ruler->least ? key : ruler->least;
        ruler->most = key > ruler->most ? key : ruler->most;
    }
}

static void divide(struct ruler *ruler, size_t count) {
    const uint64_t span = ruler->most - ruler->least;
    ruler->shift = 0;
    while (span >> ruler->shift >= SLOTS * count)
        ruler->shift++;
    ruler->slots = (size_t)(span >> ruler->shift) + 1;
}

static struct ruler ruler_of(const struct due *due, size_t count) {
    struct ruler ruler = {.by_worker = false};
    find_ends(&ruler, due, count);
    ruler.by_worker = ruler.least == ruler.most;
    if (ruler.by_worker)
        find_ends(&ruler, due, count);
    divide(&ruler, count);
    return ruler;
}

/* Slots hold how many go before them, and at last how many go up to and with them. Returns the most in one. */
static uint32_t distribute(const struct batch *batch, const struct ruler *ruler) {
    uint32_t *slot = batch->slot, before_it = 0, most = 0;
    memset(slot, 0, ruler->slots * sizeof *slot);
    for (size_t q = 0; q < batch->count; q++)
        slot[slot_of(ruler, &batch->from[q])]++;
    for (size_t s = 0; s < ruler->slots; s++) {
        const uint32_t here = slot[s];
        slot[s] = before_it;
        before_it += here;
        most = here > most ? here : most;
    }
    for (size_t q = 0; q < batch->count; q++)
        batch->to[slot[slot_of(ruler, &batch->from[q])]++] = batch->from[q];
    return most;
}

static void sort(const struct batch *batch, const struct ruler *ruler);

/* Those of one slot, which are fewer. */
static void sort_slot(const struct batch *batch, size_t first, size_t count) {
    struct batch some = {batch->from + first, batch->to + first, count,
                         memory_huge(SLOTS * count, sizeof(uint32_t))};
    memcpy(some.from, some.to, count * sizeof *some.to);
    struct ruler ruler = ruler_of(some.from, count);
    sort(&some, &ruler);
    free(some.slot);
}

static void sort(const struct batch *batch, const struct ruler *ruler) {
    const uint32_t most = distribute(batch, ruler);
    for (size_t s = 0, first = 0; most > MANY && s < ruler->slots; first = batch->slot[s++])
        if (batch->slot[s] - first > MANY)
            sort_slot(batch, first, batch->slot[s] - first);
    insert_all(batch->to, batch->count);
}

void time_order_sort(struct time_order *order, size_t count, const struct time_span *span) {
    struct ruler ruler = {.least = elementary_bits(span->since_s), .most = elementary_bits(span->until_s)};
    if (count == 0)
        return;
    divide(&ruler, count);
    sort(&(struct batch){order->due, order->sorted, count, order->slot}, &ruler);
}
