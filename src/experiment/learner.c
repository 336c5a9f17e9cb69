#include "learner_inside.h"
#include <stdlib.h>
#include <string.h>

static struct model_spec model_spec_of(const struct learner_spec *spec) {
    return (struct model_spec){.objective = spec->objective,
                               .optimizer = spec->optimizer,
                               .penalty_apart = spec->penalty_apart,
                               .local_steps = spec->local_steps};
}

static void prepare_batches(struct learner *learner) {
    uint32_t partitions = learner->spec.objective->partitions;
    learner->batch_gradient = memory_zeroed(partitions * learner->length, sizeof(double));
    learner->batch_key = memory_zeroed(partitions, sizeof *learner->batch_key);
    for (uint32_t p = 0; p < partitions; p++)
        learner->batch_key[p].version = UINT32_MAX;
}

/* Whole gradients of many partitions are added up at the end. */
static bool adds_late(const struct learner *learner) {
    return gradients_are_many(learner->gradients) && !learner->batch_gradient && !learner->piece_workspace &&
           !learner->walk;
}

/* What a learner needs of its own. */
static void stand_alone(struct learner *learner) {
    struct model_spec spec = model_spec_of(&learner->spec);
    learner->model = model_new(&spec);
    learner->gradients = gradients_new(learner->spec.objective);
    if (adds_late(learner))
        learner->coefficient = memory_zeroed(learner->spec.objective->partitions, sizeof(double));
}

struct learner *learner_new(const struct learner_spec *spec) {
    struct learner *learner = memory_zeroed(1, sizeof *learner);
    size_t length = spec->objective->data->stride;
    learner->spec = *spec;
    learner->length = length;
    learner->trajectory = spec->trajectory;
    learner->estimate = memory_zeroed(length, sizeof(double));
    learner->message = memory_zeroed(length, sizeof(double));
    learner->workspace = workspace_new(spec->objective);
    if (spec->pieces)
        learner->piece_workspace = workspace_new(spec->pieces);
    if (spec->objective->batch > 0)
        prepare_batches(learner);
    learner->prefix = memory_zeroed(length, sizeof(double));
    if (spec->local_steps > 0)
        learner->walk = walk_new(spec->objective, spec->replication);
    if (spec->kept > 0)
        learner->store = store_new(spec->kept, length);
    if (spec->sums > 0)
        learner->sums = store_new(spec->sums, length);
    if (spec->remembers)
        learner->past = past_new(length);
    if (!learner->trajectory)
        stand_alone(learner);
    return learner;
}

void learner_free(struct learner *learner) {
    if (!learner)
        return;
    model_free(learner->model);
    gradients_free(learner->gradients);
    free(learner->coefficient);
    free(learner->estimate);
    free(learner->message);
    free(learner->batch_gradient);
    free(learner->batch_key);
    workspace_free(learner->workspace);
    workspace_free(learner->piece_workspace);
    store_free(learner->store);
    store_free(learner->sums);
    free(learner->prefix);
    past_free(learner->past);
    walk_free(learner->walk);
    free(learner);
}

bool learner_waits(const struct learner *learner) {
    return learner->trajectory ? !trajectory_reaches(learner->trajectory, learner->version) : !learner->known;
}

bool learner_want(struct learner *learner, struct wanted_gradients *wanted) {
    if (!learner_waits(learner))
        return false;
    if (learner->trajectory)
        return trajectory_want(learner->trajectory, learner->version, wanted);
    *wanted = (struct wanted_gradients){learner->gradients, model_w(learner->model)};
    return true;
}

void learner_take(struct learner *learner) {
    if (learner->trajectory)
        trajectory_reach(learner->trajectory);
    learner->known = true;
}

struct gradients *learner_present(struct learner *learner) {
    if (!learner->known)
        gradients_take(learner->gradients, model_w(learner->model));
    learner->known = true;
    return learner->gradients;
}

double *learner_add_sum(struct learner *learner, uint32_t batch, uint32_t version) {
    double *sum = store_add(learner->sums, (struct gradient_key){0, batch, version});
    memset(sum, 0, learner->length * sizeof *sum);
    return sum;
}

