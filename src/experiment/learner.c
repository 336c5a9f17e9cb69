#include "learner.h"
#include "past.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct learner {
    struct learner_spec spec;
    size_t length; /* features and padding */
    uint32_t version;
    double *w, *estimate, *message, *memory;
    double *gradient;       /* [partitions * length]: full gradients at the present version */
    double *partition_loss; /* [partitions] */
    double *batch_gradient; /* [partitions * length]: on the batches below; NULL without mini-batches */
    struct gradient_key *batch_key; /* [partitions]: what batch_gradient holds */
    double loss;
    struct workspace *workspace, *piece_workspace; /* the latter NULL where nothing is cut further */
    struct store *store;
    struct store *sums; /* of all partitions, under partition 0; NULL: none are kept */
    double *prefix;     /* the gradient over the first rows of a partition, or of a piece */
    struct past *past;  /* w after each update before the present one; NULL: not remembered */
    double *sum;        /* of the estimates accumulated so far; NULL: each makes an update */
    double share;       /* sum of their shares of the workers */
};

static void evaluate(struct learner *learner) {
    const struct objective *objective = learner->spec.objective;
    objective_gradients(objective, learner->workspace, 1, learner->w, learner->gradient,
                        learner->partition_loss);
    learner->loss = 0;
    for (uint32_t p = 0; p < objective->partitions; p++)
        learner->loss += learner->partition_loss[p];
    learner->loss += objective_penalty(objective, learner->w);
}

static void prepare_batches(struct learner *learner) {
    uint32_t partitions = learner->spec.objective->partitions;
    learner->batch_gradient = memory_zeroed(partitions * learner->length, sizeof(double));
    learner->batch_key = memory_zeroed(partitions, sizeof *learner->batch_key);
    for (uint32_t p = 0; p < partitions; p++)
        learner->batch_key[p].version = UINT32_MAX;
}

struct learner *learner_new(const struct learner_spec *spec) {
    struct learner *learner = memory_zeroed(1, sizeof *learner);
    size_t length = spec->objective->data->stride;
    uint32_t partitions = spec->objective->partitions;
    learner->spec = *spec;
    learner->length = length;
    learner->w = memory_zeroed(length, sizeof(double));
    learner->estimate = memory_zeroed(length, sizeof(double));
    learner->message = memory_zeroed(length, sizeof(double));
    learner->memory = memory_zeroed(optimizer_memories(spec->optimizer) * length + 1, sizeof(double));
    learner->gradient = memory_zeroed(partitions * length, sizeof(double));
    learner->partition_loss = memory_zeroed(partitions, sizeof(double));
    learner->workspace = workspace_new(spec->objective);
    if (spec->pieces)
        learner->piece_workspace = workspace_new(spec->pieces);
    if (spec->objective->batch > 0)
        prepare_batches(learner);
    learner->prefix = memory_zeroed(length, sizeof(double));
    if (spec->kept > 0)
        learner->store = store_new(spec->kept, length);
    if (spec->sums > 0)
        learner->sums = store_new(spec->sums, length);
    if (spec->remembers)
        learner->past = past_new(length);
    if (spec->optimizer->accumulate > 1)
        learner->sum = memory_zeroed(length, sizeof(double));
    evaluate(learner);
    return learner;
}

void learner_free(struct learner *learner) {
    if (!learner)
        return;
    free(learner->w);
    free(learner->estimate);
    free(learner->message);
    free(learner->memory);
    free(learner->gradient);
    free(learner->partition_loss);
    free(learner->batch_gradient);
    free(learner->batch_key);
    workspace_free(learner->workspace);
    workspace_free(learner->piece_workspace);
    store_free(learner->store);
    store_free(learner->sums);
    free(learner->prefix);
    past_free(learner->past);
    free(learner->sum);
    free(learner);
}

double learner_loss(const struct learner *learner) {
    return learner->loss;
}

const double *learner_w(const struct learner *learner) {
    return learner->w;
}

const double *learner_estimate(const struct learner *learner) {
    return learner->estimate;
}

const double *learner_gradients(const struct learner *learner) {
    return learner->gradient;
}

struct store *learner_store(struct learner *learner) {
    return learner->store;
}

/* The mini-batch gradient at the present version, computed once however many workers ask for it. */
static const double *batch_gradient(struct learner *learner, struct gradient_key key) {
    struct gradient_key *held = &learner->batch_key[key.partition];
    double *gradient = &learner->batch_gradient[key.partition * learner->length];
    if (held->version != key.version || held->batch != key.batch)
        objective_batch_gradient(learner->spec.objective, learner->workspace, learner->spec.replication,
                                 key.partition, key.batch, learner->w, gradient);
    *held = key;
    return gradient;
}

/* Of a partition of the objective. */
static const double *partition_gradient(struct learner *learner, struct gradient_key key) {
    assert(key.version == learner->version);
    return learner->batch_gradient ? batch_gradient(learner, key)
                                   : &learner->gradient[key.partition * learner->length];
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
    return gradient_at(learner, key, learner->w);
}

static uint32_t updates_before(const struct learner *learner, uint32_t version) {
    return version / learner->spec.optimizer->accumulate;
}

