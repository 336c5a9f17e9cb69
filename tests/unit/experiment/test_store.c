/* The store of kept gradients against a plain list. */
#include "store.h"
#include "stream.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#define CAPACITY 50
#define LENGTH   3

struct listed {
    struct gradient_key key;
    double value;
    int marked;
};
struct list {
    struct listed entry[CAPACITY];
    size_t count;
};

static struct listed *list_find(struct list *list, struct gradient_key key) {
    for (size_t e = 0; e < list->count; e++)
        if (list->entry[e].key.partition == key.partition && list->entry[e].key.batch == key.batch &&
            list->entry[e].key.version == key.version)
            return &list->entry[e];
    return NULL;
}

static void list_sweep(struct list *list) {
    size_t kept = 0;
    for (size_t e = 0; e < list->count; e++)
        if (list->entry[e].marked) {
            list->entry[kept] = list->entry[e];
            list->entry[kept++].marked = 0;
        }
    list->count = kept;
}

/* Few keys, so that most are met again. */
static struct gradient_key random_key(struct draw *draw) {
    return (struct gradient_key){draw_index(draw, 5), draw_index(draw, 2), draw_index(draw, 12)};
}

static void expect_same(const struct store *store, struct list *list, int turn) {
    for (uint32_t p = 0; p < 5; p++)
        for (uint32_t batch = 0; batch < 2; batch++)
            for (uint32_t version = 0; version < 12; version++) {
                struct gradient_key key = {p, batch, version};
                const double *found = store_find(store, key);
                struct listed *wanted = list_find(list, key);
                cr_assert(eq(int, found != NULL, wanted != NULL), "turn %d", turn);
                if (found)
                    cr_assert(eq(dbl, found[LENGTH - 1], wanted->value), "turn %d", turn);
            }
}

Test(store, equals_a_list) {
    size_t capacity = CAPACITY / 2;
    struct store *store = store_new(capacity, LENGTH);
    struct list list = {.count = 0};
    struct draw draw = {{3, 0, PURPOSE_DATA}, 0, 0, 0};
    for (int turn = 0; turn < 3000; turn++) {
        draw.step = (uint32_t)turn;
        draw.draw = 0;
        struct gradient_key key = random_key(&draw);
        struct listed *there = list_find(&list, key);
        uint32_t action = draw_index(&draw, 10);
        if (action < 6 && !there && store_room(store) > 0) {
            list.entry[list.count++] = (struct listed){key, turn, 0};
            store_add(store, key)[LENGTH - 1] = turn;
        } else if (action < 8) {
            store_mark(store, key);
            if (there)
                there->marked = 1;
        } else if (action == 8) {
            store_mark_since(store, key.version);
            for (size_t e = 0; e < list.count; e++)
                list.entry[e].marked |= list.entry[e].key.version >= key.version;
        } else if (store_room(store) < 10) {
            store_sweep(store);
            list_sweep(&list);
        }
        if (turn % 500 == 499 && capacity < CAPACITY)
            store_grow(store,
                       capacity = capacity + CAPACITY / 8 < CAPACITY ? capacity + CAPACITY / 8 : CAPACITY);
        cr_assert(eq(sz, store_capacity(store), capacity));
        cr_assert(eq(sz, store_room(store), capacity - list.count), "turn %d", turn);
        expect_same(store, &list, turn);
    }
    store_free(store);
}
