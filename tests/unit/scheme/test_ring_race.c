/* Who comes first on a ring against a look at every partition's holders. */
#include "ring_race.h"
#include "stream.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

enum { MOST_WORKERS = 80, RUNS = 2000 };

/* The holder of a partition that comes first, of those at one time the one of the lower rank. */
static double first_of(const struct ring_race *race, uint32_t copies, uint32_t partition) {
    uint32_t best = partition;
    for (uint32_t l = 1; l < copies; l++) {
        uint32_t i = (partition + race->workers - l) % race->workers;
        bool same = race->when[i] == race->when[best];
        if (race->when[i] < race->when[best] || (same && race->rank[i] < race->rank[best]))
            best = i;
    }
    return race->rank[best];
}

/* Of few different times, so that many are the same, some of them infinite; and ranks in any order. */
static void fill(struct ring_race *race, struct draw *draw) {
    uint32_t times = 1 + draw_index(draw, draw_index(draw, 2) ? 4 : 1000);
    uint32_t turned = draw_index(draw, race->workers);
    for (uint32_t i = 0; i < race->workers; i++) {
        race->when[i] = draw_index(draw, 5) ? draw_index(draw, times) : (double)INFINITY;
        race->rank[i] = (i + turned) % race->workers + (draw_index(draw, 3) ? 0 : race->workers);
    }
}

Test(ring_race, as_partition_by_partition) {
    for (uint32_t run = 0; run < RUNS; run++) {
        struct draw draw = {.stream = {3, run, PURPOSE_SAMPLE}};
        struct arena *arena = arena_new();
        struct ring_race race;
        struct won won[MOST_WORKERS];
        double expected[2 * MOST_WORKERS] = {0}, found[2 * MOST_WORKERS] = {0};
        uint32_t workers = 1 + draw_index(&draw, MOST_WORKERS), copies = 1 + draw_index(&draw, workers);
        ring_race_begin(&race, workers, arena);
        for (uint32_t again = 0; again < 2; again++) {
            fill(&race, &draw);
            for (uint32_t p = 0; p < workers; p++)
                expected[(uint32_t)first_of(&race, copies, p)]++;
            size_t runs = ring_race_run(&race, copies, won);
            cr_assert(runs <= workers);
            for (size_t q = 0; q < runs; q++)
                found[(uint32_t)won[q].rank] += won[q].partitions;
        }
        for (uint32_t r = 0; r < 2 * MOST_WORKERS; r++)
            cr_assert(found[r] == expected[r], "rank %u of %u workers, %u copies, run %u: %g, not %g", r,
                      workers, copies, run, found[r], expected[r]);
        arena_free(arena);
    }
}
