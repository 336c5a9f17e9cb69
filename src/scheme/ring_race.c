#include "ring_race.h"
#include "cloned.h"
#include "sift.h"
#include <string.h>

void ring_race_begin(struct ring_race *race, uint32_t workers, struct arena *arena) {
    const size_t twice = 2 * (size_t)workers + RING_RACE_SPARE;
    *race = (struct ring_race){.workers = workers,
                               .when = arena_zeroed(arena, twice, sizeof(double)),
                               .rank = arena_zeroed(arena, twice, sizeof(double)),
                               .best_when = arena_zeroed(arena, twice, sizeof(double)),
                               .best_rank = arena_zeroed(arena, twice, sizeof(double)),
                               .ended = arena_zeroed(arena, workers, sizeof(double)),
                               .place = arena_zeroed(arena, workers + SIFT_SPARE, sizeof(uint32_t))};
}

/* Of each and the one so far apart from it: the earlier. */
CLONED static void ring_race_halve(const struct ring_race *race, size_t apart, size_t count) {
    const double *restrict when = race->when, *restrict rank = race->rank;
    double *restrict best_when = race->best_when, *restrict best_rank = race->best_rank;
    for (size_t x = 0; x < count; x++) {
        const double one = when[x], other = when[x + apart];
        const double mine = rank[x], its = rank[x + apart];
        const int later = (other < one) | ((other <= one) & (its < mine));
        best_when[x] = later ? other : one;
        best_rank[x] = later ? its : mine;
    }
}

static void exchange(double **one, double **other) {
    double *kept = *one;
    *one = *other;
    *other = kept;
}

/* The first of `copies` workers in a row, for each of them that begins such a row: of two rows that overlap or meet the first of
 * both, and so on. */
static void find_first(struct ring_race *race, uint32_t copies) {
    size_t length = race->workers + copies - 1;
    memcpy(race->when + race->workers, race->when, (copies - 1) * sizeof *race->when);
    memcpy(race->rank + race->workers, race->rank, (copies - 1) * sizeof *race->rank);
    for (uint32_t width = 1, apart; width < copies; width += apart) {
        apart = width < copies - width ? width : copies - width;
        length -= apart;
        ring_race_halve(race, apart, length);
        exchange(&race->when, &race->best_when);
        exchange(&race->rank, &race->best_rank);
    }
}

CLONED static void ring_race_compare(const double *restrict rank, double *restrict ended, size_t count) {
    for (size_t x = 0; x < count; x++)
        ended[x] = rank[x] < rank[x + 1] || rank[x] > rank[x + 1] ? 0 : 1;
}

size_t ring_race_run(struct ring_race *race, uint32_t copies, struct won *won) {
    find_first(race, copies);
    ring_race_compare(race->rank, race->ended, race->workers - 1);
    size_t runs = sift_below(&(struct numbers){race->ended, race->workers - 1}, 0.5, race->place);
    race->place[runs++] = race->workers - 1;
    for (size_t q = 0; q < runs; q++) {
        uint32_t before = q > 0 ? race->place[q - 1] + 1 : 0;
        won[q] = (struct won){race->rank[race->place[q]], race->place[q] + 1 - before};
    }
    return runs;
}
