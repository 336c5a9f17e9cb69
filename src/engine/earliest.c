/* Few values below or above the one that is wanted: they are kept sorted in registers, eight rows side by side. Else a window
 * around where it was in the rows before: one pass counts those below and collects those within, of which few are left. */
#include "earliest.h"
#include "cloned.h"
#include "elementary.h"
#include "memory.h"
#include "sift.h"
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = 4,
    VECTORS = 2,
    ROWS = VECTORS * LANES,
    DEEPEST = 12,
    SHALLOW = 5,
    FEW = 128,
    MANY = 4096,
    SMALL_SAMPLE = 1024,
    LARGE_SAMPLE = 16384
};

typedef uint64_t lanes __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

struct earliest {
    uint32_t values, k;
    uint32_t depth; /* values that are kept sorted; 0: too many */
    bool low;       /* they are the smallest ones */
    double *window; /* [values], and what sieves write beyond */
    /* Of the results so far: their number, mean and sum of squared deviations. */
    double seen, mean, squares;
};

/* As many as there are registers for, twice. */
static uint32_t deepest(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512vl") ? DEEPEST : SHALLOW;
#else
    return DEEPEST;
#endif
}

struct earliest *earliest_new(uint32_t values, uint32_t k) {
    assert(k >= 1 && k <= values);
    struct earliest *earliest = memory_zeroed(1, sizeof *earliest);
    uint32_t above = values - k + 1, below = k + 1;
    *earliest = (struct earliest){.values = values, .k = k, .low = below < above};
    earliest->depth = earliest->low ? below : above;
    if (earliest->depth > deepest())
        earliest->depth = 0;
    earliest->window = memory_zeroed((size_t)values + SIFT_SPARE, sizeof *earliest->window);
    return earliest;
}

void earliest_free(struct earliest *earliest) {
    if (!earliest)
        return;
    free(earliest->window);
    free(earliest);
}

/* With the sign that makes the numbers kept the largest ones. */
INLINED double turned(double value, uint64_t mask) {
    return elementary_from_bits(elementary_bits(value) ^ mask);
}

/* kept[0] are the largest of their rows: the new values sink to their place. */
INLINED void sink(const uint32_t depth, double (*kept)[LANES], const double *new) {
    double value[LANES];
    memcpy(value, new, sizeof value);
    for (uint32_t q = 0; q < depth; q++) {
        LANE_LOOP
        for (size_t r = 0; r < LANES; r++) {
            const double less = kept[q][r] < value[r] ? kept[q][r] : value[r];
            kept[q][r] = kept[q][r] > value[r] ? kept[q][r] : value[r];
            value[r] = less;
        }
    }
}

/* Four values of four rows, with the rows side by side. */
INLINED void turn(const double *row, size_t stride, uint64_t mask, double (*side)[LANES]) {
    const lanes row0 = *(const lanes *)row, row1 = *(const lanes *)(row + stride);
    const lanes row2 = *(const lanes *)(row + 2 * stride), row3 = *(const lanes *)(row + 3 * stride);
    const lanes a = __builtin_shufflevector(row0, row1, 0, 4, 2, 6);
    const lanes b = __builtin_shufflevector(row0, row1, 1, 5, 3, 7);
    const lanes c = __builtin_shufflevector(row2, row3, 0, 4, 2, 6);
    const lanes d = __builtin_shufflevector(row2, row3, 1, 5, 3, 7);
    *(lanes *)side[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5) ^ mask;
    *(lanes *)side[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5) ^ mask;
    *(lanes *)side[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7) ^ mask;
    *(lanes *)side[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7) ^ mask;
}

/* The `depth` largest of each row, of the numbers with the sign that `mask` makes. Two vectors of rows side by side, as one
 * would wait for itself. */
