#include "sequential.h"
#include "set_rules.h"
#include "worker_set.h"

struct gc_deadline_sets {
    size_t words;
    uint32_t bearable; /* stragglers that keep a deadline */
    uint32_t version;
};

static void *begin(const void *params, const struct setting *setting, const struct limits *limits,
                   struct arena *arena) {
    const struct sequential_params *deadline = params;
    struct gc_deadline_sets *gc = arena_zeroed(arena, 1, sizeof *gc);
    (void)limits;
    gc->words = set_words(setting->shape.workers);
    gc->bearable = deadline->code.stragglers - (deadline->tolerance == TOLERANCE_STRICT);
    return gc;
}

static void open(void *state, uint32_t round, uint32_t version) {
    (void)round;
    ((struct gc_deadline_sets *)state)->version = version;
}

static bool admits(const void *state, const uint64_t *missing) {
    const struct gc_deadline_sets *gc = state;
    return set_count(missing, gc->words) <= gc->bearable;
}

static uint32_t close(void *state, const uint64_t *missing) {
    (void)state;
    (void)missing;
    return 1;
}

static uint32_t release(void *state) {
    return ((struct gc_deadline_sets *)state)->version;
}

const struct set_rules gc_deadline_sets = {
    .begin = begin, .open = open, .admits = admits, .close = close, .release = release};