/* On the trajectory nobody keeps sums, as it can go back to any version. The latest half of the store is what can be asked for. */
static void fetch_sums(struct learner *learner) {
    uint32_t kept = (uint32_t)(learner->spec.sums / 2);
    uint32_t version = learner->version + 1 > kept ? learner->version + 1 - kept : 0;
    struct model_spec spec = model_spec_of(&learner->spec);
    struct model *model = model_new(&spec);
    struct gradients *gradients = gradients_new(learner->spec.objective);
    for (; version <= learner->version; version++) {
        trajectory_leave(learner->trajectory, version, model);
        gradients_take(gradients, model_w(model));
        gradients_add_all(gradients, learner_add_sum(learner, 0, version));
    }
    gradients_free(gradients);
    model_free(model);
}

void learner_go_alone(struct learner *learner) {
    struct trajectory *trajectory = learner->trajectory;
    if (!trajectory)
        return;
    trajectory_loss(trajectory, learner->version);
    stand_alone(learner);
    trajectory_leave(trajectory, learner->version, learner->model);
    learner->known = trajectory_gradients(trajectory, learner->version, learner->gradients);
    if (learner->sums)
        fetch_sums(learner);
    learner->trajectory = NULL;
    if (learner->full)
        gradients_add_all(learner_present(learner), learner->estimate);
    learner->full = false;
}

/* The estimate is written out. */
static void settle(struct learner *learner) {
    learner_go_alone(learner);
    if (learner->adding) {
        gradients_add_weighted(learner_present(learner), learner->coefficient, learner->estimate);
        memset(learner->coefficient, 0, learner->spec.objective->partitions * sizeof *learner->coefficient);
    }
    learner->adding = false;
}

double learner_loss(struct learner *learner) {
    if (learner->trajectory)
        return trajectory_loss(learner->trajectory, learner->version);
    return gradients_loss(learner_present(learner)) +
           objective_penalty(learner->spec.objective, model_w(learner->model));
}

const double *learner_w(struct learner *learner) {
    learner_go_alone(learner);
    return model_w(learner->model);
}

const double *learner_estimate(struct learner *learner) {
    settle(learner);
    return learner->estimate;
}

const double *learner_gradient(struct learner *learner, uint32_t partition) {
    learner_go_alone(learner);
    return gradients_partition(learner_present(learner), partition);
}

void learner_add_gradients(struct learner *learner, double *sum) {
    learner_go_alone(learner);
    gradients_add_all(learner_present(learner), sum);
}

struct store *learner_store(struct learner *learner) {
    return learner->store;
}

void learner_clear(struct learner *learner) {
    memset(learner->estimate, 0, learner->length * sizeof *learner->estimate);
    if (learner->adding)
        memset(learner->coefficient, 0, learner->spec.objective->partitions * sizeof *learner->coefficient);
    learner->full = learner->adding = false;
}

void learner_scale(struct learner *learner, double factor) {
    settle(learner);
    for (size_t j = 0; j < learner->length; j++)
        learner->estimate[j] *= factor;
}

uint32_t learner_version(const struct learner *learner) {
    return learner->version;
}

bool learner_is_full(const struct learner *learner) {
    return learner->past && past_full(learner->past);
}

void learner_forget(struct learner *learner, uint32_t oldest) {
    past_forget(learner->past, learner_updates(learner, oldest));
}

double learner_turn(const struct learner *learner) {
    return learner->trajectory ? trajectory_turn(learner->trajectory, learner->version)
                               : model_turn(learner->model);
}

bool learner_update(struct learner *learner, double used_share) {
    if (learner->trajectory && learner->full) {
        learner->full = false;
        learner->version++;
        return learner->version % learner->spec.optimizer->accumulate == 0;
    }
    settle(learner);
    if (learner->past && model_ripe(learner->model))
        past_add(learner->past, model_w(learner->model));
    bool moved = model_update(learner->model, learner->estimate, used_share);
    learner->version = model_version(learner->model);
    learner->known = learner->known && !moved;
    return moved;
}
