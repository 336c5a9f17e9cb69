/* model.h: w and what moves it: estimates, of which several may be accumulated into one update, and the optimizer with its
 * memory. Knows no data but their width, no partition and no message. */
#ifndef LAGGARD_MODEL_H
#define LAGGARD_MODEL_H
#include "objective.h"
#include "optimizer.h"

struct model_spec {
    const struct objective *objective; /* whose penalty an update adds */
    const struct optimizer_spec *optimizer;
    bool penalty_apart;   /* an update adds none */
    uint32_t local_steps; /* an update moves w by so many times the step size; 0: 1 */
};

struct model;
/* w_0 = 0. The objective and the optimizer outlive it. */
struct model *model_new(const struct model_spec *spec);
void model_free(struct model *model);
/* Becomes what the other one, of an equal spec, is. */
void model_copy(struct model *model, const struct model *other);
/* Bytes of one. */
size_t model_bytes(const struct model_spec *spec);

const double *model_w(const struct model *model);
/* Estimates so far. */
uint32_t model_version(const struct model *model);
/* The next estimate makes an update: it is the last of those that are accumulated. */
bool model_ripe(const struct model *model);

/* An estimate [stride], made with this share of the workers: the last of those that are accumulated moves w, by the
 * optimizer on their mean + l2 w at the mean of their shares, and true is returned; the others leave w. Writes over it. */
bool model_update(struct model *model, double *estimate, double used_share);
/* The inner product of the gradients (estimate + l2 w) that the last two updates were made by, before they were clipped; NAN
 * before the second. */
double model_turn(const struct model *model);
#endif