INLINED void sort_rows(const uint32_t depth, size_t values, const double *row, size_t stride, uint64_t mask,
                       double (*kept)[DEEPEST][LANES]) {
    double own[VECTORS][DEEPEST][LANES], side[VECTORS][LANES][LANES];
    size_t i = 0;
    for (size_t v = 0; v < VECTORS; v++)
        for (uint32_t q = 0; q < depth; q++)
            for (size_t r = 0; r < LANES; r++)
                own[v][q][r] = -(double)INFINITY;
    for (; i + LANES <= values; i += LANES) {
        for (size_t v = 0; v < VECTORS; v++)
            turn(row + v * LANES * stride + i, stride, mask, side[v]);
        for (size_t j = 0; j < LANES; j++)
            for (size_t v = 0; v < VECTORS; v++)
                sink(depth, own[v], side[v][j]);
    }
    for (; i < values; i++)
        for (size_t v = 0; v < VECTORS; v++) {
            for (size_t r = 0; r < LANES; r++)
                side[v][0][r] = turned(row[(v * LANES + r) * stride + i], mask);
            sink(depth, own[v], side[v][0]);
        }
    memcpy(kept, own, sizeof own);
}

#define SORT(depth)                                                                                          \
    case depth:                                                                                              \
        sort_rows(depth, values, row, rows->stride, mask, kept);                                             \
        break;

/* The rows from `first` on. */
CLONED static void sort_together(const struct earliest *earliest, const struct value_rows *rows, size_t first,
                                 double *kth, double *next) {
    double kept[VECTORS][DEEPEST][LANES];
    const size_t values = earliest->values;
    const double *row = rows->value + first * rows->stride;
    const uint64_t mask = earliest->low ? (uint64_t)1 << 63 : 0;
    const uint32_t depth = earliest->depth;
    switch (depth) {
        SORT(1)
        SORT(2)
        SORT(3)
        SORT(4)
        SORT(5)
        SORT(6)
        SORT(7)
        SORT(8)
        SORT(9)
        SORT(10)
        SORT(11)
    default:
        sort_rows(DEEPEST, values, row, rows->stride, mask, kept);
    }
    /* The smallest ones: next is the last kept, the k-th before it. */
    const uint32_t at = earliest->low ? depth - 2 : depth - 1, after = earliest->low ? depth - 1 : depth - 2;
    for (size_t r = 0; r < ROWS; r++) {
        kth[r] = turned(kept[r / LANES][at][r % LANES], mask);
        next[r] = depth == 1 ? (double)INFINITY : turned(kept[r / LANES][after][r % LANES], mask);
    }
}

static const struct sieve everything = {0, (double)INFINITY};

