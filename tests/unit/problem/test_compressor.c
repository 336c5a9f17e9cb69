/* Compressors on vectors worked by hand and against slow twins, and what error feedback keeps. */
#include "../base/sketch.h"
#include "compressor.h"
#include "kept_values.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

/* A mapping read by the table. */
struct reading {
    struct arena *arena;
    struct diag *diag;
    struct compression_spec spec;
    bool accepted;
};

static struct reading read_mapping(const char *text) {
    struct reading reading = {.arena = arena_new(), .diag = diag_new()};
    struct binder binder = {.diag = reading.diag, .arena = reading.arena};
    reading.accepted = param_bind(&binder, sketch(reading.arena, text), &compression_table, &reading.spec);
    return reading;
}

static struct reading read_valid(const char *text) {
    struct reading reading = read_mapping(text);
    cr_assert(reading.accepted, "%s", text);
    return reading;
}

static void reading_end(struct reading *reading) {
    arena_free(reading->arena);
    diag_free(reading->diag);
}

static struct noise noise_at(uint32_t step) {
    return (struct noise){.stream = {9, 0, PURPOSE_COMPRESSION}, .sender = 3, .senders = 8, .step = step};
}

static void apply(const struct reading *reading, uint32_t step, double *message, double *memory,
                  size_t values) {
    struct noise noise = noise_at(step);
    compression_apply(&reading->spec, &noise, message, memory, values);
}

struct worked {
    const char *mapping;
    size_t values;
    double message[8], sent[8];
};
static const struct worked worked[] = {
    {"{type: topk, coordinates: 1}", 4, {1, -3, 2, 0}, {0, -3, 0, 0}},
    {"{type: topk, coordinates: 2}", 4, {1, -3, 2, 0}, {0, -3, 2, 0}},
    {"{type: topk, coordinates: 2}", 5, {2, 1, -2, 2, 2}, {2, 0, -2, 0, 0}}, /* of equal ones the first */
    {"{type: topk, coordinates: 3}", 4, {0, 0, 0, 0}, {0, 0, 0, 0}},
    {"{type: topk, coordinates: 1}", 3, {1, 1 + 0x1p-52, 1}, {0, 1 + 0x1p-52, 0}}, /* the last bit counts */
    {"{type: topk, coordinates: 2}", 3, {5e-324, -0.0, 1e308}, {5e-324, 0, 1e308}},
    {"{type: topk, fraction: 0.5}",
     5,
     {5, 4, 3, 2, 1},
     {5, 4, 3, 0, 0}}, /* 2.5 is nearest to 3, the larger */
    {"{type: topk, fraction: 0.01}", 5, {1, 4, 3, 2, 5}, {0, 0, 0, 0, 5}}, /* at least 1 */
    {"{type: topk, fraction: 1}", 3, {5, 0.1, -3}, {5, 0.1, -3}},
    {"{type: randk, coordinates: 3}", 3, {5, 0.1, -3}, {5, 0.1, -3}},
    {"{type: qsgd, levels: 1}", 3, {0, 0, 0}, {0, 0, 0}},
    {"{type: qsgd, levels: 1}", 3, {0, -7, 0}, {0, -7, 0}}, /* its own norm */
    {"{type: qsgd, levels: 5}", 2, {-3, 4}, {-3, 4}},       /* 3/5 and 4/5 are levels */
    {"{type: qsgd, levels: 10}", 4, {30, 0, -40, 0}, {30, 0, -40, 0}},
};

Test(compressor, vectors_worked_by_hand) {
    for (size_t c = 0; c < sizeof worked / sizeof *worked; c++) {
        struct reading reading = read_valid(worked[c].mapping);
        double message[8];
        memcpy(message, worked[c].message, sizeof message);
        apply(&reading, 0, message, NULL, worked[c].values);
        for (size_t j = 0; j < worked[c].values; j++)
            cr_expect(eq(dbl, message[j], worked[c].sent[j]), "row %zu, %s: value %zu", c, worked[c].mapping,
                      j);
        reading_end(&reading);
    }
}

static double some_value(uint32_t vector, size_t j) {
    struct draw draw = {.stream = {4, 0, PURPOSE_DATA}, .worker = vector, .step = (uint32_t)j};
    double unit = draw_unit(&draw);
    return vector % 3 == 0 ? floor(5 * unit) - 2
                           : (unit - 0.5) * exp(10 * (unit - 0.5)); /* with ties, without */
}

/* How many values come before v_j in order of magnitude and place. */
static size_t place_of(const double *message, size_t values, size_t j) {
    size_t before = 0;
    for (size_t h = 0; h < values; h++)
        before += fabs(message[h]) > fabs(message[j]) || (h < j && fabs(message[h]) == fabs(message[j]));
    return before;
}

