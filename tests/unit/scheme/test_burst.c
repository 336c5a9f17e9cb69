/* Which stragglers the window of rounds allows: n = 4, written by hand. */
#include "burst.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#define ROUNDS 8

struct row {
    const char *name;
    struct burst_bounds bounds;
    const char
        *recorded[ROUNDS];  /* who straggled, round by round, as digits; "-": the round does not count */
    const char *stragglers; /* of the round after those */
    bool admitted;
};

static const struct row rows[] = {
    {"as many as lambda", {1, 3, 2}, {NULL}, "01", true},
    {"more than lambda", {1, 3, 2}, {NULL}, "012", false},
    {"lambda 0 bears nobody", {1, 3, 0}, {NULL}, "0", false},
    {"lambda 0, nobody", {1, 3, 0}, {NULL}, "", true},
    {"lambda n bears all", {1, 3, 4}, {NULL}, "0123", true},
    {"distinct over the window", {1, 3, 2}, {"0", "1"}, "2", false},
    {"a straggler has left the window", {1, 3, 2}, {"0", "1", ""}, "2", true},
    {"nobody new, but earlier ones are too many by themselves", {1, 3, 1}, {"0"}, "", true},
    {"B 1: again in the next round", {1, 3, 2}, {"0"}, "0", false},
    {"B 1: again after two", {1, 3, 2}, {"0", ""}, "0", false},
    {"B 1: again when it has left the window", {1, 3, 2}, {"0", "", ""}, "0", true},
    {"B 2: again in the next round", {2, 4, 2}, {"0"}, "0", true},
    {"B 2: thrice in a row", {2, 4, 2}, {"0", "0"}, "0", false},
    {"B 2: with a gap", {2, 4, 2}, {"0", ""}, "0", false},
    {"B 2: its first has left the window, its second has not", {2, 4, 2}, {"0", "0", "", ""}, "0", false},
    {"B 2: both have left the window", {2, 4, 2}, {"0", "0", "", "", ""}, "0", true},
    {"a repeated one counts once", {2, 4, 2}, {"0", "0"}, "1", true},
    {"a round that does not count", {1, 3, 2}, {"-", "1"}, "02", false},
    {"a round that does not count bars nobody", {1, 3, 2}, {"-"}, "01", true},
    {"the ring has gone round", {1, 3, 2}, {"0", "1", "", "2", "", ""}, "23", true},
};

static void hear_all_but(struct burst *burst, const char *stragglers) {
    for (uint32_t i = 0; i < burst->workers; i++)
        if (!strchr(stragglers, '0' + (char)i))
            burst_hear(burst, i);
}

Test(burst, admits_what_the_window_allows) {
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct row *row = &rows[r];
        struct arena *arena = arena_new();
        struct burst burst;
        uint32_t round = 0;
        burst_begin(&burst, row->bounds, 4, arena);
        for (; row->recorded[round]; round++) {
            burst_open(&burst, round);
            hear_all_but(&burst, row->recorded[round]);
            if (strcmp(row->recorded[round], "-") != 0)
                burst_record(&burst);
        }
        burst_open(&burst, round);
        hear_all_but(&burst, row->stragglers);
        cr_expect(eq(u32, burst_stragglers(&burst), strlen(row->stragglers)), "%s", row->name);
        cr_expect(eq(int, burst_admits(&burst), row->admitted), "%s", row->name);
        arena_free(arena);
    }
}
