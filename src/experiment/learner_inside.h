/* learner_inside.h: the inside of a learner, shared by learner.c (its versions) and learner_messages.c (gradients and what is
 * made of them). */
#ifndef LAGGARD_LEARNER_INSIDE_H
#define LAGGARD_LEARNER_INSIDE_H
#include "learner.h"
#include "past.h"
#include "walk.h"

struct learner {
    struct learner_spec spec;
    size_t length; /* features and padding */
    uint32_t version;
    struct trajectory *trajectory; /* it has been on so far; NULL: it goes alone */
    bool full; /* on the trajectory: the estimate is the full gradient, and not written out */
    /* Alone. */
    struct model *model;
    struct gradients *gradients; /* full gradients at w… */
    bool known;                  /* …once they are */
    double *
        coefficient; /* [partitions]: of gradients still to be added to the estimate; NULL: they are at once */
    bool adding;     /* some are to be */

    double *estimate, *message;
    double *batch_gradient; /* [partitions * length]: on the batches below; NULL without mini-batches */
    struct gradient_key *batch_key;                /* [partitions]: what batch_gradient holds */
    struct workspace *workspace, *piece_workspace; /* the latter NULL where nothing is cut further */
    struct store *store;
    struct store *sums; /* of all partitions, under partition 0; NULL: none are kept */
    double *prefix;     /* the gradient over the first rows of a partition, or of a piece */
    struct past *past;  /* w after each update before the present one; NULL: not remembered */
    struct walk *walk;  /* NULL: nobody takes local steps */
};

/* Something is asked for that the trajectory does not tell: from now on the learner goes alone. */
void learner_go_alone(struct learner *learner);
/* The full gradients at the present version, of a learner that is alone. */
struct gradients *learner_present(struct learner *learner);
/* A vector of zeros in `sums`, under partition 0. */
double *learner_add_sum(struct learner *learner, uint32_t batch, uint32_t version);
/* Updates made of the first so many estimates. */
static inline uint32_t learner_updates(const struct learner *learner, uint32_t version) {
    return version / learner->spec.optimizer->accumulate;
}
#endif
