#include "sequential.h"
#include "set_rules.h"
#include "worker_set.h"

struct gc_deadline_sets {
    size_t words;
    uint32_t workers, copies;
    uint32_t bearable; /* stragglers that keep a deadline */
    uint32_t round, version;
    uint64_t *heard; /* NULL: nobody asks */
};

static void *begin(const void *params, const struct setting *setting, const struct limits *limits,
                   struct arena *arena) {
    const struct sequential_params *deadline = params;
    struct gc_deadline_sets *gc = arena_zeroed(arena, 1, sizeof *gc);
    gc->workers = setting->shape.workers;
    gc->copies = limits->evaluations;
    gc->words = set_words(gc->workers);
    gc->bearable = deadline->code.stragglers - (deadline->tolerance == TOLERANCE_STRICT);
    return gc;
}

static void open(void *state, uint32_t round, uint32_t version) {
    struct gc_deadline_sets *gc = state;
    gc->round = round;
    gc->version = version;
}

static bool admits(const void *state, const uint64_t *missing) {
    const struct gc_deadline_sets *gc = state;
    return set_count(missing, gc->words) <= gc->bearable;
}

static uint32_t close(void *state, const uint64_t *missing) {
    struct gc_deadline_sets *gc = state;
    if (gc->heard)
        set_others(gc->heard, missing, gc->workers);
    return 1;
}

static uint32_t release(void *state) {
    return ((struct gc_deadline_sets *)state)->version;
}

static void keep(void *state, struct arena *arena) {
    struct gc_deadline_sets *gc = state;
    gc->heard = arena_zeroed(arena, gc->words, sizeof *gc->heard);
}

static void evaluations(const void *state, double *evaluations) {
    const struct gc_deadline_sets *gc = state;
    for (uint32_t i = 0; i < gc->workers; i++)
        evaluations[i] = gc->copies;
}

static size_t parcels(void *state, struct parcel *parcel) {
    const struct gc_deadline_sets *gc = state;
    parcel[0] = (struct parcel){.round = gc->round, .workers = gc->heard, .evaluations = gc->copies};
    return 1;
}

const struct set_rules gc_deadline_sets = {.begin = begin,
                                           .open = open,
                                           .admits = admits,
                                           .close = close,
                                           .release = release,
                                           .keep = keep,
                                           .evaluations = evaluations,
                                           .parcels = parcels};
