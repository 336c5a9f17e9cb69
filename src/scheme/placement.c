#include "placement.h"
#include <assert.h>

static uint32_t group_first(uint32_t worker, uint32_t copies) {
    return worker / copies * copies;
}

static uint32_t own_first(uint32_t worker, uint32_t copies) {
    (void)copies;
    return worker;
}

struct placement placement_fr(uint32_t workers, uint32_t copies) {
    assert(copies >= 1 && copies <= workers && workers % copies == 0);
    return (struct placement){.workers = workers, .copies = copies, .first = group_first};
}

struct placement placement_cr(uint32_t workers, uint32_t copies) {
    assert(copies >= 1 && copies <= workers);
    return (struct placement){.workers = workers, .copies = copies, .first = own_first};
}

uint32_t placement_partition(const struct placement *placement, uint32_t worker, uint32_t position) {
    uint32_t unwrapped = placement->first(worker, placement->copies) + position;
    return unwrapped < placement->workers ? unwrapped : unwrapped - placement->workers;
}

uint32_t placement_position(const struct placement *placement, uint32_t worker, uint32_t rank) {
    uint32_t end = placement->first(worker, placement->copies) + placement->copies;
    uint32_t wrapped = end > placement->workers ? end - placement->workers : 0;
    /* What wraps round is smallest, yet stands last in the list. */
    return rank < wrapped ? placement->copies - wrapped + rank : rank - wrapped;
}
