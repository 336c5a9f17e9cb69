#include "burst.h"
#include <assert.h>
#include <string.h>

void burst_begin(struct burst *burst, struct burst_bounds bounds, uint32_t workers, struct arena *arena) {
    assert(bounds.length >= 1 && bounds.length < bounds.window);
    *burst = (struct burst){
        .bounds = bounds,
        .workers = workers,
        .heard = arena_zeroed(arena, workers, sizeof *burst->heard),
        .straggled = arena_zeroed(arena, (size_t)bounds.window * workers, sizeof *burst->straggled),
        .recent = arena_zeroed(arena, workers, sizeof *burst->recent),
        .spent = arena_zeroed(arena, workers, sizeof *burst->spent)};
}

/* Who straggled in a round of the window; the present round stands where round r - W stood. */
static bool *stragglers_of(const struct burst *burst, uint32_t round) {
    return burst->straggled + (size_t)(round % burst->bounds.window) * burst->workers;
}

void burst_open(struct burst *burst, uint32_t round) {
    burst->round = round;
    bool *leaving = stragglers_of(burst, round);
    /* Before round B that row is still of a round to come, so nobody straggled in it. */
    const bool *spending = stragglers_of(burst, round + burst->bounds.window - burst->bounds.length);
    for (uint32_t i = 0; i < burst->workers; i++) {
        burst->recent[i] -= leaving[i];
        burst->spent[i] += spending[i];
        burst->spent[i] -= leaving[i];
    }
    memset(leaving, 0, burst->workers * sizeof *leaving);
    memset(burst->heard, 0, burst->workers * sizeof *burst->heard);
}

void burst_hear(struct burst *burst, uint32_t worker) {
    burst->heard[worker] = true;
}

uint32_t burst_stragglers(const struct burst *burst) {
    uint32_t stragglers = 0;
    for (uint32_t i = 0; i < burst->workers; i++)
        stragglers += !burst->heard[i];
    return stragglers;
}

bool burst_admits(const struct burst *burst) {
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < burst->workers; i++) {
        if (!burst->heard[i] && burst->spent[i] > 0)
            return false;
        distinct += !burst->heard[i] || burst->recent[i] > 0;
    }
    return distinct <= burst->bounds.distinct;
}

void burst_record(struct burst *burst) {
    bool *straggled = stragglers_of(burst, burst->round);
    for (uint32_t i = 0; i < burst->workers; i++) {
        straggled[i] = !burst->heard[i];
        burst->recent[i] += straggled[i];
    }
}
