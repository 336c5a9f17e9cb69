/* Order statistics of rows against sorting. */
#include "earliest.h"
#include "memory.h"
#include "stream.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* What rows are made of: numbers that all differ, few that do, none that does, one that never comes, a law that jumps from row
 * to row. */
static const char *const kinds[] = {"apart", "ties", "equal", "endless", "drifting"};
enum { KINDS = 5 };

static double made(int kind, uint32_t row, uint32_t i) {
    struct draw draw = {.stream = {.seed = 3, .purpose = PURPOSE_SAMPLE}, .worker = i, .step = row};
    double u = draw_unit(&draw);
    switch (kind) {
    case 0:
        return -log(u);
    case 1:
        return floor(5 * u);
    case 2:
        return 2;
    case 3:
        return u < 0.3 ? HUGE_VAL : u;
    default:
        return (row % 3 == 0 ? 100 : 1) * u;
    }
}

struct shape {
    uint32_t values, k;
};
static const struct shape shapes[] = {
    {1, 1},     {2, 1},      {2, 2},      {3, 2},      {5, 5},     {12, 10},    {13, 12},  {13, 13},
    {29, 1},    {30, 4},     {30, 27},    {64, 12},    {64, 53},   {100, 90},   {101, 50}, {200, 11},
    {300, 280}, {1000, 900}, {1001, 500}, {1000, 999}, {1000, 30}, {1000, 1000}};

static void expect_rows(const struct shape *shape, int kind, size_t rows, size_t stride) {
    struct earliest *earliest = earliest_new(shape->values, shape->k);
    double *value = memory_zeroed(rows * stride + 8, sizeof *value),
           *sorted = memory_zeroed(shape->values, sizeof *sorted);
    double *kth = memory_zeroed(rows + 1, sizeof *kth), *next = memory_zeroed(rows + 1, sizeof *next);
    for (size_t r = 0; r < rows; r++)
        for (size_t i = 0; i < stride; i++)
            value[r * stride + i] = i < shape->values ? made(kind, (uint32_t)r, (uint32_t)i) : 0.001;
    kth[rows] = next[rows] = -1;
    earliest_find(earliest, &(struct value_rows){value, rows, stride}, kth, next);
    for (size_t r = 0; r < rows; r++) {
        for (size_t i = 0; i < shape->values; i++)
            sorted[i] = value[r * stride + i];
        qsort(sorted, shape->values, sizeof *sorted, ascending);
        double after = shape->k < shape->values ? sorted[shape->k] : HUGE_VAL;
        cr_assert(kth[r] == sorted[shape->k - 1] && next[r] == after,
                  "%s, %u of %u, row %zu of %zu: %g, %g not %g, %g", kinds[kind], shape->k, shape->values, r,
                  rows, kth[r], next[r], sorted[shape->k - 1], after);
    }
    cr_expect(kth[rows] == -1 && next[rows] == -1, "%u of %u, %zu rows", shape->k, shape->values, rows);
    free(value);
    free(sorted);
    free(kth);
    free(next);
    earliest_free(earliest);
}

Test(earliest, rows_are_as_sorted) {
    static const size_t rows[] = {0, 1, 7, 8, 9, 16, 43};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int kind = 0; kind < KINDS; kind++)
            for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
                expect_rows(&shapes[s], kind, rows[r], shapes[s].values + shapes[s].values % 2 + r % 3);
}

/* Few, many, and so many that a sample foretells the place; also where it foretells wrong, as all but a few are equal. */
Test(earliest, ranks_are_as_sorted) {
    static const size_t counts[] = {1, 2, 128, 129, 4095, 4096, 60000};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int kind = 0; kind < KINDS; kind++) {
            size_t count = counts[c];
            double *value = memory_zeroed(count, sizeof *value),
                   *sorted = memory_zeroed(count, sizeof *sorted);
            for (size_t j = 0; j < count; j++)
                value[j] = sorted[j] =
                    made(kind, 1, (uint32_t)j) + (kind == 2 && j % 1000 == 7 ? (double)j : 0);
            qsort(sorted, count, sizeof *sorted, ascending);
            for (int p = 0; p <= 20; p++) {
                size_t rank = (size_t)(p / 20.0 * (double)(count - 1));
                double next, found = earliest_of(value, count, rank, &next);
                double after = rank + 1 < count ? sorted[rank + 1] : HUGE_VAL;
                cr_assert(found == sorted[rank] && next == after, "%s, rank %zu of %zu: %g, %g not %g, %g",
                          kinds[kind], rank, count, found, next, sorted[rank], after);
            }
            free(value);
            free(sorted);
        }
}

/* All that is sampled is 1, most of the rest 2: the window ends where the next value is outside it, or misses the rank. */
Test(earliest, a_sample_may_mislead) {
    enum { MANY = 60000, APART = MANY / 1024 };
    double *value = memory_zeroed(MANY, sizeof *value);
    size_t ones = 0;
    for (size_t j = 0; j < MANY; j++) {
        value[j] = j % APART == 0 ? 1 : 2;
        ones += j % APART == 0;
    }
    for (size_t rank = ones - 2; rank <= ones; rank++) {
        double next, found = earliest_of(value, MANY, rank, &next);
        cr_expect(found == (rank < ones ? 1 : 2) && next == (rank + 1 < ones ? 1 : 2), "rank %zu: %g, %g",
                  rank, found, next);
    }
    free(value);
}
