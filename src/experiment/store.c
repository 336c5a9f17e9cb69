#include "store.h"
#include "memory.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define VACANT UINT32_MAX

struct entry {
    struct gradient_key key;
    uint32_t row; /* in the pool */
    bool marked;
};

struct store {
    size_t capacity, length, count, slots;
    struct entry *entry; /* [capacity], the first `count` in use */
    uint32_t *slot;      /* [slots], a power of two: open addressing into entry, or VACANT */
    double *pool;        /* [capacity * length] */
};

/* The table of slots is empty after it. */
static void make_slots(struct store *store) {
    store->slots = 16;
    while (store->slots < 2 * store->capacity)
        store->slots *= 2;
    free(store->slot);
    store->slot = memory_zeroed(store->slots, sizeof *store->slot);
    memset(store->slot, 0xff, store->slots * sizeof *store->slot);
}

struct store *store_new(size_t capacity, size_t length) {
    assert(capacity < VACANT);
    struct store *store = memory_zeroed(1, sizeof *store);
    store->capacity = capacity;
    store->length = length;
    store->entry = memory_zeroed(capacity, sizeof *store->entry);
    store->pool = memory_zeroed(capacity * length, sizeof *store->pool);
    make_slots(store);
    for (size_t e = 0; e < capacity; e++)
        store->entry[e].row = (uint32_t)e;
    return store;
}

void store_free(struct store *store) {
    if (!store)
        return;
    free(store->entry);
    free(store->slot);
    free(store->pool);
    free(store);
}

static bool same(struct gradient_key a, struct gradient_key b) {
    return a.partition == b.partition && a.batch == b.batch && a.version == b.version;
}

static size_t home(const struct store *store, struct gradient_key key) {
    uint64_t hash = key.partition * 0x9e3779b97f4a7c15ULL;
    hash = (hash ^ key.version) * 0xbf58476d1ce4e5b9ULL;
    hash = (hash ^ key.batch ^ (hash >> 31)) * 0x94d049bb133111ebULL;
    return (hash >> 20) & (store->slots - 1);
}

/* The slot that holds the key, or the vacant one where it belongs. */
static size_t slot_of(const struct store *store, struct gradient_key key) {
    size_t slot = home(store, key);
    while (store->slot[slot] != VACANT && !same(store->entry[store->slot[slot]].key, key))
        slot = (slot + 1) & (store->slots - 1);
    return slot;
}

static struct entry *entry_of(const struct store *store, struct gradient_key key) {
    uint32_t e = store->slot[slot_of(store, key)];
    return e == VACANT ? NULL : &store->entry[e];
}

const double *store_find(const struct store *store, struct gradient_key key) {
    const struct entry *entry = entry_of(store, key);
    return entry ? &store->pool[entry->row * store->length] : NULL;
}

double *store_add(struct store *store, struct gradient_key key) {
    size_t slot = slot_of(store, key);
    assert(store->count < store->capacity && store->slot[slot] == VACANT);
    struct entry *entry = &store->entry[store->count];
    store->slot[slot] = (uint32_t)store->count++;
    entry->key = key;
    entry->marked = false;
    return &store->pool[entry->row * store->length];
}

size_t store_room(const struct store *store) {
    return store->capacity - store->count;
}

void store_grow(struct store *store, size_t capacity) {
    assert(capacity >= store->capacity && capacity < VACANT);
    store->entry = memory_resized(store->entry, capacity, sizeof *store->entry);
    store->pool = memory_resized(store->pool, capacity * store->length, sizeof *store->pool);
    for (size_t e = store->capacity; e < capacity; e++)
        store->entry[e] = (struct entry){.row = (uint32_t)e};
    store->capacity = capacity;
    make_slots(store);
    for (size_t e = 0; e < store->count; e++)
        store->slot[slot_of(store, store->entry[e].key)] = (uint32_t)e;
}

size_t store_capacity(const struct store *store) {
    return store->capacity;
}

void store_mark(struct store *store, struct gradient_key key) {
    struct entry *entry = entry_of(store, key);
    if (entry)
        entry->marked = true;
}

void store_mark_since(struct store *store, uint32_t oldest) {
    for (size_t e = 0; e < store->count; e++)
        if (store->entry[e].key.version >= oldest)
            store->entry[e].marked = true;
}

void store_mark_latest(struct store *store, size_t count) {
    for (size_t e = store->count > count ? store->count - count : 0; e < store->count; e++)
        store->entry[e].marked = true;
}

void store_sweep(struct store *store) {
    size_t kept = 0;
    memset(store->slot, 0xff, store->slots * sizeof *store->slot);
    for (size_t e = 0; e < store->count; e++) {
        if (!store->entry[e].marked)
            continue;
        struct entry survivor = store->entry[e];
        survivor.marked = false;
        store->entry[e].row = store->entry[kept].row; /* rows are swapped, so each stays in use once */
        store->entry[kept] = survivor;
        store->slot[slot_of(store, survivor.key)] = (uint32_t)kept++;
    }
    store->count = kept;
}