Test(compressor, topk_keeps_what_sorting_would) {
    for (uint32_t vector = 0; vector < 300; vector++) {
        char mapping[64];
        size_t values = 1 + vector % MOST, kept = 1 + vector / 7 % values;
        double message[MOST], sent[MOST];
        snprintf(mapping, sizeof mapping, "{type: topk, coordinates: %zu}", kept);
        struct reading reading = read_valid(mapping);
        for (size_t j = 0; j < values; j++)
            message[j] = sent[j] = some_value(vector, j);
        apply(&reading, 0, sent, NULL, values);
        for (size_t j = 0; j < values; j++) {
            double expected = place_of(message, values, j) < kept ? message[j] : 0;
            cr_expect(eq(dbl, sent[j], expected), "vector %u, value %zu", vector, j);
        }
        reading_end(&reading);
    }
}

struct unbiased {
    const char *mapping;
    double omega; /* for the vector below */
};
/* d = 6. qsgd: min(d/s^2, sqrt(d)/s). */
static const struct unbiased unbiased[] = {
    {"{type: randk, coordinates: 1}", 5}, {"{type: randk, coordinates: 4}", 0.5},
    {"{type: randk, fraction: 1}", 0},    {"{type: qsgd, levels: 1}", 2.449489742783178},
    {"{type: qsgd, levels: 3}", 2.0 / 3}, {"{type: qsgd, levels: 100}", 6e-4},
};
static const double sample[6] = {3, -1, 0.5, 0, -2, 1e-3};

/* Over 20000 messages the mean of each value is within 4 standard errors of the value itself, by the spread that is seen:
 * 36 comparisons, so a false alarm has probability 36 * 6e-5 = 0.2 %; where nothing is random, equality but for rounding.
 * The mean square of the error is at most omega |v|^2, which randk reaches: 4 standard errors above it at the most. */
Test(compressor, unbiased_within_their_variance) {
    const uint32_t draws = 20000;
    for (size_t c = 0; c < sizeof unbiased / sizeof *unbiased; c++) {
        struct reading reading = read_valid(unbiased[c].mapping);
        double sum[6] = {0}, square[6] = {0}, error = 0, error_square = 0;
        for (uint32_t t = 0; t < draws; t++) {
            double message[6], distance = 0;
            memcpy(message, sample, sizeof message);
            apply(&reading, t, message, NULL, 6);
            for (size_t j = 0; j < 6; j++) {
                double off = message[j] - sample[j];
                sum[j] += off;
                square[j] += off * off;
                distance += off * off;
            }
            error += distance;
            error_square += distance * distance;
        }
        for (size_t j = 0; j < 6; j++)
            cr_expect(le(dbl, fabs(sum[j]), 4 * sqrt(square[j]) + 1e-9), "%s: value %zu", unbiased[c].mapping,
                      j);
        double mean = error / draws, spread = sqrt(error_square / draws - mean * mean + 1e-12);
        double limit = unbiased[c].omega * (9 + 1 + 0.25 + 4 + 1e-6);
        cr_expect(le(dbl, mean, limit + 4 * spread / sqrt(draws)), "%s: error", unbiased[c].mapping);
        const struct compressor *compressor = (const struct compressor *)reading.spec.compressor.type;
        cr_expect(
            epsilon_eq(dbl, compressor->omega(reading.spec.compressor.params, 6), unbiased[c].omega, 1e-15),
            "%s: omega", unbiased[c].mapping);
        reading_end(&reading);
    }
}

/* Every set of k of d is as likely: each of the 10 pairs of 5 comes about 2000 times in 20000, within 4 standard
 * deviations of sqrt(20000 * 0.1 * 0.9) = 42: false alarms 10 * 6e-5. */
Test(compressor, randk_takes_every_set_alike) {
    struct reading reading = read_valid("{type: randk, coordinates: 2}");
    size_t seen[32] = {0};
    for (uint32_t t = 0; t < 20000; t++) {
        double message[5] = {1, 1, 1, 1, 1};
        unsigned set = 0;
        apply(&reading, t, message, NULL, 5);
        for (unsigned j = 0; j < 5; j++)
            set |= (message[j] != 0) << j;
        seen[set]++;
    }
    for (unsigned set = 0; set < 32; set++) {
        double expected = __builtin_popcount(set) == 2 ? 2000 : 0, room = expected > 0 ? 4 * 42.5 : 0;
        cr_expect(le(dbl, fabs((double)seen[set] - expected), room), "set %u", set);
    }
    reading_end(&reading);
}

/* Draws that share no place: of other values, senders and steps. */
Test(compressor, values_beyond_a_stream_have_draws_of_their_own) {
    struct noise noise = {.stream = {1, 0, PURPOSE_COMPRESSION}, .sender = 2, .senders = 5, .step = 7};
    struct draw last = noise_draw(&noise, 65535), next = noise_draw(&noise, 65536);
    cr_expect(eq(u32, last.worker, 2));
    cr_expect(eq(u32, last.draw, 65535));
    cr_expect(eq(u32, next.worker, 7));
    cr_expect(eq(u32, next.draw, 0));
    cr_expect(eq(u32, next.step, 7));
}

