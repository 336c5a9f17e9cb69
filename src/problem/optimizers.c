#include "optimizer.h"

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
    {.name = "clip_norm", .kind = PARAM_LATER, .fallback = "", .help = "largest norm of an estimate"},
    {.name = "scale_lr", .kind = PARAM_LATER, .fallback = "", .help = "learning rate by workers used"},
    {.name = "accumulate", .kind = PARAM_LATER, .fallback = "", .help = "estimates summed per update"},
    {.name = "compression", .kind = PARAM_LATER, .fallback = "", .help = "what messages leave out"},
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
    return spec->optimizer.type == &optimizer_sgd.head;
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
