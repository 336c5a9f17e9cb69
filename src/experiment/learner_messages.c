#include "learner_inside.h"
#include <assert.h>
#include <string.h>

/* The mini-batch gradient at the present version, computed once however many workers ask for it. */
static const double *batch_gradient(struct learner *learner, struct gradient_key key) {
    struct gradient_key *held = &learner->batch_key[key.partition];
    double *gradient = &learner->batch_gradient[key.partition * learner->length];
    if (held->version != key.version || held->batch != key.batch)
        objective_batch_gradient(learner->spec.objective, learner->workspace, learner->spec.replication,
                                 key.partition, key.batch, model_w(learner->model), gradient);
    *held = key;
    return gradient;
}

/* Of a partition of the objective. */
static const double *partition_gradient(struct learner *learner, struct gradient_key key) {
    assert(key.version == learner->version);
    return learner->batch_gradient ? batch_gradient(learner, key)
                                   : gradients_partition(learner_present(learner), key.partition);
}

/* What keys name partitions of. */
static const struct objective *named_objective(const struct learner *learner) {
    return learner->spec.pieces ? learner->spec.pieces : learner->spec.objective;
}

static struct workspace *named_workspace(const struct learner *learner) {
    return learner->piece_workspace ? learner->piece_workspace : learner->workspace;
}

/* Computed anew; valid until the next call. */
static const double *gradient_at(struct learner *learner, struct gradient_key key, const double *w) {
    objective_batch_gradient(named_objective(learner), named_workspace(learner), learner->spec.replication,
                             key.partition, key.batch, w, learner->prefix);
    return learner->prefix;
}

/* Of what keys name; valid until the next call. */
static const double *present_gradient(struct learner *learner, struct gradient_key key) {
    if (!learner->piece_workspace)
        return partition_gradient(learner, key);
    assert(key.version == learner->version);
    return gradient_at(learner, key, model_w(learner->model));
}

/* No partition has this number. */
struct gradient_key model_key(uint32_t version) {
    return (struct gradient_key){UINT32_MAX, 0, version};
}

static const double *model_of(const struct learner *learner, uint32_t version) {
    uint32_t updates = learner_updates(learner, version);
    if (updates == learner_updates(learner, learner->version))
        return model_w(learner->model);
    const double *kept = learner->store ? store_find(learner->store, model_key(version)) : NULL;
    if (kept)
        return kept;
    assert(learner->past);
    return past_find(learner->past, updates);
}

static const double *gradient_of(struct learner *learner, struct gradient_key key) {
    if (key.version == learner->version)
        return present_gradient(learner, key);
    const double *kept = learner->store ? store_find(learner->store, key) : NULL;
    return kept ? kept : gradient_at(learner, key, model_of(learner, key.version));
}

void learner_keep(struct learner *learner, struct gradient_key key) {
    learner_go_alone(learner);
    if (store_find(learner->store, key))
        return;
    const double *gradient = present_gradient(learner, key);
    memcpy(store_add(learner->store, key), gradient, learner->length * sizeof *gradient);
}

void learner_keep_model(struct learner *learner) {
    struct gradient_key key = model_key(learner->version);
    learner_go_alone(learner);
    if (!store_find(learner->store, key))
        memcpy(store_add(learner->store, key), model_w(learner->model), learner->length * sizeof(double));
}

static void add_partitions(struct learner *learner, uint32_t batch, double *sum) {
    if (!learner->batch_gradient) {
        gradients_add_all(learner_present(learner), sum);
        return;
    }
    for (uint32_t p = 0; p < learner->spec.objective->partitions; p++) {
        struct gradient_key key = {p, batch, learner->version};
        vector_add_scaled(sum, 1, partition_gradient(learner, key), learner->length);
    }
}

void learner_keep_sum(struct learner *learner, uint32_t batch) {
    if (learner->trajectory || store_find(learner->sums, (struct gradient_key){0, batch, learner->version}))
        return;
    if (store_room(learner->sums) == 0) {
        store_mark_latest(learner->sums, learner->spec.sums / 2);
        store_sweep(learner->sums);
    }
    add_partitions(learner, batch, learner_add_sum(learner, batch, learner->version));
}

