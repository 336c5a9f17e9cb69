#include "learner.h"
#include "past.h"
#include "walk.h"
#include <assert.h>
#include <math.h>
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
    struct walk *walk;  /* NULL: nobody takes local steps */
    double *previous;   /* the gradient of the last update */
    double turn;        /* its inner product with the one before */
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
    learner->previous = memory_zeroed(length, sizeof(double));
    learner->turn = (double)NAN;
    if (spec->local_steps > 0)
        learner->walk = walk_new(spec->objective, spec->replication);
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
    free(learner->previous);
    walk_free(learner->walk);
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

/* No partition has this number. */
struct gradient_key model_key(uint32_t version) {
    return (struct gradient_key){UINT32_MAX, 0, version};
}

static const double *model_of(const struct learner *learner, uint32_t version) {
    uint32_t updates = updates_before(learner, version);
    if (updates == updates_before(learner, learner->version))
        return learner->w;
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
    if (store_find(learner->store, key))
        return;
    const double *gradient = present_gradient(learner, key);
    memcpy(store_add(learner->store, key), gradient, learner->length * sizeof *gradient);
}

void learner_keep_model(struct learner *learner) {
    struct gradient_key key = model_key(learner->version);
    if (!store_find(learner->store, key))
        memcpy(store_add(learner->store, key), learner->w, learner->length * sizeof *learner->w);
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

static void add_term(struct learner *learner, const struct gradient_term *term, double *sum) {
    vector_add_scaled(sum, term->coefficient, term_gradient(learner, term), learner->length);
}

static void add_walk(struct learner *learner, const struct gradient_term *term, size_t terms, double *sum) {
    struct walk *walk = learner->walk;
    uint32_t version = term->key.version;
    double rate = optimizer_rate(learner->spec.optimizer, updates_before(learner, version));
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
    memset(message, 0, learner->length * sizeof *message);
    if (learner->walk && terms > 0)
        add_walk(learner, term, terms, message);
    for (size_t e = 0; !learner->walk && e < terms; e++)
        add_term(learner, &term[e], message);
}

static void add_compensated(struct learner *learner, struct weighting weighting, const double *message,
                            uint32_t version) {
    const double *used = model_of(learner, version);
    for (size_t j = 0; j < learner->length; j++) {
        double m = message[j];
        learner->estimate[j] +=
            weighting.weight * (m + weighting.compensation * m * m * (learner->w[j] - used[j]));
    }
}

void learner_add_vector(struct learner *learner, struct weighting weighting, const double *message,
                        uint32_t version) {
    if (weighting.compensation != 0 && version != learner->version)
        add_compensated(learner, weighting, message, version);
    else
        vector_add_scaled(learner->estimate, weighting.weight, message, learner->length);
}

void learner_add_message(struct learner *learner, struct weighting weighting,
                         const struct gradient_term *term, size_t terms) {
    uint32_t version = terms > 0 ? term->key.version : learner->version;
    learner_message(learner, term, terms, learner->message);
    learner_add_vector(learner, weighting, learner->message, version);
}

void learner_add_penalty(struct learner *learner, double weight, uint32_t version) {
    struct objective share = *learner->spec.objective;
    share.l2 = weight * share.l2 / share.partitions;
    objective_add_penalty_gradient(&share, model_of(learner, version), learner->estimate);
}

double learner_walk_loss(struct learner *learner, const struct gradient_term *term, size_t terms) {
    learner_message(learner, term, terms, learner->message);
    return walk_loss(learner->walk);
}

void learner_scale(struct learner *learner, double factor) {
    for (size_t j = 0; j < learner->length; j++)
        learner->estimate[j] *= factor;
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

double learner_turn(const struct learner *learner) {
    return learner->turn;
}

static void note_turn(struct learner *learner, uint32_t update) {
    double product = 0;
    for (size_t j = 0; j < learner->length; j++)
        product += learner->estimate[j] * learner->previous[j];
    learner->turn = update > 0 ? product : (double)NAN;
    memcpy(learner->previous, learner->estimate, learner->length * sizeof *learner->estimate);
}

static void move(struct learner *learner, double used_share) {
    struct optimizer_spec spec = optimizer_scaled(learner->spec.optimizer, used_share);
    uint32_t update = updates_before(learner, learner->version) - 1;
    if (learner->past)
        past_add(learner->past, learner->w);
    if (!learner->spec.penalty_apart)
        objective_add_penalty_gradient(learner->spec.objective, learner->w, learner->estimate);
    note_turn(learner, update);
    if (learner->spec.local_steps > 1)
        learner_scale(learner, learner->spec.local_steps);
    optimizer_clip(&spec, learner->estimate, learner->length);
    optimizer_update(&spec, update, learner->estimate, learner->memory, learner->w, learner->length);
}

bool learner_update(struct learner *learner, double used_share) {
    learner->version++;
    learner->share += used_share;
    if (!accumulated(learner))
        return false;
    move(learner, learner->share / learner->spec.optimizer->accumulate);
    learner->share = 0;
    evaluate(learner);
    return true;
}
