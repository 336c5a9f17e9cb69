#include "walk.h"
#include "memory.h"
#include <stdlib.h>
#include <string.h>

struct walk {
    const struct objective *objective;
    struct workspace *workspace;
    uint32_t replication;
    size_t length;
    double *w, *x, *step; /* [length]: where it began, where it is, what moves it */
    double *gradient;     /* [partitions * length]: one at x, or all of them */
    double *partition_loss;
};

struct walk *walk_new(const struct objective *objective, uint32_t replication) {
    struct walk *walk = memory_zeroed(1, sizeof *walk);
    walk->objective = objective;
    walk->workspace = workspace_new(objective);
    walk->replication = replication;
    walk->length = objective->data->stride;
    walk->w = memory_zeroed(walk->length, sizeof(double));
    walk->x = memory_zeroed(walk->length, sizeof(double));
    walk->step = memory_zeroed(walk->length, sizeof(double));
    walk->gradient = memory_zeroed(objective->partitions * walk->length, sizeof(double));
    walk->partition_loss = memory_zeroed(objective->partitions, sizeof(double));
    return walk;
}

void walk_free(struct walk *walk) {
    if (!walk)
        return;
    workspace_free(walk->workspace);
    free(walk->w);
    free(walk->x);
    free(walk->step);
    free(walk->gradient);
    free(walk->partition_loss);
    free(walk);
}

void walk_begin(struct walk *walk, const double *w) {
    memcpy(walk->w, w, walk->length * sizeof *w);
    memcpy(walk->x, w, walk->length * sizeof *w);
}

const double *walk_gradient(struct walk *walk, struct gradient_key key) {
    objective_batch_gradient(walk->objective, walk->workspace, walk->replication, key.partition, key.batch,
                             walk->x, walk->gradient);
    return walk->gradient;
}

void walk_step(struct walk *walk, double rate, const double *gradient) {
    memset(walk->step, 0, walk->length * sizeof *walk->step);
    vector_add_scaled(walk->step, walk->objective->partitions, gradient, walk->length);
    objective_add_penalty_gradient(walk->objective, walk->x, walk->step);
    vector_add_scaled(walk->x, -rate, walk->step, walk->length);
}

void walk_add_penalty(struct walk *walk, double coefficient, double *message) {
    memset(walk->step, 0, walk->length * sizeof *walk->step);
    objective_add_penalty_gradient(walk->objective, walk->x, walk->step);
    for (size_t j = 0; j < walk->length; j++)
        walk->step[j] = -walk->step[j];
    objective_add_penalty_gradient(walk->objective, walk->w, walk->step);
    vector_add_scaled(message, -coefficient / walk->objective->partitions, walk->step, walk->length);
}

double walk_loss(struct walk *walk) {
    double loss = 0;
    objective_gradients(walk->objective, walk->workspace, 1, walk->x, walk->gradient, walk->partition_loss);
    for (uint32_t p = 0; p < walk->objective->partitions; p++)
        loss += walk->partition_loss[p];
    return loss + objective_penalty(walk->objective, walk->x);
}
