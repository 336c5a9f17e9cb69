#include "model.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct model {
    struct model_spec spec;
    size_t length; /* features and padding */
    uint32_t version;
    double share; /* sum of the workers' shares in the estimates accumulated so far */
    double turn;
    size_t doubles; /* of all vectors */
    double *w, *previous, *sum,
        *memory; /* in one block; previous: the gradient of the last update; sum: of the
                                            estimates accumulated so far */
};

static size_t vectors_of(const struct model_spec *spec) {
    return 3 + optimizer_memories(spec->optimizer);
}

struct model *model_new(const struct model_spec *spec) {
    struct model *model = memory_zeroed(1, sizeof *model);
    const size_t length = spec->objective->data->stride;
    model->spec = *spec;
    model->length = length;
    model->turn = (double)NAN;
    model->doubles = vectors_of(spec) * length;
    model->w = memory_zeroed(model->doubles, sizeof(double));
    model->previous = model->w + length;
    model->sum = model->previous + length;
    model->memory = model->sum + length;
    return model;
}

void model_free(struct model *model) {
    if (!model)
        return;
    free(model->w);
    free(model);
}

void model_copy(struct model *model, const struct model *other) {
    model->version = other->version;
    model->share = other->share;
    model->turn = other->turn;
    memcpy(model->w, other->w, model->doubles * sizeof(double));
}

size_t model_bytes(const struct model_spec *spec) {
    return sizeof(struct model) + vectors_of(spec) * spec->objective->data->stride * sizeof(double);
}

const double *model_w(const struct model *model) {
    return model->w;
}

uint32_t model_version(const struct model *model) {
    return model->version;
}

bool model_ripe(const struct model *model) {
    return (model->version + 1) % model->spec.optimizer->accumulate == 0;
}

double model_turn(const struct model *model) {
    return model->turn;
}

/* True: the estimate has become the mean of those that make an update. */
static bool accumulated(struct model *model, double *estimate) {
    const uint32_t estimates = model->spec.optimizer->accumulate;
    if (estimates == 1)
        return true;
    vector_add_scaled(model->sum, 1, estimate, model->length);
    if (model->version % estimates != 0)
        return false;
    for (size_t j = 0; j < model->length; j++)
        estimate[j] = model->sum[j] / estimates;
    memset(model->sum, 0, model->length * sizeof *model->sum);
    return true;
}

static void note_turn(struct model *model, uint32_t update, const double *gradient) {
    double product = 0;
    for (size_t j = 0; j < model->length; j++)
        product += gradient[j] * model->previous[j];
    model->turn = update > 0 ? product : (double)NAN;
    memcpy(model->previous, gradient, model->length * sizeof *gradient);
}

static void move(struct model *model, double *gradient, double used_share) {
    struct optimizer_spec spec = optimizer_scaled(model->spec.optimizer, used_share);
    uint32_t update = model->version / spec.accumulate - 1;
    if (!model->spec.penalty_apart)
        objective_add_penalty_gradient(model->spec.objective, model->w, gradient);
    note_turn(model, update, gradient);
    for (size_t j = 0; model->spec.local_steps > 1 && j < model->length; j++)
        gradient[j] *= model->spec.local_steps;
    optimizer_clip(&spec, gradient, model->length);
    optimizer_update(&spec, update, gradient, model->memory, model->w, model->length);
}

bool model_update(struct model *model, double *estimate, double used_share) {
    model->version++;
    model->share += used_share;
    if (!accumulated(model, estimate))
        return false;
    move(model, estimate, model->share / model->spec.optimizer->accumulate);
    model->share = 0;
    return true;
}
