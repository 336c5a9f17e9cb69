#include "placement.h"
#include <assert.h>

/* The l-th partition from `first` on round the ring. */
static uint32_t on_ring(const struct placement *placement, uint32_t first, uint32_t l) {
    uint32_t unwrapped = first + l;
    return unwrapped < placement->workers ? unwrapped : unwrapped - placement->workers;
}

static uint32_t beyond_end(const struct placement *placement, uint32_t first, uint32_t length) {
    return first + length > placement->workers ? first + length - placement->workers : 0;
}

static uint32_t fr_partition(const struct placement *placement, uint32_t worker, uint32_t position) {
    return worker / placement->copies * placement->copies + position;
}

static uint32_t fr_wrapped(const struct placement *placement, uint32_t worker) {
    (void)placement;
    (void)worker;
    return 0;
}

static uint32_t cr_partition(const struct placement *placement, uint32_t worker, uint32_t position) {
    return on_ring(placement, worker, position);
}

static uint32_t cr_wrapped(const struct placement *placement, uint32_t worker) {
    return beyond_end(placement, worker, placement->copies);
}

/* How many of the worker's places are below 0. */
static uint32_t hr_below(const struct placement *placement, uint32_t worker) {
    uint32_t place = worker % placement->group;
    return place < placement->local ? placement->local - place : 0;
}

static uint32_t hr_partition(const struct placement *placement, uint32_t worker, uint32_t position) {
    uint32_t wrap = position < hr_below(placement, worker) ? placement->group : 0;
    return on_ring(placement, worker + wrap - placement->local, position);
}

static uint32_t hr_wrapped(const struct placement *placement, uint32_t worker) {
    uint32_t below = hr_below(placement, worker);
    if (below > 0)
        return placement->copies - below;
    return beyond_end(placement, worker - placement->local, placement->copies);
}

struct placement placement_fr(uint32_t workers, uint32_t copies) {
    assert(copies >= 1 && copies <= workers && workers % copies == 0);
    return (struct placement){
        .workers = workers, .copies = copies, .partition = fr_partition, .wrapped = fr_wrapped};
}

struct placement placement_cr(uint32_t workers, uint32_t copies) {
    assert(copies >= 1 && copies <= workers);
    return (struct placement){
        .workers = workers, .copies = copies, .partition = cr_partition, .wrapped = cr_wrapped};
}

struct placement placement_hr(uint32_t workers, uint32_t copies, uint32_t local, uint32_t group) {
    assert(copies >= 1 && copies <= (local > 0 ? group : workers) && local <= copies);
    assert(group >= 1 && workers % group == 0);
    return (struct placement){.workers = workers,
                              .copies = copies,
                              .local = local,
                              .group = group,
                              .partition = hr_partition,
                              .wrapped = hr_wrapped};
}

uint32_t placement_partition(const struct placement *placement, uint32_t worker, uint32_t position) {
    return placement->partition(placement, worker, position);
}

uint32_t placement_position(const struct placement *placement, uint32_t worker, uint32_t rank) {
    uint32_t wrapped = placement->wrapped(placement, worker);
    return rank < wrapped ? placement->copies - wrapped + rank : rank - wrapped;
}
