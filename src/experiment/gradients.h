/* gradients.h: F without its penalty and all g_p at one w, taken in one pass over the data: alone, or beside those of other
 * models that share the data. Where partitions are few their gradients are held; where they are many (slopes.h) each is made
 * when it is asked for. Knows no update, version or mini-batch. */
#ifndef LAGGARD_GRADIENTS_H
#define LAGGARD_GRADIENTS_H
#include "objective.h"

struct gradients;
/* The objective outlives it. Holds nothing before gradients_take. */
struct gradients *gradients_new(const struct objective *objective);
void gradients_free(struct gradients *gradients);
/* Bytes of one, nearly. */
double gradients_bytes(const struct objective *objective);
/* Becomes what the other one, of an alike objective, holds. */
void gradients_copy(struct gradients *gradients, const struct gradients *other);

/* Gradients that are to be taken at w [stride]. */
struct wanted_gradients {
    struct gradients *gradients;
    const double *w;
};
/* Scratch of one thread. */
struct passes;
struct passes *passes_new(void);
void passes_free(struct passes *passes);
/* Takes them all: a pass for each kind of objective, whatever the penalties. Each gets the bits that it gets alone. Changes
 * the order of the list. */
void gradients_take_all(struct passes *passes, struct wanted_gradients *wanted, size_t count);
void gradients_take(struct gradients *gradients, const double *w);

double gradients_loss(const struct gradients *gradients);
/* g_p [stride]; valid until the next call. */
const double *gradients_partition(struct gradients *gradients, uint32_t partition);
/* sum += sum_p g_p, partitions in order. */
void gradients_add_all(const struct gradients *gradients, double *sum);

/* Where partitions are many, sums over them are best made at once. */
bool gradients_are_many(const struct gradients *gradients);
/* sum += sum_p coefficient[p] g_p, of many: where most of the coefficients are one number and the others 0, that of all less
 * that of those. */
void gradients_add_weighted(struct gradients *gradients, double *coefficient, double *sum);

/* Whether one pass serves both. */
bool objectives_alike(const struct objective *a, const struct objective *b);
#endif