/* Three messages (3, 2) with one value kept: the memory (0, 2), then (3, 0) since 4 > 3, then (0, 2). */
Test(compressor, error_feedback_worked_by_hand) {
    struct reading reading = read_valid("{type: topk, coordinates: 1, error_feedback: true}");
    static const double sent[3][2] = {{3, 0}, {0, 4}, {6, 0}}, kept[3][2] = {{0, 2}, {3, 0}, {0, 2}};
    double memory[2] = {0};
    for (uint32_t t = 0; t < 3; t++) {
        double message[2] = {3, 2};
        apply(&reading, t, message, memory, 2);
        for (size_t j = 0; j < 2; j++) {
            cr_expect(eq(dbl, message[j], sent[t][j]), "message %u, value %zu", t, j);
            cr_expect(eq(dbl, memory[j], kept[t][j]), "memory %u, value %zu", t, j);
        }
    }
    reading_end(&reading);
}

static const char *const fed_back[] = {
    "{type: topk, coordinates: 2, error_feedback: true}",
    "{type: randk, coordinates: 2, error_feedback: true}",
    "{type: qsgd, levels: 1, error_feedback: true}",
    "{type: qsgd, levels: 4, error_feedback: true}",
};

/* What was sent and what is kept add up to what was to be sent, but for a rounding of 1e-16 of at most 100 in each of 500
 * steps. The memory stays bounded, also for those that alone would let it grow: with omega below 2.5 for qsgd and d/k = 3,
 * what is left is on average at most sqrt(1 - 1/3.5) of |v + memory|, so the memory is about 6 |v| at most; 40 |v| is out
 * of reach of its spread. */
Test(compressor, error_feedback_loses_nothing) {
    for (size_t c = 0; c < sizeof fed_back / sizeof *fed_back; c++) {
        struct reading reading = read_valid(fed_back[c]);
        double memory[6] = {0}, sum[6] = {0};
        for (uint32_t t = 0; t < 500; t++) {
            double message[6];
            memcpy(message, sample, sizeof message);
            apply(&reading, t, message, memory, 6);
            for (size_t j = 0; j < 6; j++)
                sum[j] += message[j];
        }
        for (size_t j = 0; j < 6; j++) {
            cr_expect(le(dbl, fabs(sum[j] + memory[j] - 500 * sample[j]), 500 * 1e-13), "%s: value %zu",
                      fed_back[c], j);
            cr_expect(le(dbl, fabs(memory[j]), 40 * 3.78), "%s: memory %zu", fed_back[c], j);
        }
        reading_end(&reading);
    }
}

struct size {
    const char *mapping;
    size_t values;
    double bytes;
};
static const struct size sizes[] = {
    {"{}", 30, 240},
    {"{type: none, error_feedback: true}", 30, 240},
    {"{type: topk, coordinates: 3}", 30, 36},
    {"{type: topk, fraction: 0.1}", 30, 36},
    {"{type: topk, coordinates: 20}", 30, 240}, /* 12 * 20 = 240 */
    {"{type: topk, coordinates: 21}", 30, 240}, /* the whole message is shorter */
    {"{type: randk, coordinates: 3}", 30, 32},
    {"{type: randk, fraction: 1}", 30, 240},
    {"{type: qsgd, levels: 1}", 30, 16},   /* 3 words, 2 bits: 60 bits in 8 bytes */
    {"{type: qsgd, levels: 3}", 30, 20},   /* 7 words, 3 bits: 90 bits in 12 bytes */
    {"{type: qsgd, levels: 4}", 30, 23},   /* 9 words, 4 bits */
    {"{type: qsgd, levels: 127}", 30, 38}, /* 255 words, 8 bits */
    {"{type: qsgd, levels: 128}", 30, 42}, /* 257 words, 9 bits: 270 bits in 34 bytes */
};

Test(compressor, bytes_on_the_network) {
    for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++) {
        struct reading reading = read_valid(sizes[c].mapping);
        cr_expect(eq(dbl, compression_bytes(&reading.spec, sizes[c].values), sizes[c].bytes), "%s",
                  sizes[c].mapping);
        reading_end(&reading);
    }
}

static const char *const refused[] = {
    "{type: topk}",
    "{type: topk, fraction: 0.1, coordinates: 2}",
    "{type: topk, fraction: 0}",
    "{type: topk, fraction: 1.5}",
    "{type: randk, coordinates: 0}",
    "{type: qsgd}",
    "{type: qsgd, levels: 0}",
    "{type: qsgd, levels: 4, fraction: 0.5}",
    "{type: top, fraction: 0.5}",
    "{fraction: 0.5}",
};

Test(compressor, mistakes_are_told) {
    for (size_t m = 0; m < sizeof refused / sizeof *refused; m++) {
        struct reading reading = read_mapping(refused[m]);
        cr_expect(not(reading.accepted), "%s", refused[m]);
        cr_expect(eq(sz, diag_errors(reading.diag), 1), "%s", refused[m]);
        reading_end(&reading);
    }
}

Test(compressor, more_coordinates_than_values_are_refused) {
    struct reading reading = read_valid("{type: topk, coordinates: 7}");
    struct sentence why;
    cr_expect(not(compression_refuses(&reading.spec, 7, &why)));
    cr_expect(compression_refuses(&reading.spec, 6, &why));
    cr_expect(eq(str, why.text, (char *)"coordinates = 7 must be at most the 6 values of a message"));
    reading_end(&reading);
}
