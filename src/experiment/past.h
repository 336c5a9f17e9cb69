/* past.h: the models of earlier versions, for work that goes on at them. Grows by doubling; the caller says which versions
 * nobody will ask for again. Knows no worker and no gradient. */
#ifndef LAGGARD_PAST_H
#define LAGGARD_PAST_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct past;
/* Of models of `length` doubles. */
struct past *past_new(size_t length);
void past_free(struct past *past);

/* Adds w of the version that follows the last one added, 0 at first. */
void past_add(struct past *past, const double *w);
/* w of a version that was added and not forgotten. */
const double *past_find(const struct past *past, uint32_t version);
/* The next one that is added takes more memory, unless earlier ones are forgotten first. */
bool past_full(const struct past *past);
/* Forgets the versions before `oldest`. */
void past_forget(struct past *past, uint32_t oldest);
#endif
