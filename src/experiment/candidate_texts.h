/* candidate_texts.h: schemes as a scenario would have them, made from the tables of what there is: see candidates.h. Some may
 * be refused. */
#ifndef LAGGARD_CANDIDATE_TEXTS_H
#define LAGGARD_CANDIDATE_TEXTS_H
#include "memory.h"
#include "tree.h"
#include <stdint.h>

struct candidate_listener {
    void (*hear)(void *context, const char *text, const char *name);
    void *context;
};
/* Texts and names live in the arena. */
void candidate_texts(struct arena *arena, uint32_t workers, struct candidate_listener listener);

/* Changes the counts of workers, partitions and results in the mapping of a scheme as the number of workers changes. Returns the
 * name that it then has, in the arena. */
const char *candidate_rescale(struct arena *arena, struct node *scheme, uint32_t before, uint32_t after);
#endif
