/* learner.h: one model being trained: w, the gradients at its present version and those kept from earlier ones, the
 * estimate built from weighted messages, the optimizer.
 * Knows no worker, clock or scheme. Version v is w after v estimates: after floor(v / a) updates where a of them are
 * accumulated into one. */
#ifndef LAGGARD_LEARNER_H
#define LAGGARD_LEARNER_H
#include "store.h"
#include "trajectory.h"

struct learner;

struct learner_spec {
    const struct objective *objective;
    const struct objective
        *pieces; /* the same cut further: keys then name its partitions; NULL: they name those of
                                       `objective` */
    const struct optimizer_spec *optimizer;
    uint32_t replication; /* keys the mini-batches */
    size_t kept;          /* gradients of earlier versions that can still be used, at most; 0: none */
    size_t sums;          /* full gradients of earlier versions that can still be used, at most; 0: none */
    bool remembers;       /* messages are made of gradients at any earlier version (see learner_message) */
    bool penalty_apart;   /* l2 w is added by learner_add_penalty, and an update adds none */
    uint32_t local_steps; /* H of scheme.h: an update moves w by so many times the step size; 0: 1 */
    struct trajectory *
        trajectory; /* NULL, or the versions of full gradients, which the learner is on as long as its estimates are
                             those and nothing else is asked of it: results are the same, and nothing is computed twice */
};

/* w_0 = 0. */
struct learner *learner_new(const struct learner_spec *spec);
void learner_free(struct learner *learner);

/* F and the gradients at w are taken once for every w: by whoever asks for them first, or before that together with those of
 * other learners. Whether they are still to be taken… */
bool learner_waits(const struct learner *learner);
/* …and what is wanted then: true, and learner_take follows gradients_take_all; or false where another one takes them. */
bool learner_want(struct learner *learner, struct wanted_gradients *wanted);
void learner_take(struct learner *learner);

/* F(w) at the present version. */
double learner_loss(struct learner *learner);

/* Gradients of earlier versions; see store.h. NULL when nothing is kept. */
struct store *learner_store(struct learner *learner);
/* Takes g_partition at the present version, on `batch`, into the store (no effect when it is there). */
void learner_keep(struct learner *learner, struct gradient_key key);

/* The same for the present w, beside the gradients: what a compensation is measured from and a penalty is of. */
void learner_keep_model(struct learner *learner);
/* Its key. */
struct gradient_key model_key(uint32_t version);

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
/* What becomes of a message m in the estimate: weight (m + c m m (w_now - w_used)), feature by feature. */
struct weighting {
    double weight;
    double
        compensation; /* c of staleness.h, for messages of one earlier version, whose w was kept; 0: none */
};
void learner_clear(struct learner *learner);
void learner_add_message(struct learner *learner, struct weighting weighting,
                         const struct gradient_term *term, size_t terms);
/* The same of a message that was made apart, at `version`. */
void learner_add_vector(struct learner *learner, struct weighting weighting, const double *message,
                        uint32_t version);
/* Writes the sum of the terms to `message` [stride]. A gradient may be of any version not forgotten where the learner
 * remembers earlier ones. Where there are local steps, the terms are those of a worker: the first is taken at w of its
 * version, the h-th at the x that the steps before it lead to, x <- x - eta (k g(x) + l2 x). Each carries the penalty's part
 * of the walk along, l2 (x - w)/k, so that the update by sum weight * message is the mean of the x that the walks end at when
 * the weights times coefficients are k/(H R), R being the walks; the keys' partitions are those of `objective`. */
void learner_message(struct learner *learner, const struct gradient_term *term, size_t terms,
                     double *message);
/* F at the x that such a walk ends at: a pass over the data. */
double learner_walk_loss(struct learner *learner, const struct gradient_term *term, size_t terms);
/* Adds weight * l2/k w at the version to the estimate; w is the present one or was kept. */
void learner_add_penalty(struct learner *learner, double weight, uint32_t version);
/* The estimate so far times a factor. */
void learner_scale(struct learner *learner, double factor);
/* Before the next update the learner would rather be told which versions are needed no more… */
bool learner_is_full(const struct learner *learner);
/* …which are those before `oldest`. */
void learner_forget(struct learner *learner, uint32_t oldest);
/* The estimate becomes sum_p g_p at the version on the batch, partitions in order: what every exact decoding amounts to.
 * The version is the present one or its sum was kept. */
void learner_add_full(struct learner *learner, uint32_t batch, uint32_t version);

/* What is measured of an estimate: the present w, the estimate, and g_p(w) on all rows, valid until the next call. */
const double *learner_w(struct learner *learner);
const double *learner_estimate(struct learner *learner);
const double *learner_gradient(struct learner *learner, uint32_t partition);
/* sum += sum_p g_p(w), partitions in order. */
void learner_add_gradients(struct learner *learner, double *sum);

/* The estimate, made with this share of the workers, makes the next version: the last of those that are accumulated moves
 * w, by the optimizer on their mean + l2 w at the mean of their shares; the others leave w. Whether w was moved. */
bool learner_update(struct learner *learner, double used_share);

/* The inner product of the gradients (estimate + l2 w) that the last two updates were made by, before they were clipped; NAN
 * before the second. */
double learner_turn(const struct learner *learner);
#endif
