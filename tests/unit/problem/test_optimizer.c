/* Optimizers against a transcription of the PyTorch definitions, schedules at known updates, and the mapping that
 * chooses them. */
#include "../base/sketch.h"
#include "optimizer.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 13, UPDATES = 60 };

/* What torch.optim does with one weight; `buffer`, `square` are its state, t = 1, 2, ... */
struct torch {
    double momentum, beta1, beta2, epsilon;
    double buffer, square;
    int t;
};

static double torch_sgd(struct torch *torch, double w, double g, double learning_rate) {
    (void)torch;
    return w - learning_rate * g;
}

static double torch_momentum(struct torch *torch, double w, double g, double learning_rate) {
    torch->buffer = torch->t == 1 ? g : torch->momentum * torch->buffer + g;
    return w - learning_rate * torch->buffer;
}

static double torch_nesterov(struct torch *torch, double w, double g, double learning_rate) {
    torch->buffer = torch->t == 1 ? g : torch->momentum * torch->buffer + g;
    return w - learning_rate * (g + torch->momentum * torch->buffer);
}

static double torch_adam(struct torch *torch, double w, double g, double learning_rate) {
    torch->buffer = torch->beta1 * torch->buffer + (1 - torch->beta1) * g;
    torch->square = torch->beta2 * torch->square + (1 - torch->beta2) * g * g;
    const double mean = torch->buffer / (1 - pow(torch->beta1, torch->t));
    const double square = torch->square / (1 - pow(torch->beta2, torch->t));
    return w - learning_rate * mean / (sqrt(square) + torch->epsilon);
}

struct rule {
    const char *mapping;
    double (*torch)(struct torch *torch, double w, double g, double learning_rate);
    struct torch start;
    uint32_t memories;
};

static const struct rule rules[] = {
    {"{learning_rate: 0.1}", torch_sgd, {0}, 0},
    {"{type: sgd, learning_rate: 0.1}", torch_sgd, {0}, 0},
    {"{type: momentum, learning_rate: 0.1}", torch_momentum, {.momentum = 0.9}, 1},
    {"{type: momentum, learning_rate: 0.1, momentum: 0}", torch_momentum, {.momentum = 0}, 1},
    {"{type: nesterov, learning_rate: 0.1, momentum: 0.5}", torch_nesterov, {.momentum = 0.5}, 1},
    {"{type: adam, learning_rate: 0.1}", torch_adam, {.beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8}, 2},
    {"{type: adam, learning_rate: 0.1, beta1: 0, beta2: 0.5, epsilon: 0.01}",
     torch_adam,
     {.beta1 = 0, .beta2 = 0.5, .epsilon = 0.01},
     2},
};

/* A mapping read by the table. */
struct reading {
    struct arena *arena;
    struct diag *diag;
    struct optimizer_spec spec;
    bool accepted;
};

static struct reading read_mapping(const char *text) {
    struct reading reading = {.arena = arena_new(), .diag = diag_new()};
    struct binder binder = {.diag = reading.diag, .arena = reading.arena};
    reading.accepted = param_bind(&binder, sketch(reading.arena, text), &optimizer_table, &reading.spec);
    return reading;
}

static void reading_end(struct reading *reading) {
    arena_free(reading->arena);
    diag_free(reading->diag);
}

static double gradient_at(int update, size_t j) {
    return j == 0 ? 0 : cos(3.7 * update + (double)j) * pow(10, (double)j - 6);
}

/* Both sides round each update a handful of times; sums of 60 updates of size 0.1 differ by at most
 * 60 * 8 roundings of a number below 10: 1e-12. Large gradients are compared relatively. */