static const double *term_gradient(struct learner *learner, const struct gradient_term *term) {
    if (term->rows == 0)
        return gradient_of(learner, term->key);
    objective_prefix_gradient(named_objective(learner), named_workspace(learner),
                              (struct prefix){term->key.partition, term->rows},
                              model_of(learner, term->key.version), learner->prefix);
    return learner->prefix;
}

static void add_term(struct learner *learner, const struct gradient_term *term, double *sum) {
    vector_add_scaled(sum, term->coefficient, term_gradient(learner, term), learner->length);
}

static void add_walk(struct learner *learner, const struct gradient_term *term, size_t terms, double *sum) {
    struct walk *walk = learner->walk;
    uint32_t version = term->key.version;
    double rate = optimizer_rate(learner->spec.optimizer, learner_updates(learner, version));
    walk_begin(walk, model_of(learner, version));
    for (size_t h = 0; h < terms; h++) {
        const double *gradient =
            h == 0 ? gradient_of(learner, term[h].key) : walk_gradient(walk, term[h].key);
        vector_add_scaled(sum, term[h].coefficient, gradient, learner->length);
        if (h > 0)
            walk_add_penalty(walk, term[h].coefficient, sum);
        walk_step(walk, rate, gradient);
    }
}

void learner_message(struct learner *learner, const struct gradient_term *term, size_t terms,
                     double *message) {
    learner_go_alone(learner);
    memset(message, 0, learner->length * sizeof *message);
    if (learner->walk && terms > 0)
        add_walk(learner, term, terms, message);
    for (size_t e = 0; !learner->walk && e < terms; e++)
        add_term(learner, &term[e], message);
}

static void add_compensated(struct learner *learner, struct weighting weighting, const double *message,
                            uint32_t version) {
    const double *used = model_of(learner, version), *w = model_w(learner->model);
    for (size_t j = 0; j < learner->length; j++) {
        double m = message[j];
        learner->estimate[j] += weighting.weight * (m + weighting.compensation * m * m * (w[j] - used[j]));
    }
}

void learner_add_vector(struct learner *learner, struct weighting weighting, const double *message,
                        uint32_t version) {
    learner_go_alone(learner);
    if (weighting.compensation != 0 && version != learner->version)
        add_compensated(learner, weighting, message, version);
    else
        vector_add_scaled(learner->estimate, weighting.weight, message, learner->length);
}

/* All terms are whole gradients at the present version. */
static bool all_present(const struct learner *learner, const struct gradient_term *term, size_t terms) {
    for (size_t e = 0; e < terms; e++)
        if (term[e].rows > 0 || term[e].key.version != learner->version)
            return false;
    return true;
}

void learner_add_message(struct learner *learner, struct weighting weighting,
                         const struct gradient_term *term, size_t terms) {
    uint32_t version = terms > 0 ? term->key.version : learner->version;
    learner_go_alone(learner);
    if (learner->coefficient && all_present(learner, term, terms)) {
        for (size_t e = 0; e < terms; e++)
            learner->coefficient[term[e].key.partition] += weighting.weight * term[e].coefficient;
        learner->adding = true;
        return;
    }
    learner_message(learner, term, terms, learner->message);
    learner_add_vector(learner, weighting, learner->message, version);
}

void learner_add_penalty(struct learner *learner, double weight, uint32_t version) {
    struct objective share = *learner->spec.objective;
    learner_go_alone(learner);
    share.l2 = weight * share.l2 / share.partitions;
    objective_add_penalty_gradient(&share, model_of(learner, version), learner->estimate);
}

double learner_walk_loss(struct learner *learner, const struct gradient_term *term, size_t terms) {
    learner_message(learner, term, terms, learner->message);
    return walk_loss(learner->walk);
}

void learner_add_full(struct learner *learner, uint32_t batch, uint32_t version) {
    if (learner->trajectory && version == learner->version) {
        learner->full = true;
        return;
    }
    learner_go_alone(learner);
    if (version == learner->version) {
        add_partitions(learner, batch, learner->estimate);
        return;
    }
    const double *sum = store_find(learner->sums, (struct gradient_key){0, batch, version});
    assert(sum);
    vector_add_scaled(learner->estimate, 1, sum, learner->length);
}