static void swap(double *a, double *b) {
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* Hoare's selection around the median of three. */
static double quick(double *value, size_t count, size_t rank) {
    ptrdiff_t left = 0, right = (ptrdiff_t)count - 1, wanted = (ptrdiff_t)rank;
    while (left < right) {
        double a = value[left], b = value[left + (right - left) / 2], c = value[right];
        double pivot = fmax(fmin(a, b), fmin(fmax(a, b), c));
        ptrdiff_t i = left, j = right;
        while (i <= j) {
            while (value[i] < pivot)
                i++;
            while (value[j] > pivot)
                j--;
            if (i <= j)
                swap(&value[i++], &value[j--]);
        }
        if (wanted <= j)
            right = j;
        else if (wanted >= i)
            left = i;
        else
            break;
    }
    return value[rank];
}

/* The rank-th smallest of a few values: the one that as many are below. */
CLONED static double count_out(const double *value, size_t count, size_t rank) {
    for (size_t i = 0;; i++) {
        const double one = value[i];
        uint64_t below = 0, upto = 0;
        for (size_t j = 0; j < count; j++) {
            below += value[j] < one;
            upto += value[j] <= one;
        }
        if (below <= rank && rank < upto)
            return one;
    }
}

static double select_few(double *value, size_t count, size_t rank) {
    return count <= FEW ? count_out(value, count, rank) : quick(value, count, rank);
}

/* The smallest value but for so many, the largest of which is `last`; INFINITY: there is no more. */
CLONED static double smallest_after(const double *value, size_t count, size_t taken, double last) {
    uint64_t upto = 0;
    double smallest = (double)INFINITY;
    for (size_t i = 0; i < count; i++) {
        upto += value[i] <= last;
        smallest = value[i] > last && value[i] < smallest ? value[i] : smallest;
    }
    return upto > taken ? last : smallest;
}

/* Where four of a thousand results or so are missed: three standard deviations; nothing is known of the first few. */
static void foretell(const struct earliest *earliest, double since, struct sieve *bounds) {
    double reach = 3.0 * sqrt(earliest->squares / fmax(1, earliest->seen - 1));
    *bounds = everything;
    if (earliest->seen >= 4)
        *bounds = (struct sieve){since + earliest->mean - reach, since + earliest->mean + reach};
}

static void remember(struct earliest *earliest, double kth) {
    if (!isfinite(kth))
        return;
    double apart = kth - earliest->mean;
    earliest->seen++;
    earliest->mean += apart / earliest->seen;
    earliest->squares += apart * (kth - earliest->mean);
}

/* One row by a window that holds the k-th and the next. */
static void select_row(struct earliest *earliest, const double *value, double since, double *kth,
                       double *next) {
    const size_t values = earliest->values, rank = earliest->k - 1;
    const struct numbers all = {value, values};
    struct sieve bounds;
    foretell(earliest, since, &bounds);
    struct sifted_within found = sift_within(&all, &bounds, earliest->window);
    const size_t wanted = earliest->k < earliest->values ? 2 : 1;
    if (rank < found.below || rank + wanted > found.below + found.within)
        found = sift_within(&all, &everything, earliest->window);
    *kth = select_few(earliest->window, found.within, rank - found.below);
    *next = smallest_after(earliest->window, found.within, rank - found.below + 1, *kth);
    remember(earliest, *kth - since);
}

/* Rows left over by the lanes are sorted with the last ones once more; fewer rows than lanes one by one. */
void earliest_find(struct earliest *earliest, const struct value_rows *rows, double *kth, double *next) {
    bool sorts = earliest->depth > 0 && rows->rows >= ROWS;
    for (size_t r = 0; sorts && r < rows->rows; r += ROWS) {
        size_t first = r + ROWS <= rows->rows ? r : rows->rows - ROWS;
        sort_together(earliest, rows, first, kth + first, next + first);
    }
    for (size_t r = 0; !sorts && r < rows->rows; r++)
        select_row(earliest, rows->value + r * rows->stride, rows->since, &kth[r], &next[r]);
}

/* Bounds between which the rank-th of many is, but for a chance in ten thousand: four standard deviations of a share of a
 * sample, and some more at the ends. */
static void sample_bounds(const double *value, size_t count, size_t rank, struct sieve *bounds) {
    const size_t samples = count < 64 * LARGE_SAMPLE ? SMALL_SAMPLE : LARGE_SAMPLE;
    double sample[LARGE_SAMPLE], share = (double)rank / (double)count;
    for (size_t j = 0; j < samples; j++)
        sample[j] = value[j * (count / samples)];
    double many = (double)samples, reach = 4 * sqrt(many * share * (1 - share)) + 4;
    double first = floor(many * share - reach), last = ceil(many * share + reach);
    bounds->low = first < 0 ? 0 : quick(sample, samples, (size_t)first);
    bounds->high = last >= many ? (double)INFINITY : quick(sample, samples, (size_t)last);
}

double earliest_of(const double *value, size_t count, size_t rank, double *next) {
    const struct numbers all = {value, count};
    double *window = memory_resized(NULL, count + SIFT_SPARE, sizeof *window), kth;
    struct sieve bounds = everything;
    if (count >= MANY)
        sample_bounds(value, count, rank, &bounds);
    struct sifted_within found = sift_within(&all, &bounds, window);
    if (rank < found.below || rank + 2 > found.below + found.within)
        found = sift_within(&all, &everything, window);
    if (found.within < MANY || found.within == count) {
        kth = select_few(window, found.within, rank - found.below);
        *next = smallest_after(window, found.within, rank - found.below + 1, kth);
    } else {
        kth = earliest_of(window, found.within, rank - found.below, next);
    }
    free(window);
    return kth;
}
