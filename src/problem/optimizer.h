/* optimizer.h: from a gradient estimate to the next w. One file per optimizer and per schedule.
 * Definitions follow PyTorch: momentum without dampening and its nesterov form, Adam with bias correction and epsilon
 * outside the root. Knows no data, no time. */
#ifndef LAGGARD_OPTIMIZER_H
#define LAGGARD_OPTIMIZER_H
#include "compressor.h"

struct optimizer {
    struct variant head;
    uint32_t memories; /* vectors of state: 0, 1 or 2, zero at the start */
    /* w -= learning_rate * (what the optimizer makes of the gradient); update = 0, 1, … counts calls.
     * `memory` is memories * length doubles. */
    void (*step)(const void *params, double learning_rate, uint32_t update, const double *gradient,
                 double *memory, double *w, size_t length);
};
extern const struct family optimizer_family; /* sgd, momentum, nesterov, adam */

struct schedule {
    struct variant head;
    /* What learning_rate is multiplied by at update = 0, 1, … */
    double (*factor)(const void *params, uint32_t update);
};
extern const struct family schedule_family; /* constant, warmup, step, inverse-time, cosine */

enum scale_lr { SCALE_LR_NONE, SCALE_LR_LINEAR };

/* The scenario's `optimizer` mapping. */
struct optimizer_spec {
    struct picked optimizer;
    double learning_rate;
    const struct picked *schedule;
    double clip_norm;    /* INFINITY: none */
    uint32_t scale_lr;   /* enum scale_lr */
    uint32_t accumulate; /* estimates that make an update */
    const struct compression_spec *compression;
};
extern const struct param_table optimizer_table;

/* The number, of the optimizer's own or common to all, that a scenario has under this key; NULL: there is none. */
const struct param *optimizer_number(const struct optimizer_spec *spec, const char *key);
/* A copy in the arena with another value there. */
struct optimizer_spec *optimizer_with(struct arena *arena, const struct optimizer_spec *spec, const char *key,
                                      double value);

/* One update of w by the spec; memory as in struct optimizer. */
void optimizer_update(const struct optimizer_spec *spec, uint32_t update, const double *gradient,
                      double *memory, double *w, size_t length);
/* The learning rate that the schedule gives the update. */
double optimizer_rate(const struct optimizer_spec *spec, uint32_t update);
/* Whether an update is w -= rate * gradient and nothing else, so that a worker can make one of its own. */
bool optimizer_plain(const struct optimizer_spec *spec);
uint32_t optimizer_memories(const struct optimizer_spec *spec);
/* The gradient, times what brings its norm to clip_norm where it is longer. */
void optimizer_clip(const struct optimizer_spec *spec, double *gradient, size_t length);
/* The spec as it is for an update that uses this share of the workers. */
struct optimizer_spec optimizer_scaled(const struct optimizer_spec *spec, double used_share);
#endif
