/* learner.h: one model being trained: w, the gradients at its present version and those kept from earlier ones, the
 * estimate built from weighted messages, the optimizer.
 * Knows no worker, clock or scheme. Version v is w after v estimates: after floor(v / a) updates where a of them are
 * accumulated into one. */
#ifndef LAGGARD_LEARNER_H
#define LAGGARD_LEARNER_H
#include "objective.h"
#include "optimizer.h"
#include "store.h"

struct learner;

struct learner_spec {
    const struct objective *objective;
    const struct objective
        *pieces; /* the same cut further: keys then name its partitions; NULL: they name those of
                                       `objective` */
    const struct optimizer_spec *optimizer;
    uint32_t replication; /* keys the mini-batches */
    size_t kept;          /* gradients of earlier versions that can still be used, at most; 0: none */
    bool penalty_kept;    /* every gradient that is kept has l2/k w of its version, and an update adds none */
    size_t sums;          /* full gradients of earlier versions that can still be used, at most; 0: none */
    bool remembers;       /* messages are made of gradients at any earlier version (see learner_message) */
};

/* w_0 = 0, evaluated. */
struct learner *learner_new(const struct learner_spec *spec);
void learner_free(struct learner *learner);

/* F(w) at the present version. */
double learner_loss(const struct learner *learner);

/* Gradients of earlier versions; see store.h. NULL when nothing is kept. */
struct store *learner_store(struct learner *learner);
/* Takes g_partition at the present version, on `batch`, into the store (no effect when it is there), with l2/k w where that is
 * kept. */
void learner_keep(struct learner *learner, struct gradient_key key);

/* The same for sum_p g_p at the present version on `batch`; the oldest ones give way. */
void learner_keep_sum(struct learner *learner, uint32_t batch);
uint32_t learner_version(const struct learner *learner);

/* The estimate is built between two updates: cleared, then messages in order of the worker's index, each a sum of
 * terms coefficient * gradient in the order given. Every gradient is of the present version or in the store. */
struct gradient_term {
    struct gradient_key key;
    uint32_t rows; /* only the first of the partition, at the present version; 0: all */
    double coefficient;
};
void learner_clear(struct learner *learner);
void learner_add_message(struct learner *learner, double weight, const struct gradient_term *term,
                         size_t terms);
/* The same of a message that was made apart. */
void learner_add_vector(struct learner *learner, double weight, const double *message);
/* Writes the sum of the terms to `message` [stride]. A gradient may be of any version not forgotten. The learner remembers
 * earlier versions. */
void learner_message(struct learner *learner, const struct gradient_term *term, size_t terms,
                     double *message);
/* Before the next update the learner would rather be told which versions are needed no more… */
bool learner_is_full(const struct learner *learner);
/* …which are those before `oldest`. */
void learner_forget(struct learner *learner, uint32_t oldest);
/* The estimate becomes sum_p g_p at the version on the batch, partitions in order: what every exact decoding amounts to.
 * The version is the present one or its sum was kept. */
void learner_add_full(struct learner *learner, uint32_t batch, uint32_t version);

/* What is measured of an estimate: the present w, the estimate, and g_p(w) of all partitions on all rows, [partitions *
 * stride], stride being the data's. */
const double *learner_w(const struct learner *learner);
const double *learner_estimate(const struct learner *learner);
const double *learner_gradients(const struct learner *learner);

/* The estimate, made with this share of the workers, makes the next version: the last of those that are accumulated moves
 * w, by the optimizer on their mean + l2 w (the mean alone where l2 w is kept) at the mean of their shares, and evaluates
 * it; the others leave w. */
void learner_update(struct learner *learner, double used_share);
#endif
