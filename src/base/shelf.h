/* shelf.h: things loaded once and shared: data sets, traces. Looked up by a text that says all they depend on.
 * Knows nothing of what it holds. Not for use from several threads. */
#ifndef LAGGARD_SHELF_H
#define LAGGARD_SHELF_H
#include <stdbool.h>

struct shelf;
struct shelf *shelf_new(void);
/* Frees everything put on it. */
void shelf_free(struct shelf *shelf);
/* What stands under `key`, or NULL. */
void *shelf_find(const struct shelf *shelf, const char *key);
/* Puts `item` under `key` (copied); `release` frees it with the shelf; NULL: not the
 * shelf's to free. */
void shelf_put(struct shelf *shelf, const char *key, void *item, void (*release)(void *item));

/* From now on what is loaded for this shelf may be kept from run to run too, in images beside the files (image.h). */
void shelf_keep_images(struct shelf *shelf);
bool shelf_keeps_images(const struct shelf *shelf);
#endif
