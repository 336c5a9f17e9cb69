/* store.h: gradients that outlive the model version they were taken at, keyed (partition, batch, version). The
 * caller marks what can still be used and sweeps the rest when there is no room.
 * Knows no scheme and no arithmetic. */
#ifndef LAGGARD_STORE_H
#define LAGGARD_STORE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gradient_key {
    uint32_t partition, batch, version;
};

struct store;
/* Room for `capacity` gradients of `length` doubles. */
struct store *store_new(size_t capacity, size_t length);
void store_free(struct store *store);

/* The gradient under a key, or NULL. */
const double *store_find(const struct store *store, struct gradient_key key);
/* Room for the gradient under a key that is not there yet; the caller fills it. */
double *store_add(struct store *store, struct gradient_key key);
/* Gradients that can be added before a sweep is due. */
size_t store_room(const struct store *store);
/* Gradients that there is room for in all. */
size_t store_capacity(const struct store *store);
/* From now on there is room for so many, no fewer than before; those found before are not where they were. */
void store_grow(struct store *store, size_t capacity);

/* Marks a gradient (absent ones are fine) to survive the next sweep. */
void store_mark(struct store *store, struct gradient_key key);
/* Marks all versions from `oldest` on. */
void store_mark_since(struct store *store, uint32_t oldest);
/* Marks the `count` that were added last. */
void store_mark_latest(struct store *store, size_t count);
/* Forgets what was not marked since the last sweep. */
void store_sweep(struct store *store);
#endif