static const double *model_of(const struct learner *learner, uint32_t version) {
    uint32_t updates = updates_before(learner, version);
    if (updates == updates_before(learner, learner->version))
        return learner->w;
    assert(learner->past);
    return past_find(learner->past, updates);
}

/* += l2/k w where gradients have it. */
static void add_penalty_share(const struct learner *learner, const double *w, double *gradient) {
    struct objective share = *learner->spec.objective;
    share.l2 /= share.partitions;
    if (learner->spec.penalty_kept)
        objective_add_penalty_gradient(&share, w, gradient);
}

static const double *gradient_of(struct learner *learner, struct gradient_key key) {
    if (key.version == learner->version && !learner->spec.penalty_kept)
        return present_gradient(learner, key);
    const double *kept = learner->store ? store_find(learner->store, key) : NULL;
    if (kept)
        return kept;
    const double *w = model_of(learner, key.version);
    gradient_at(learner, key, w);
    add_penalty_share(learner, w, learner->prefix);
    return learner->prefix;
}

void learner_keep(struct learner *learner, struct gradient_key key) {
    if (store_find(learner->store, key))
        return;
    const double *gradient = present_gradient(learner, key);
    double *kept = store_add(learner->store, key);
    memcpy(kept, gradient, learner->length * sizeof *gradient);
    add_penalty_share(learner, learner->w, kept);
}

uint32_t learner_version(const struct learner *learner) {
    return learner->version;
}

static void add_partitions(struct learner *learner, uint32_t batch, double *sum) {
    for (uint32_t p = 0; p < learner->spec.objective->partitions; p++) {
        struct gradient_key key = {p, batch, learner->version};
        vector_add_scaled(sum, 1, partition_gradient(learner, key), learner->length);
    }
}

void learner_keep_sum(struct learner *learner, uint32_t batch) {
    struct gradient_key key = {0, batch, learner->version};
    if (store_find(learner->sums, key))
        return;
    if (store_room(learner->sums) == 0) {
        store_mark_latest(learner->sums, learner->spec.sums / 2);
        store_sweep(learner->sums);
    }
    double *sum = store_add(learner->sums, key);
    memset(sum, 0, learner->length * sizeof *sum);
    add_partitions(learner, batch, sum);
}

void learner_clear(struct learner *learner) {
    memset(learner->estimate, 0, learner->length * sizeof *learner->estimate);
}

static const double *term_gradient(struct learner *learner, const struct gradient_term *term) {
    if (term->rows == 0)
        return gradient_of(learner, term->key);
    objective_prefix_gradient(named_objective(learner), named_workspace(learner),
                              (struct prefix){term->key.partition, term->rows},
                              model_of(learner, term->key.version), learner->prefix);
    return learner->prefix;
}

void learner_message(struct learner *learner, const struct gradient_term *term, size_t terms,
                     double *message) {
    memset(message, 0, learner->length * sizeof *message);
    for (size_t e = 0; e < terms; e++)
        vector_add_scaled(message, term[e].coefficient, term_gradient(learner, &term[e]), learner->length);
}

void learner_add_vector(struct learner *learner, double weight, const double *message) {
    vector_add_scaled(learner->estimate, weight, message, learner->length);
}

void learner_add_message(struct learner *learner, double weight, const struct gradient_term *term,
                         size_t terms) {
    learner_message(learner, term, terms, learner->message);
    learner_add_vector(learner, weight, learner->message);
}

void learner_add_full(struct learner *learner, uint32_t batch, uint32_t version) {
    if (version == learner->version) {
        add_partitions(learner, batch, learner->estimate);
        return;
    }
    const double *sum = store_find(learner->sums, (struct gradient_key){0, batch, version});
    assert(sum);
    vector_add_scaled(learner->estimate, 1, sum, learner->length);
}

bool learner_is_full(const struct learner *learner) {
    return learner->past && past_full(learner->past);
}

void learner_forget(struct learner *learner, uint32_t oldest) {
    past_forget(learner->past, updates_before(learner, oldest));
}

/* True: the estimate has become the mean of those that make an update. */
static bool accumulated(struct learner *learner) {
    const uint32_t estimates = learner->spec.optimizer->accumulate;
    if (!learner->sum)
        return true;
    vector_add_scaled(learner->sum, 1, learner->estimate, learner->length);
    if (learner->version % estimates != 0)
        return false;
    for (size_t j = 0; j < learner->length; j++)
        learner->estimate[j] = learner->sum[j] / estimates;
    memset(learner->sum, 0, learner->length * sizeof *learner->sum);
    return true;
}

static void move(struct learner *learner, double used_share) {
    struct optimizer_spec spec = optimizer_scaled(learner->spec.optimizer, used_share);
    uint32_t update = updates_before(learner, learner->version) - 1;
    if (learner->past)
        past_add(learner->past, learner->w);
    if (!learner->spec.penalty_kept)
        objective_add_penalty_gradient(learner->spec.objective, learner->w, learner->estimate);
    optimizer_clip(&spec, learner->estimate, learner->length);
    optimizer_update(&spec, update, learner->estimate, learner->memory, learner->w, learner->length);
}

void learner_update(struct learner *learner, double used_share) {
    learner->version++;
    learner->share += used_share;
    if (!accumulated(learner))
        return;
    move(learner, learner->share / learner->spec.optimizer->accumulate);
    learner->share = 0;
    evaluate(learner);
}
