#include "listed.h"
#include <math.h>

uint32_t listing_length(const struct listing *listing, uint32_t worker) {
    return (uint32_t)(listing->first[worker + 1] - listing->first[worker]);
}

uint32_t listing_longest(const struct listing *listing) {
    uint32_t longest = 0;
    for (uint32_t i = 0; i < listing->workers; i++)
        longest = listing_length(listing, i) > longest ? listing_length(listing, i) : longest;
    return longest;
}

double listing_coefficient(const struct listing *listing, size_t e) {
    return listing->coefficient ? listing->coefficient[e] : listing->common;
}

void listed_begin(struct listed *listed, const struct listing *listing, const struct setting *setting,
                  struct arena *arena) {
    listed->listing = listing;
    listed->batches = setting->batches;
    listed->evaluation = arena_zeroed(arena, listing->first[listing->workers], sizeof *listed->evaluation);
    listed->chosen = arena_zeroed(arena, listing->partitions, sizeof *listed->chosen);
}

static double work_of(struct shape shape, uint32_t length) {
    return (double)length * shape.workers / shape.partitions;
}

struct limits listed_limits(struct shape shape, uint32_t longest) {
    return (struct limits){.terms = longest,
                           .evaluations = longest,
                           .span = 1,
                           .fractional = shape.workers % shape.partitions != 0};
}

struct limits listed_even_limits(struct shape shape, uint32_t length) {
    struct limits limits = listed_limits(shape, length);
    limits.work = work_of(shape, length);
    return limits;
}

void listed_open(void *state, uint32_t step, uint32_t version) {
    struct listed *listed = state;
    (void)step;
    (void)version;
    listed->heard = 0;
}

void listed_assign(void *state, uint32_t worker, uint32_t step, struct task *task) {
    struct listed *listed = state;
    const struct listing *listing = listed->listing;
    uint32_t length = listing_length(listing, worker), batch = listed->batches ? step : 0;
    size_t first = listing->first[worker];
    /* One update per step: the model of step t is version t, for a step that waited in a queue too. */
    for (size_t e = first; e < first + length; e++)
        listed->evaluation[e] =
            (struct evaluation){.partition = listing->partition[e], .batch = batch, .version = step};
    struct shape shape = {listing->workers, listing->partitions};
    *task = (struct task){.step = step,
                          .work = work_of(shape, length),
                          .evaluations = length,
                          .evaluation = listed->evaluation + first};
}

size_t listed_finish(void *state, const struct computed *computed, struct term *term) {
    const struct listed *listed = state;
    const struct listing *listing = listed->listing;
    uint32_t length = listing_length(listing, computed->worker), batch = listed->batches ? computed->step : 0;
    size_t first = listing->first[computed->worker];
    for (uint32_t q = 0; q < length; q++)
        term[q] = (struct term){.partition = listing->partition[first + q],
                                .batch = batch,
                                .version = computed->step,
                                .coefficient = listing_coefficient(listing, first + q)};
    return length;
}

void listed_hear(void *state, const struct message *message) {
    struct listed *listed = state;
    (void)message;
    listed->heard++;
}

bool listed_all_heard(const void *state) {
    const struct listed *listed = state;
    return listed->heard == listed->listing->workers;
}

/* Counts those of the worker's partitions that are new to this choice. */
static uint32_t add_partitions(struct listed *listed, uint32_t worker) {
    const struct listing *listing = listed->listing;
    uint32_t added = 0;
    for (size_t e = listing->first[worker]; e < listing->first[worker + 1]; e++) {
        uint32_t *chosen = &listed->chosen[listing->partition[e]];
        added += *chosen != listed->choices;
        *chosen = listed->choices;
    }
    return added;
}

void listed_choose(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    struct listed *listed = state;
    listed->choices++;
    out->recovered = 0;
    out->claim = INEXACT;
    for (uint32_t m = 0; m < messages; m++) {
        out->weight[m] = listing_length(listed->listing, message[m].worker) > 0;
        out->recovered += add_partitions(listed, message[m].worker);
    }
}

void listed_choose_exact(void *state, const struct message *message, uint32_t messages,
                         struct decoding *out) {
    const struct listed *listed = state;
    listed_choose(state, message, messages, out);
    out->claim = messages == listed->listing->workers ? EXACT : INEXACT;
}

void listed_weigh_equal(double weight, uint32_t messages, struct decoding *out) {
    for (uint32_t m = 0; m < messages; m++)
        out->weight[m] *= weight;
    out->residual = out->largest_weight = (double)NAN;
}

void listed_weigh_one(void *state, const struct message *message, uint32_t messages, struct decoding *out) {
    (void)state;
    (void)message;
    listed_weigh_equal(1, messages, out);
}
