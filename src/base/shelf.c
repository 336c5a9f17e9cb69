#include "shelf.h"
#include "memory.h"
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next; /* of the same bucket */
    char *key;
    void *item;
    void (*release)(void *item);
};

struct shelf {
    struct entry **bucket;
    size_t buckets, entries; /* buckets: a power of two, or 0 */
    bool images;
};

struct shelf *shelf_new(void) {
    return memory_zeroed(1, sizeof(struct shelf));
}

static void entry_free(struct entry *entry) {
    if (entry->release)
        entry->release(entry->item);
    free(entry->key);
    free(entry);
}

void shelf_free(struct shelf *shelf) {
    if (!shelf)
        return;
    for (size_t b = 0; b < shelf->buckets; b++)
        for (struct entry *entry = shelf->bucket[b], *next; entry; entry = next) {
            next = entry->next;
            entry_free(entry);
        }
    free(shelf->bucket);
    free(shelf);
}

/* FNV-1a. */
static size_t bucket_of(const struct shelf *shelf, const char *key) {
    uint64_t hash = 0xcbf29ce484222325ULL;
    for (; *key; key++)
        hash = (hash ^ (unsigned char)*key) * 0x100000001b3ULL;
    return (size_t)(hash ^ hash >> 32) & (shelf->buckets - 1);
}

void *shelf_find(const struct shelf *shelf, const char *key) {
    if (shelf->buckets == 0)
        return NULL;
    for (const struct entry *entry = shelf->bucket[bucket_of(shelf, key)]; entry; entry = entry->next)
        if (strcmp(entry->key, key) == 0)
            return entry->item;
    return NULL;
}

static void put_entry(struct shelf *shelf, struct entry *entry) {
    struct entry **bucket = &shelf->bucket[bucket_of(shelf, entry->key)];
    entry->next = *bucket;
    *bucket = entry;
}

static void grow(struct shelf *shelf) {
    struct entry **old = shelf->bucket;
    size_t buckets = shelf->buckets;
    shelf->buckets = buckets > 0 ? 2 * buckets : 16;
    shelf->bucket = memory_zeroed(shelf->buckets, sizeof(struct entry *));
    for (size_t b = 0; b < buckets; b++)
        for (struct entry *entry = old[b], *next; entry; entry = next) {
            next = entry->next;
            put_entry(shelf, entry);
        }
    free(old);
}

void shelf_put(struct shelf *shelf, const char *key, void *item, void (*release)(void *item)) {
    assert(!shelf_find(shelf, key));
    if (shelf->entries == shelf->buckets)
        grow(shelf);
    struct entry *entry = memory_zeroed(1, sizeof *entry);
    *entry = (struct entry){.key = memory_text(key), .item = item, .release = release};
    put_entry(shelf, entry);
    shelf->entries++;
}

void shelf_keep_images(struct shelf *shelf) {
    shelf->images = true;
}

bool shelf_keeps_images(const struct shelf *shelf) {
    return shelf->images;
}
