/* event_queue.h: pending events in the order (time, worker, kind, sequence): a binary heap, for what a worker may have several
 * of (see tournament.h for what it has one of). Knows nothing of what events mean; dropped ones are left in place and told
 * apart by their ticket. */
#ifndef LAGGARD_EVENT_QUEUE_H
#define LAGGARD_EVENT_QUEUE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Half a cache line, since the queue is walked at every event. */
struct pending {
    double time_s;
    uint32_t worker, step;
    uint64_t kind : 8;
    uint64_t sequence : 56; /* set by event_queue_push: earlier pushed first among equals */
    uint32_t part, ticket;
};

struct event_queue {
    struct pending *heap;
    size_t count, capacity;
    bool hole; /* the first one was taken and its place is still empty; it is counted */
    uint64_t pushed;
};

void event_queue_init(struct event_queue *queue, size_t capacity);
void event_queue_fini(struct event_queue *queue);
void event_queue_push(struct event_queue *queue, struct pending event);
/* The first event, or NULL. */
const struct pending *event_queue_first(struct event_queue *queue);
/* Removes and returns the first event of a queue that has one. */
struct pending event_queue_pop(struct event_queue *queue);
#endif
