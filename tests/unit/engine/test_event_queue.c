/* The event queue against a slow obvious twin: an unsorted array searched for its smallest entry. */
#include "event_queue.h"
#include "stream.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#define MOST 200

struct twin {
    struct pending event[MOST];
    size_t count;
    uint64_t pushed;
};

static int before(const struct pending *a, const struct pending *b) {
    if (a->time_s != b->time_s)
        return a->time_s < b->time_s;
    if (a->worker != b->worker)
        return a->worker < b->worker;
    if (a->kind != b->kind)
        return a->kind < b->kind;
    return a->sequence < b->sequence;
}

static void twin_push(struct twin *twin, struct pending event) {
    event.sequence = twin->pushed++;
    twin->event[twin->count++] = event;
}

static struct pending twin_pop(struct twin *twin) {
    size_t first = 0;
    for (size_t e = 1; e < twin->count; e++)
        if (before(&twin->event[e], &twin->event[first]))
            first = e;
    struct pending event = twin->event[first];
    twin->event[first] = twin->event[--twin->count];
    return event;
}

/* Few different times and workers, so that most events have equals. */
static struct pending random_event(struct draw *draw) {
    return (struct pending){.time_s = draw_index(draw, 6) * 0.5,
                            .worker = draw_index(draw, 3),
                            .kind = draw_index(draw, 2),
                            .step = draw_index(draw, 1000)};
}

Test(event_queue, equals_an_unsorted_array) {
    struct event_queue queue;
    struct twin twin = {.count = 0};
    struct draw draw = {{11, 0, PURPOSE_DATA}, 0, 0, 0};
    event_queue_init(&queue, 1);
    for (int turn = 0; turn < 5000; turn++) {
        draw.step = (uint32_t)turn;
        draw.draw = 0;
        if (twin.count > 0 && (twin.count == MOST || draw_index(&draw, 100) < 48)) {
            struct pending wanted = twin_pop(&twin), found = event_queue_pop(&queue);
            cr_assert(eq(u64, found.sequence, wanted.sequence), "turn %d", turn);
            cr_assert(eq(u32, found.step, wanted.step), "turn %d", turn);
        } else {
            struct pending event = random_event(&draw);
            twin_push(&twin, event);
            event_queue_push(&queue, event);
        }
    }
    cr_expect(eq(sz, queue.count, twin.count));
    event_queue_fini(&queue);
}

Test(event_queue, empty_has_no_first) {
    struct event_queue queue;
    event_queue_init(&queue, 4);
    cr_expect(event_queue_first(&queue) == NULL);
    event_queue_push(&queue, (struct pending){.time_s = 3});
    cr_expect(eq(dbl, event_queue_first(&queue)->time_s, 3));
    event_queue_pop(&queue);
    cr_expect(event_queue_first(&queue) == NULL);
    event_queue_fini(&queue);
}
