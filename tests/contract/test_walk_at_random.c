/* Combinations drawn at random, see walk.h: a few of them always; as many as LAGGARD_WALK says where it is a number; and
 * for as many seconds as LAGGARD_SOAK says, from a seed LAGGARD_SEED on, where it is one: an hour of it is
 *     LAGGARD_SOURCE=$PWD LAGGARD_SOAK=3600 build/tests/contract_walk --filter walk_at_random/soak */
#include "draws.h"
#include "walk.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { USUAL_WALKS = 1500, A_DAY_S = 86400 };

/* The number that a variable of the environment holds, or the usual one. */
static uint64_t asked(const char *variable, uint64_t usual) {
    const char *text = getenv(variable);
    uint64_t number = text ? strtoull(text, NULL, 10) : 0;
    return number > 0 ? number : usual;
}

static uint64_t runs_of(enum walked (*one)(void), uint64_t walks) {
    uint64_t run = 0;
    for (uint64_t q = 0; q < walks; q++)
        run += one() == WALKED_RUN;
    return run;
}

/* About four in ten run: most others are refused for a wait or a late rule, or a shape. */
Test(walk_at_random, everything_at_once, .timeout = A_DAY_S) {
    uint64_t walks = asked("LAGGARD_WALK", USUAL_WALKS), run = runs_of(walk_freely, walks);
    cr_expect(lt(u64, walks / 5, run), "%" PRIu64 " of %" PRIu64, run, walks);
}

/* Fewer: nothing was chosen to go together. */
Test(walk_at_random, all_that_tables_list, .timeout = A_DAY_S) {
    uint64_t walks = asked("LAGGARD_WALK", USUAL_WALKS), run = runs_of(walk_tables, walks);
    cr_expect(lt(u64, walks / 20, run), "%" PRIu64 " of %" PRIu64, run, walks);
}

/* Each seed begins a few walks of both kinds, so that what is found late is found again soon. */
Test(walk_at_random, soak, .timeout = A_DAY_S) {
    enum { WALKS_OF_SEED = 200 };
    const uint64_t seconds = asked("LAGGARD_SOAK", 0);
    const time_t start = time(NULL);
    uint64_t seed = asked("LAGGARD_SEED", 1), walks = 0, run = 0;
    if (seconds == 0)
        cr_skip_test("LAGGARD_SOAK names no seconds");
    for (; (uint64_t)(time(NULL) - start) < seconds; seed++) {
        draws_begin(seed);
        run += runs_of(walk_freely, WALKS_OF_SEED) + runs_of(walk_tables, WALKS_OF_SEED);
        walks += (uint64_t)2 * WALKS_OF_SEED;
    }
    fprintf(stderr, "%" PRIu64 " walks, %" PRIu64 " of them run, the next seed is %" PRIu64 "\n", walks, run,
            seed);
}
