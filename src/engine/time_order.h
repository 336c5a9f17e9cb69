/* time_order.h: puts many times in their order: in a few passes over them, as long as they lie apart as those of many workers
 * do; in O(n log n) wherever they lie. Knows only numbers. */
#ifndef LAGGARD_TIME_ORDER_H
#define LAGGARD_TIME_ORDER_H
#include <stddef.h>
#include <stdint.h>

struct due {
    uint64_t time;   /* the bits of a time >= 0, which are in the order of the times */
    uint32_t worker; /* of equal times the lower one is first */
    uint32_t place;  /* the caller's: what goes with it */
};

struct time_order {
    struct due *due;    /* [capacity]: as the caller finds them; owns all three */
    struct due *sorted; /* [capacity] */
    uint32_t *slot;
};
/* For so many, which are not there yet. */
void time_order_init(struct time_order *order, size_t capacity);
void time_order_fini(struct time_order *order);

/* Where all times are that are to be sorted. */
struct time_span {
    double since_s, until_s;
};
/* Writes the first `count` of `due`, no two of which are equal in time and worker, to `sorted` in their order; `due` means
 * nothing then. */
void time_order_sort(struct time_order *order, size_t count, const struct time_span *span);
#endif
