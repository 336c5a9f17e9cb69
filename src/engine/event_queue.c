#include "event_queue.h"
#include "memory.h"
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

static bool precedes(const struct pending *a, const struct pending *b) {
    if (a->time_s != b->time_s)
        return a->time_s < b->time_s;
    if (a->worker != b->worker)
        return a->worker < b->worker;
    if (a->kind != b->kind)
        return a->kind < b->kind;
    return a->sequence < b->sequence;
}

void event_queue_init(struct event_queue *queue, size_t capacity) {
    *queue = (struct event_queue){.heap = memory_zeroed(capacity, sizeof *queue->heap), .capacity = capacity};
}

void event_queue_fini(struct event_queue *queue) {
    free(queue->heap);
    *queue = (struct event_queue){0};
}

void event_queue_push(struct event_queue *queue, struct pending event) {
    if (queue->count == queue->capacity) {
        queue->capacity = queue->capacity * 2 + 16;
        queue->heap = memory_resized(queue->heap, queue->capacity, sizeof *queue->heap);
    }
    event.sequence = queue->pushed++;
    size_t hole = queue->count++;
    while (hole > 0 && precedes(&event, &queue->heap[(hole - 1) / 2])) {
        queue->heap[hole] = queue->heap[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    queue->heap[hole] = event;
}

const struct pending *event_queue_first(const struct event_queue *queue) {
    return queue->count > 0 ? &queue->heap[0] : NULL;
}

struct pending event_queue_pop(struct event_queue *queue) {
    assert(queue->count > 0);
    struct pending first = queue->heap[0], last = queue->heap[--queue->count];
    size_t hole = 0;
    for (size_t child = 1; child < queue->count; child = 2 * hole + 1) {
        if (child + 1 < queue->count && precedes(&queue->heap[child + 1], &queue->heap[child]))
            child++;
        if (!precedes(&queue->heap[child], &last))
            break;
        queue->heap[hole] = queue->heap[child];
        hole = child;
    }
    if (queue->count > 0)
        queue->heap[hole] = last;
    return first;
}