Test(optimizer, follows_torch) {
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        struct reading reading = read_mapping(rules[k].mapping);
        cr_assert(reading.accepted, "%s", rules[k].mapping);
        cr_expect(eq(u32, optimizer_memories(&reading.spec), rules[k].memories), "%s", rules[k].mapping);
        double memory[2 * LENGTH] = {0}, w[LENGTH] = {0}, expected[LENGTH] = {0}, gradient[LENGTH];
        struct torch torch[LENGTH];
        for (size_t j = 0; j < LENGTH; j++)
            torch[j] = rules[k].start, w[j] = expected[j] = 0.5 - (double)j / 7;
        for (int update = 0; update < UPDATES; update++) {
            for (size_t j = 0; j < LENGTH; j++) {
                gradient[j] = gradient_at(update, j);
                torch[j].t = update + 1;
                expected[j] = rules[k].torch(&torch[j], expected[j], gradient[j], 0.1);
            }
            optimizer_update(&reading.spec, update, gradient, memory, w, LENGTH);
            for (size_t j = 0; j < LENGTH; j++)
                cr_expect(epsilon_eq(dbl, w[j], expected[j], 1e-12 * (1 + pow(10, (double)j - 6))),
                          "%s: update %d, weight %zu", rules[k].mapping, update, j);
        }
        reading_end(&reading);
    }
}

/* As the padding of a gradient must leave the padding of w. */
Test(optimizer, zero_stays_zero) {
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        struct reading reading = read_mapping(rules[k].mapping);
        double memory[2] = {0}, w = 0, gradient = 0;
        for (uint32_t update = 0; update < 3; update++)
            optimizer_update(&reading.spec, update, &gradient, memory, &w, 1);
        cr_expect(zero(dbl, w), "%s", rules[k].mapping);
        reading_end(&reading);
    }
}

struct factor {
    const char *schedule;
    uint32_t update;
    double factor;
};

static const struct factor factors[] = {
    {"{}", 0, 1},
    {"{type: constant}", 4000000000, 1},
    {"{type: warmup, steps: 4}", 0, 0.25},
    {"{type: warmup, steps: 4}", 2, 0.75},
    {"{type: warmup, steps: 4}", 3, 1},
    {"{type: warmup, steps: 4}", 4, 1},
    {"{type: warmup, steps: 1}", 0, 1},
    {"{type: step, every: 10, factor: 0.5}", 9, 1},
    {"{type: step, every: 10, factor: 0.5}", 10, 0.5},
    {"{type: step, every: 10, factor: 0.5}", 39, 0.125},
    {"{type: step, every: 1, factor: 0.5}", 4000000000, 0},
    {"{type: inverse-time, decay: 0.25}", 0, 1},
    {"{type: inverse-time, decay: 0.25}", 4, 0.5},
    {"{type: inverse-time, decay: 0.25}", 12, 0.25},
    {"{type: cosine, steps: 6}", 0, 1},
    {"{type: cosine, steps: 6}", 2, 0.75},
    {"{type: cosine, steps: 6}", 3, 0.5},
    {"{type: cosine, steps: 6}", 4, 0.25},
    {"{type: cosine, steps: 6}", 6, 0},
    {"{type: cosine, steps: 6}", 7, 0},
    {"{type: cosine, steps: 1}", 0, 1},
};

static double factor_of(const struct reading *reading, uint32_t update) {
    const struct picked *picked = reading->spec.schedule;
    return ((const struct schedule *)picked->type)->factor(picked->params, update);
}

/* All but the cosine are exact; that is good to 4 roundings. */
Test(optimizer, schedules_at_known_updates) {
    for (size_t f = 0; f < sizeof factors / sizeof *factors; f++) {
        char mapping[120];
        snprintf(mapping, sizeof mapping, "{learning_rate: 3, schedule: %s}", factors[f].schedule);
        struct reading reading = read_mapping(mapping);
        cr_assert(reading.accepted, "%s", mapping);
        cr_expect(epsilon_eq(dbl, factor_of(&reading, factors[f].update), factors[f].factor, 4.5e-16),
                  "%s at %u", factors[f].schedule, factors[f].update);
        double w = 0;
        const double gradient = -1;
        optimizer_update(&reading.spec, factors[f].update, &gradient, NULL, &w, 1);
        cr_expect(epsilon_eq(dbl, w, 3 * factors[f].factor, 1.8e-15), "%s at %u: w", factors[f].schedule,
                  factors[f].update);
        reading_end(&reading);
    }
}

