#include "burst_sets.h"
#include <assert.h>
#include <string.h>

static void sliding_begin(struct sliding_union *sliding, uint32_t length, size_t words, struct arena *arena) {
    *sliding = (struct sliding_union){.length = length,
                                      .words = words,
                                      .since = arena_zeroed(arena, words, sizeof *sliding->since),
                                      .row = arena_zeroed(arena, length * words, sizeof *sliding->row)};
}

/* A full block becomes the one before: a set and all after it, at the place of that set. */
static void close_block(struct sliding_union *sliding) {
    size_t words = sliding->words;
    for (size_t q = (sliding->length - 1) * words; q-- > 0;)
        sliding->row[q] |= sliding->row[q + words];
    memset(sliding->since, 0, words * sizeof *sliding->since);
    sliding->at = 0;
}

/* Adds a set, which is read before anything is written, and writes the union: of one set itself. */
static void slide(struct sliding_union *sliding, const uint64_t *set, uint64_t *united) {
    size_t words = sliding->words;
    if (sliding->length == 1) {
        memcpy(united, set, words * sizeof *set);
        return;
    }
    uint64_t *row = sliding->row + sliding->at * words;
    for (size_t w = 0; w < words; w++) {
        row[w] = set[w];
        sliding->since[w] |= set[w];
    }
    if (++sliding->at == sliding->length)
        close_block(sliding);
    row = sliding->row + sliding->at * words;
    for (size_t w = 0; w < words; w++)
        united[w] = sliding->since[w] | row[w];
}

void burst_sets_begin(struct burst_sets *burst, struct burst_bounds bounds, uint32_t workers,
                      struct arena *arena) {
    assert(bounds.length >= 1 && bounds.length < bounds.window);
    size_t words = set_words(workers);
    *burst =
        (struct burst_sets){.bounds = bounds,
                            .words = words,
                            .straggled = arena_zeroed(arena, bounds.length * words, sizeof *burst->straggled),
                            .recently = arena_zeroed(arena, words, sizeof *burst->recently),
                            .spending = arena_zeroed(arena, words, sizeof *burst->spending)};
    sliding_begin(&burst->recent, bounds.window - 1, words, arena);
    sliding_begin(&burst->spent, bounds.window - bounds.length, words, arena);
}

/* Round r - B stands where r will. */
static uint64_t *stragglers_of(const struct burst_sets *burst, uint32_t round) {
    return burst->straggled + (size_t)(round % burst->bounds.length) * burst->words;
}

void burst_sets_open(struct burst_sets *burst, uint32_t round) {
    uint64_t *spending = stragglers_of(burst, round);
    burst->round = round;
    /* Before round 0 nobody straggled, whichever round it was. */
    slide(&burst->recent, stragglers_of(burst, round + burst->bounds.length - 1), burst->recently);
    slide(&burst->spent, spending, burst->spending);
    memset(spending, 0, burst->words * sizeof *spending);
}

bool burst_sets_admit(const struct burst_sets *burst, const uint64_t *stragglers) {
    return !set_meets(stragglers, burst->spending, burst->words) &&
           set_count_either(stragglers, burst->recently, burst->words) <= burst->bounds.distinct;
}

void burst_sets_record(struct burst_sets *burst, const uint64_t *stragglers) {
    memcpy(stragglers_of(burst, burst->round), stragglers, burst->words * sizeof *stragglers);
}
