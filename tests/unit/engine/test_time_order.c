/* Sorted times against qsort's. */
#include "elementary.h"
#include "stream.h"
#include "time_order.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    const struct due *one = a, *other = b;
    if (one->time != other->time)
        return one->time < other->time ? -1 : 1;
    return one->worker < other->worker ? -1 : one->worker > other->worker;
}

/* Where the q-th of some times lies, by u in (0, 1). */
struct row {
    const char *name;
    double (*time)(size_t q, double u);
};

static double even(size_t q, double u) {
    (void)q;
    return 5 + u;
}
static double one_time(size_t q, double u) {
    (void)q;
    return u > 2 ? u : 3;
}
static double few_times(size_t q, double u) {
    (void)q;
    return (double)(int)(u * 4);
}
static double one_apart(size_t q, double u) {
    return q == 7 ? 1e30 : u;
}
static double heaps(size_t q, double u) {
    return (double)(q % 3) + 1e-9 * u;
}
static double every_scale(size_t q, double u) {
    (void)u;
    return elementary_exp(-0.7 * (double)(q % 900));
}
static const struct row rows[] = {{"even", even},           {"one time", one_time},
                                  {"few times", few_times}, {"one apart", one_apart},
                                  {"heaps", heaps},         {"every scale", every_scale}};

/* Workers in falling order, so that equal times are not in order as they come. */
static void expect_sorted(const struct row *row, struct time_order *order, size_t count,
                          const struct time_span *span) {
    struct due *wanted = calloc(count + 1, sizeof *wanted);
    for (size_t q = 0; q < count; q++) {
        struct draw draw = {{9, 0, PURPOSE_DATA}, 0, (uint32_t)q, 0};
        wanted[q] =
            (struct due){elementary_bits(row->time(q, draw_unit(&draw))), (uint32_t)(count - q), (uint32_t)q};
        order->due[q] = wanted[q];
    }
    qsort(wanted, count, sizeof *wanted, compare);
    time_order_sort(order, count, span);
    for (size_t q = 0; q < count; q++)
        cr_assert(memcmp(&order->sorted[q], &wanted[q], sizeof *wanted) == 0, "%s, %zu of %zu", row->name, q,
                  count);
    free(wanted);
}

Test(time_order, equals_qsort) {
    static const size_t counts[] = {0, 1, 2, 3, 24, 25, 26, 100, 1000, 20000};
    /* Just, and by far. */
    static const struct time_span spans[] = {{0, 1e30}, {0, 1e300}};
    struct time_order order;
    time_order_init(&order, 20000);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t s = 0; s < sizeof spans / sizeof *spans; s++)
                expect_sorted(&rows[k], &order, counts[c], &spans[s]);
    time_order_fini(&order);
}
