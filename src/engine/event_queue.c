#include "event_queue.h"
#include "memory.h"
#include <assert.h>
#include <stdlib.h>

static bool goes_first(const struct pending *a, const struct pending *b) {
    if (a->worker != b->worker)
        return a->worker < b->worker;
    if (a->kind != b->kind)
        return a->kind < b->kind;
    return a->sequence < b->sequence;
}

/* Which of two times is the smaller is a toss-up, which the processor cannot foresee; that they are equal is rare. */
static bool precedes(const struct pending *a, const struct pending *b) {
    if (__builtin_expect(a->time_s == b->time_s, 0))
        return goes_first(a, b);
    return a->time_s < b->time_s;
}

void event_queue_init(struct event_queue *queue, size_t capacity) {
    *queue = (struct event_queue){.heap = memory_zeroed(capacity, sizeof *queue->heap), .capacity = capacity};
}

void event_queue_fini(struct event_queue *queue) {
    free(queue->heap);
    *queue = (struct event_queue){0};
}

/* Puts the event where it belongs, from the empty place at the top down. */
static void sink(struct event_queue *queue, struct pending event) {
    struct pending *heap = queue->heap;
    size_t hole = 0, child = 1;
    while (child + 1 < queue->count) {
        child += precedes(&heap[child + 1], &heap[child]);
        if (!precedes(&heap[child], &event))
            break;
        heap[hole] = heap[child];
        hole = child;
        child = 2 * hole + 1;
    }
    if (child + 1 == queue->count && precedes(&heap[child], &event)) {
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = event;
}

static void rise(struct event_queue *queue, struct pending event) {
    size_t hole = queue->count++;
    while (hole > 0 && precedes(&event, &queue->heap[(hole - 1) / 2])) {
        queue->heap[hole] = queue->heap[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    queue->heap[hole] = event;
}

/* What follows an event is often pushed right after it was taken: then one walk does for both. */
void event_queue_push(struct event_queue *queue, struct pending event) {
    event.sequence = queue->pushed++ & ((UINT64_C(1) << 56) - 1);
    if (queue->hole) {
        queue->hole = false;
        sink(queue, event);
        return;
    }
    if (queue->count == queue->capacity) {
        queue->capacity = queue->capacity * 2 + 16;
        queue->heap = memory_resized(queue->heap, queue->capacity, sizeof *queue->heap);
    }
    rise(queue, event);
}

static void fill_hole(struct event_queue *queue) {
    if (!queue->hole)
        return;
    queue->hole = false;
    struct pending last = queue->heap[--queue->count];
    if (queue->count > 0)
        sink(queue, last);
}

const struct pending *event_queue_first(struct event_queue *queue) {
    fill_hole(queue);
    return queue->count > 0 ? &queue->heap[0] : NULL;
}

struct pending event_queue_pop(struct event_queue *queue) {
    fill_hole(queue);
    assert(queue->count > 0);
    queue->hole = true;
    return queue->heap[0];
}
