/* walk.h: a worker's own steps of plain sgd, x <- x - eta (k g(x) + l2 x), from a model w.
 * Knows no message and no version. */
#ifndef LAGGARD_WALK_H
#define LAGGARD_WALK_H
#include "objective.h"
#include "store.h"

struct walk;
/* On the partitions of the objective, with the batches of the replication. */
struct walk *walk_new(const struct objective *objective, uint32_t replication);
void walk_free(struct walk *walk);

/* x becomes w [stride]. */
void walk_begin(struct walk *walk, const double *w);
/* Of the key's partition at x, on its batch, whatever its version; valid until the next call. */
const double *walk_gradient(struct walk *walk, struct gradient_key key);
/* x moves by a gradient of a partition at x. */
void walk_step(struct walk *walk, double rate, const double *gradient);
/* message += coefficient * l2 (x - w)/k */
void walk_add_penalty(struct walk *walk, double coefficient, double *message);
/* F(x): a pass over the data. */
double walk_loss(struct walk *walk);
#endif
