#include "learner.h"
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
    struct walk *walk;  /* NULL: nobody takes local steps */
    double *previous;   /* the gradient of the last update */
    double turn;        /* its inner product with the one before */
};

/* Of the last worker that took local steps. */
struct walk {
    double *x, *step,
        *gradient; /* where it is; what moves it; g_p there, or the gradients of all partitions */
    double *partition_loss;
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

static struct walk *walk_new(const struct objective *objective) {
    struct walk *walk = memory_zeroed(1, sizeof *walk);
    size_t length = objective->data->stride;
    walk->x = memory_zeroed(length, sizeof(double));
    walk->step = memory_zeroed(length, sizeof(double));
    walk->gradient = memory_zeroed(objective->partitions * length, sizeof(double));
    walk->partition_loss = memory_zeroed(objective->partitions, sizeof(double));
    return walk;
}

static void walk_free(struct walk *walk) {
    if (!walk)
        return;
    free(walk->x);
    free(walk->step);
    free(walk->gradient);
    free(walk->partition_loss);
    free(walk);
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
        learner->walk = walk_new(spec->objective);
    if (spec->kept > 0)
        learner->store = store_new(spec->kept, length);
    if (spec->sums > 0)
        learner->sums = store_new(spec->sums, length);
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

/* Of what keys name; valid until the next call. */
static const double *present_gradient(struct learner *learner, struct gradient_key key) {
    if (!learner->piece_workspace)
        return partition_gradient(learner, key);
    assert(key.version == learner->version);
    objective_batch_gradient(learner->spec.pieces, learner->piece_workspace, learner->spec.replication,
                             key.partition, key.batch, learner->w, learner->prefix);
    return learner->prefix;
}

static const double *gradient_of(struct learner *learner, struct gradient_key key) {
    if (key.version == learner->version)
        return present_gradient(learner, key);
    const double *kept = store_find(learner->store, key);
    assert(kept);
    return kept;
}

void learner_keep(struct learner *learner, struct gradient_key key) {
    if (store_find(learner->store, key))
        return;
    const double *gradient = present_gradient(learner, key);
    memcpy(store_add(learner->store, key), gradient, learner->length * sizeof *gradient);
}

/* No partition has this number. */
struct gradient_key model_key(uint32_t version) {
    return (struct gradient_key){UINT32_MAX, 0, version};
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
    assert(term->key.version == learner->version);
    objective_prefix_gradient(learner->spec.pieces ? learner->spec.pieces : learner->spec.objective,
                              learner->piece_workspace ? learner->piece_workspace : learner->workspace,
                              (struct prefix){term->key.partition, term->rows}, learner->w, learner->prefix);
    return learner->prefix;
}

/* g + c g g (w_now - w_used), g being the term with its coefficient. */
static void add_compensated(struct learner *learner, const struct gradient_term *term) {
    const double *gradient = term_gradient(learner, term);
    const double *used = store_find(learner->store, model_key(term->key.version));
    assert(used);
    for (size_t j = 0; j < learner->length; j++) {
        double g = term->coefficient * gradient[j];
        learner->message[j] += g + term->compensation * g * g * (learner->w[j] - used[j]);
    }
}

static void add_term(struct learner *learner, const struct gradient_term *term) {
    if (term->compensation != 0 && term->key.version != learner->version)
        add_compensated(learner, term);
    else
        vector_add_scaled(learner->message, term->coefficient, term_gradient(learner, term), learner->length);
}

void learner_add_message(struct learner *learner, double weight, const struct gradient_term *term,
                         size_t terms) {
    memset(learner->message, 0, learner->length * sizeof *learner->message);
    for (size_t e = 0; e < terms; e++)
        add_term(learner, &term[e]);
    vector_add_scaled(learner->estimate, weight, learner->message, learner->length);
}

/* The gradient where the walk is. */
static const double *walk_gradient(struct learner *learner, struct gradient_key key) {
    struct walk *walk = learner->walk;
    objective_batch_gradient(learner->spec.objective, learner->workspace, learner->spec.replication,
                             key.partition, key.batch, walk->x, walk->gradient);
    return walk->gradient;
}

/* message += coefficient * l2 (x - w)/k */
static void carry_penalty(struct learner *learner, double coefficient) {
    struct walk *walk = learner->walk;
    size_t length = learner->length;
    memset(walk->step, 0, length * sizeof *walk->step);
    objective_add_penalty_gradient(learner->spec.objective, walk->x, walk->step);
    for (size_t j = 0; j < length; j++)
        walk->step[j] = -walk->step[j];
    objective_add_penalty_gradient(learner->spec.objective, learner->w, walk->step);
    vector_add_scaled(learner->message, -coefficient / learner->spec.objective->partitions, walk->step,
                      length);
}

/* x <- x - eta (k g + l2 x) */
static void walk_on(struct learner *learner, const double *gradient) {
    struct walk *walk = learner->walk;
    memset(walk->step, 0, learner->length * sizeof *walk->step);
    vector_add_scaled(walk->step, learner->spec.objective->partitions, gradient, learner->length);
    objective_add_penalty_gradient(learner->spec.objective, walk->x, walk->step);
    vector_add_scaled(walk->x, -optimizer_rate(learner->spec.optimizer, learner->version), walk->step,
                      learner->length);
}

void learner_add_walk(struct learner *learner, double weight, const struct gradient_term *term,
                      size_t terms) {
    memcpy(learner->walk->x, learner->w, learner->length * sizeof *learner->w);
    memset(learner->message, 0, learner->length * sizeof *learner->message);
    for (size_t h = 0; h < terms; h++) {
        const double *gradient =
            h == 0 ? gradient_of(learner, term[h].key) : walk_gradient(learner, term[h].key);
        vector_add_scaled(learner->message, term[h].coefficient, gradient, learner->length);
        if (h > 0)
            carry_penalty(learner, term[h].coefficient);
        walk_on(learner, gradient);
    }
    vector_add_scaled(learner->estimate, weight, learner->message, learner->length);
}

double learner_walk_loss(struct learner *learner) {
    const struct objective *objective = learner->spec.objective;
    struct walk *walk = learner->walk;
    objective_gradients(objective, learner->workspace, 1, walk->x, walk->gradient, walk->partition_loss);
    double loss = 0;
    for (uint32_t p = 0; p < objective->partitions; p++)
        loss += walk->partition_loss[p];
    return loss + objective_penalty(objective, walk->x);
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

double learner_turn(const struct learner *learner) {
    return learner->turn;
}

static void note_turn(struct learner *learner) {
    double product = 0;
    for (size_t j = 0; j < learner->length; j++)
        product += learner->estimate[j] * learner->previous[j];
    learner->turn = learner->version > 0 ? product : (double)NAN;
    memcpy(learner->previous, learner->estimate, learner->length * sizeof *learner->estimate);
}

void learner_update(struct learner *learner) {
    objective_add_penalty_gradient(learner->spec.objective, learner->w, learner->estimate);
    note_turn(learner);
    if (learner->spec.local_steps > 1)
        learner_scale(learner, learner->spec.local_steps);
    optimizer_update(learner->spec.optimizer, learner->version, learner->estimate, learner->memory,
                     learner->w, learner->length);
    learner->version++;
    evaluate(learner);
}
