#include "objective.h"
#include "optimizer.h"
#include <math.h>

#define OPTIMIZER(name) extern const struct optimizer optimizer_##name;
#include "optimizers.def"
#undef OPTIMIZER

#define OPTIMIZER(name) &optimizer_##name.head,
static const struct variant *const optimizers[] = {
#include "optimizers.def"
    NULL,
};
#undef OPTIMIZER

const struct family optimizer_family = {.noun = "optimizer", .variants = optimizers, .fallback = "sgd"};

static const struct param_table schedule_table = {.size = sizeof(struct picked), .family = &schedule_family};

static const struct param_word no_clipping[] = {{"none", (double)INFINITY}, {NULL, 0}};
static const char *const scalings[] = {[SCALE_LR_NONE] = "none", [SCALE_LR_LINEAR] = "linear", NULL};

static const struct param optimizer_params[] = {
    {.name = "learning_rate",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct optimizer_spec, learning_rate),
     .above_minimum = true,
     .help = "step size, before the schedule"},
    {.name = "schedule",
     .kind = PARAM_STRUCT,
     .offset = offsetof(struct optimizer_spec, schedule),
     .fallback = "{}",
     .table = &schedule_table,
     .help = "what the learning rate is multiplied by from update to update"},
    {.name = "clip_norm",
     .kind = PARAM_NUMBER,
     .offset = offsetof(struct optimizer_spec, clip_norm),
     .fallback = "none",
     .above_minimum = true,
     .words = no_clipping,
     .help = "largest norm of estimate + l2 w: times min(1, clip_norm / (norm + 1e-6)), as "
             "torch.nn.utils.clip_grad_norm_"},
    {.name = "scale_lr",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct optimizer_spec, scale_lr),
     .fallback = "none",
     .choices = scalings,
     .help = "linear: the learning rate, which is that of all workers, times (workers used in the update) / "
             "workers, whatever they recover, so that an exact code that uses half of them halves it "
             "(linear scaling rule, arXiv 1706.02677)"},
    {.name = "accumulate",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct optimizer_spec, accumulate),
     .fallback = "1",
     .minimum = 1,
     .maximum = 1000000,
     .unit = "estimates",
     .help = "estimates at the same w, each on its own mini-batches, whose mean makes an update; steps and "
             "schedules "
             "count updates"},
    {.name = "compression",
     .kind = PARAM_STRUCT,
     .offset = offsetof(struct optimizer_spec, compression),
     .fallback = "{}",
     .table = &compression_table,
     .help = "what workers send of their messages; models are sent whole"},
};

const struct param_table optimizer_table = {
    PARAM_TABLE(struct optimizer_spec, optimizer_params),
    .family = &optimizer_family,
    .picked = offsetof(struct optimizer_spec, optimizer),
};

double optimizer_rate(const struct optimizer_spec *spec, uint32_t update) {
    const struct schedule *schedule = (const struct schedule *)spec->schedule->type;
    return spec->learning_rate * schedule->factor(spec->schedule->params, update);
}

bool optimizer_plain(const struct optimizer_spec *spec) {
    return spec->optimizer.type == &optimizer_sgd.head && isinf(spec->clip_norm) &&
           spec->scale_lr == SCALE_LR_NONE && spec->accumulate == 1;
}

void optimizer_update(const struct optimizer_spec *spec, uint32_t update, const double *gradient,
                      double *memory, double *w, size_t length) {
    const struct optimizer *optimizer = (const struct optimizer *)spec->optimizer.type;
    optimizer->step(spec->optimizer.params, optimizer_rate(spec, update), update, gradient, memory, w,
                    length);
}

uint32_t optimizer_memories(const struct optimizer_spec *spec) {
    return ((const struct optimizer *)spec->optimizer.type)->memories;
}

/* What torch adds to a norm so that it is never 0. */
#define CLIP_EPSILON 1e-6

void optimizer_clip(const struct optimizer_spec *spec, double *gradient, size_t length) {
    if (!(spec->clip_norm < (double)INFINITY))
        return;
    double factor = spec->clip_norm / (vector_norm(gradient, length) + CLIP_EPSILON);
    for (size_t j = 0; j < length && factor < 1; j++)
        gradient[j] *= factor;
}

struct optimizer_spec optimizer_scaled(const struct optimizer_spec *spec, double used_share) {
    struct optimizer_spec scaled = *spec;
    if (spec->scale_lr == SCALE_LR_LINEAR)
        scaled.learning_rate *= used_share;
    return scaled;
}
