/* Who is late, of rows of many lengths, against the same one by one. */
#include "late_set.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

enum { MOST = 300 };

static uint64_t drawn = 88172645463325252ull;
static uint32_t draw(uint32_t end) {
    drawn ^= drawn << 13;
    drawn ^= drawn >> 7;
    drawn ^= drawn << 17;
    return (uint32_t)((drawn >> 16) % end);
}

/* Of few values, so that many are at the very limit, and some are endless. */
static void check_row(size_t count) {
    double seconds[MOST], least = (double)INFINITY, most = 0, last;
    double until_s = 0.1 * draw(150);
    struct time_limit limit = {0.1 * draw(100), draw(3) ? until_s - 0.1 * draw(20) : until_s, until_s};
    last = limit.due_s;
    uint64_t late[(MOST + 63) / 64];
    for (size_t i = 0; i < count; i++) {
        seconds[i] = draw(20) ? 0.1 * draw(80) : (double)INFINITY;
        least = fmin(least, seconds[i]);
        most = fmax(most, seconds[i]);
    }
    for (size_t w = 0; w < sizeof late / sizeof *late; w++)
        late[w] = ~UINT64_C(0);
    double found = late_set_find(seconds, count, &limit, late);
    for (size_t i = 0; i < (count + 63) / 64 * 64; i++) {
        bool expected = i < count && limit.begin_s + seconds[i] > limit.until_s;
        cr_assert(eq(int, late[i / 64] >> i % 64 & 1, expected), "number %zu of %zu", i, count);
        if (i < count && !expected)
            last = fmax(last, limit.begin_s + seconds[i]);
    }
    cr_assert(eq(dbl, found, last), "%zu", count);
    cr_assert(eq(dbl, least_of(seconds, count), least), "%zu", count);
    double lowest, highest;
    extremes_find(seconds, count, &lowest, &highest);
    cr_assert(eq(dbl, lowest, least), "%zu", count);
    cr_assert(eq(dbl, highest, most), "%zu", count);
}

Test(late_set, rows_of_all_lengths) {
    for (size_t count = 1; count <= MOST; count++)
        for (int turn = 0; turn < 20; turn++)
            check_row(count);
}
