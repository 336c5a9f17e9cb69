/* cr_subset.h: the decode weights of some of the messages offered: those that were coded together by one cr_code.
 * Knows no gradients and no rounds. */
#ifndef LAGGARD_CR_SUBSET_H
#define LAGGARD_CR_SUBSET_H
#include "cr_code.h"

struct cr_subset {
    uint32_t messages;
    struct message *message; /* [n] */
    uint32_t *place;         /* [n]: where each stands among those offered */
    double *weight;          /* [n] */
};

void cr_subset_begin(struct cr_subset *subset, uint32_t workers, struct arena *arena);
void cr_subset_clear(struct cr_subset *subset);
/* At most one of each worker, by worker index. */
void cr_subset_add(struct cr_subset *subset, const struct message *message, uint32_t place);
/* Sets the weights of the subset in `out` as cr_code_weigh does; raises its residual and largest weight to those of the
 * subset where they are below. */
void cr_subset_weigh(struct cr_subset *subset, struct cr_code *code, struct decoding *out);
#endif