Test(optimizer, cosine_everywhere) {
    struct reading reading = read_mapping("{learning_rate: 3, schedule: {type: cosine, steps: 1001}}");
    for (uint32_t update = 0; update < 1001; update++) {
        const double expected = (double)((1 + cosl(3.14159265358979323846L * update / 1001)) / 2);
        cr_expect(epsilon_eq(dbl, factor_of(&reading, update), expected, 4.5e-16), "update %u", update);
    }
    reading_end(&reading);
}

static const char *const refused[] = {
    "{type: sgd}",
    "{learning_rate: 0}",
    "{learning_rate: -1}",
    "{learning_rate: 1, momentum: 0.9}",
    "{type: momentum, learning_rate: 1, momentum: 1}",
    "{type: adam, learning_rate: 1, epsilon: 0}",
    "{type: adam, learning_rate: 1, beta1: 1}",
    "{type: adagrad, learning_rate: 1}",
    "{learning_rate: 1, schedule: {type: warmup}}",
    "{learning_rate: 1, schedule: {type: cosine, steps: 0}}",
    "{learning_rate: 1, schedule: {type: step, every: 1, factor: 0}}",
    "{learning_rate: 1, schedule: {type: inverse-time, decay: 0}}",
    "{learning_rate: 1, clip_norm: 0}",
    "{learning_rate: 1, scale_lr: sqrt}",
    "{learning_rate: 1, accumulate: 0}",
    "{learning_rate: 1, compression: {type: topk}}",
};

Test(optimizer, mistakes_are_told) {
    for (size_t m = 0; m < sizeof refused / sizeof *refused; m++) {
        struct reading reading = read_mapping(refused[m]);
        cr_expect(not(reading.accepted), "%s", refused[m]);
        cr_expect(eq(sz, diag_errors(reading.diag), 1), "%s", refused[m]);
        reading_end(&reading);
    }
}

struct clipped {
    const char *mapping;
    double gradient[2], factor;
};
static const struct clipped clippings[] = {
    {"{learning_rate: 1}", {3e100, 4e100}, 1},
    {"{learning_rate: 1, clip_norm: none}", {3, 4}, 1},
    {"{learning_rate: 1, clip_norm: 6}", {3, 4}, 1},
    {"{learning_rate: 1, clip_norm: 5}",
     {3, 4},
     5 / (5 + 1e-6)}, /* as torch: the limit itself is shortened */
    {"{learning_rate: 1, clip_norm: 0.5}", {-3, 4}, 0.5 / (5 + 1e-6)},
    {"{learning_rate: 1, clip_norm: 0.5}", {0, 0}, 1},
};

/* torch.nn.utils.clip_grad_norm_, to a few roundings. */
Test(optimizer, clips_as_torch) {
    for (size_t c = 0; c < sizeof clippings / sizeof *clippings; c++) {
        struct reading reading = read_mapping(clippings[c].mapping);
        double gradient[2] = {clippings[c].gradient[0], clippings[c].gradient[1]};
        cr_assert(reading.accepted, "%s", clippings[c].mapping);
        optimizer_clip(&reading.spec, gradient, 2);
        for (size_t j = 0; j < 2; j++) {
            double expected = clippings[c].gradient[j] * clippings[c].factor;
            cr_expect(le(dbl, fabs(gradient[j] - expected), 4e-16 * fabs(expected)), "%s: value %zu",
                      clippings[c].mapping, j);
        }
        reading_end(&reading);
    }
}

Test(optimizer, scales_by_the_workers_used) {
    struct reading plain = read_mapping("{learning_rate: 2}");
    struct reading linear = read_mapping("{learning_rate: 2, scale_lr: linear}");
    cr_expect(eq(dbl, optimizer_scaled(&plain.spec, 0.75).learning_rate, 2));
    cr_expect(eq(dbl, optimizer_scaled(&linear.spec, 0.75).learning_rate, 1.5));
    reading_end(&plain);
    reading_end(&linear);
}
