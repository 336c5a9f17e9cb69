#include "beta_rounds.h"
#include "elementary.h"
#include "memory.h"
#include "steady.h"
#include "stream_grid.h"
#include "task_law.h"
#include <math.h>
#include <stdlib.h>

/* A gamma variate takes a normal and a uniform number, drawn as if by two workers of the step; the other one two more. */
enum { NORMAL, UNIFORM, NUMBERS, PAIRS = NUMBERS, BATCH = 256 };

/* Marsaglia and Tsang 2000: of a shape not below 1, by d v with v = (1 + c x)^3, x normal. */
struct gamma {
    double d, c;
    uint32_t worker; /* its first number's */
};

struct beta_rounds {
    struct stream stream;
    struct task_law task;
    struct gamma below, above; /* shapes k and n - k + 1 */
};

bool beta_rounds_refuses(const struct cluster_spec *spec, double work, struct sentence *why) {
    if (!steady_serves(spec)) {
        sentence_set(why,
                     "has failures, a network, regimes, shocks, a ring, gaps in a trace or independent load");
        return true;
    }
    if (!steady_alike(spec)) {
        sentence_set(why, "has workers that differ from each other or depend on each other");
        return true;
    }
    struct task_law task;
    bool exact = task_law_find(&task, spec, &spec->group[0], work) && !task.composed;
    task_law_fini(&task);
    if (!exact)
        sentence_set(why, "draws both compute and delay, whose sum has no quantile in closed form");
    return !exact;
}

static struct gamma gamma_of(double shape, uint32_t worker) {
    double d = shape - 1.0 / 3;
    return (struct gamma){.d = d, .c = 1 / sqrt(9 * d), .worker = worker};
}

struct beta_rounds *beta_rounds_new(const struct cluster_spec *spec, const struct cluster_run *run,
                                    double work, uint32_t k) {
    struct beta_rounds *beta = memory_zeroed(1, sizeof *beta);
    beta->stream = (struct stream){run->seed, run->replication, PURPOSE_BETA};
    task_law_find(&beta->task, spec, &spec->group[0], work);
    beta->below = gamma_of(k, 0);
    beta->above = gamma_of(spec->workers - k + 1, NUMBERS);
    return beta;
}

void beta_rounds_free(struct beta_rounds *beta) {
    if (!beta)
        return;
    task_law_fini(&beta->task);
    free(beta);
}

/* Writes the variate that a normal and a uniform number make; false where it is rejected. */
static bool gamma_made(const struct gamma *gamma, double normal, double uniform, double *variate) {
    double root = 1 + gamma->c * normal, v = root * root * root, squared = normal * normal;
    *variate = gamma->d * v;
    if (root <= 0)
        return false;
    return uniform < 1 - 0.0331 * squared * squared ||
           elementary_log(uniform) < squared / 2 + gamma->d * (1 - v + elementary_log(v));
}

/* From the first numbers, or from others of the step, drawn after them, for as long as they are rejected. */
static double gamma_variate(const struct beta_rounds *beta, const struct gamma *gamma, uint32_t step,
                            const double *first) {
    double variate, normal = first[NORMAL], uniform = first[UNIFORM];
    for (uint32_t more = 1; !gamma_made(gamma, normal, uniform, &variate); more++) {
        struct draw draw = {beta->stream, gamma->worker + NORMAL, step, more};
        normal = normal_quantile(draw_unit(&draw));
        draw = (struct draw){beta->stream, gamma->worker + UNIFORM, step, more};
        uniform = draw_unit(&draw);
    }
    return variate;
}

/* The first numbers of some steps, [steps][2 NUMBERS], those that are normal as such. */
static void draw_numbers(const struct beta_rounds *beta, uint32_t step, uint32_t steps, double *number) {
    double normal[2 * BATCH];
    const struct draw_grid grid = {.stream = beta->stream,
                                   .form = DRAW_UNIT,
                                   .pairs = PAIRS,
                                   .step = step,
                                   .steps = steps,
                                   .row = 2 * (size_t)PAIRS};
    draw_grid(&grid, number);
    for (uint32_t s = 0; s < 2 * steps; s++)
        normal[s] = number[s * NUMBERS + NORMAL];
    normal_quantiles(normal, 2 * (size_t)steps);
    for (uint32_t s = 0; s < 2 * steps; s++)
        number[s * NUMBERS + NORMAL] = normal[s];
}

/* Inside (0, 1), as draws are, though a quotient may be rounded to an end. */
static double share_of(double below, double above) {
    double share = below / (below + above);
    return fmin(fmax(share, 0x1p-53), 1 - 0x1p-53);
}

static void find_batch(const struct beta_rounds *beta, uint32_t step, uint32_t steps, double *kth) {
    double number[BATCH * 2 * NUMBERS];
    const struct task_law *task = &beta->task;
    draw_numbers(beta, step, steps, number);
    for (uint32_t s = 0; s < steps; s++) {
        const double *first = number + s * 2 * NUMBERS;
        double below = gamma_variate(beta, &beta->below, step + s, first);
        double above = gamma_variate(beta, &beta->above, step + s, first + NUMBERS);
        kth[s] = share_of(below, above);
    }
    if (task->law)
        law_fill(task->law, DRAW_UNIT, kth, steps);
    for (uint32_t s = 0; s < steps; s++)
        kth[s] = task->law ? task->scale * kth[s] + task->shift_s : task->shift_s;
}

void beta_rounds_find(struct beta_rounds *beta, uint32_t step, uint32_t steps, double *kth) {
    for (uint32_t s = 0; s < steps; s += BATCH)
        find_batch(beta, step + s, steps - s < BATCH ? steps - s : BATCH, kth + s);
}
