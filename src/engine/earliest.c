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
    BLOCK = 8,
    DEEPEST = 12,
    SHALLOW = 5,
    FEW = 128,
    MANY = 4096,
    SMALL_SAMPLE = 1024,
    LARGE_SAMPLE = 16384
};

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

/* What is kept of rows: their largest values. */
struct rows_kept {
    size_t values, stride;
    uint32_t depth;
    uint64_t mask; /* the sign bit: their smallest ones */
};

/* Four rows side by side, or eight, and as many again where few values are kept: one vector would wait for itself. */
#define SORT_NAME    sort_fours
#define SORT_LANES   4
#define SORT_VECTORS 2
#define SORT_LEAST   1
#define SORT_MOST    (HAS_V4 ? SHALLOW : DEEPEST)
#define SORT_CLONED  CLONED
#include "earliest_rows.h"

#if HAS_V4
#define SORT_NAME    sort_eights
#define SORT_LANES   8
#define SORT_VECTORS 1
#define SORT_LEAST   (SHALLOW + 1)
#define SORT_MOST    DEEPEST
#define SORT_CLONED  TARGET_V4
#include "earliest_rows.h"

#define SORT_NAME    sort_sixteen
#define SORT_LANES   8
#define SORT_VECTORS 2
#define SORT_LEAST   1
#define SORT_MOST    SHALLOW
#define SORT_CLONED  TARGET_V4
#include "earliest_rows.h"
#endif

/* How rows are sorted, so many at once. */
struct sorting {
    void (*sort)(const struct rows_kept *of, const double *row, double *kth, double *next);
    size_t rows;
};

static struct sorting sorting_of(const struct earliest *earliest) {
#if HAS_V4
    if (RUNS_V4)
        return earliest->depth <= SHALLOW ? (struct sorting){sort_sixteen, 16}
                                          : (struct sorting){sort_eights, 8};
#endif
    (void)earliest;
    return (struct sorting){sort_fours, 8};
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

/* INFINITY after the last value fills up its block; returns the values in all blocks. */
static size_t fill_up(double *value, size_t count) {
    for (size_t l = 0; l < BLOCK; l++)
        value[count + l] = (double)INFINITY;
    return (count + BLOCK - 1) / BLOCK * BLOCK;
}

/* The rank-th smallest of a few values: the one that as many are below. What one of them tells of it spares others. */
CLONED static double count_out(const double *value, size_t count, size_t rank) {
    double low = -(double)INFINITY, high = (double)INFINITY;
    for (size_t i = 0;; i++) {
        const double one = value[i];
        if (one <= low || one > high)
            continue;
        uint64_t below = 0, upto = 0;
        for (size_t j = 0; j < count; j++) {
            below += value[j] < one;
            upto += value[j] <= one;
        }
        if (below <= rank && rank < upto)
            return one;
        if (rank < below)
            high = one;
        else
            low = one;
    }
}

static double select_few(double *value, size_t count, size_t rank) {
    return count <= FEW ? count_out(value, fill_up(value, count), rank) : quick(value, count, rank);
}

/* The smallest value but for so many, the largest of which is `last`; INFINITY: there is no more. */
CLONED static double smallest_in_blocks(const double *value, size_t count, size_t taken, double last) {
    uint64_t upto[BLOCK] = {0}, all = 0;
    double least[BLOCK], smallest = (double)INFINITY;
    for (size_t l = 0; l < BLOCK; l++)
        least[l] = (double)INFINITY;
    for (size_t i = 0; i < count; i += BLOCK) {
        LANE_LOOP
        for (size_t l = 0; l < BLOCK; l++) {
            const double one = value[i + l];
            upto[l] += one <= last;
            least[l] = one > last && one < least[l] ? one : least[l];
        }
    }
    for (size_t l = 0; l < BLOCK; l++) {
        all += upto[l];
        smallest = least[l] < smallest ? least[l] : smallest;
    }
    return all > taken ? last : smallest;
}

static double smallest_after(double *value, size_t count, size_t taken, double last) {
    return smallest_in_blocks(value, fill_up(value, count), taken, last);
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
    const struct sorting sorting = sorting_of(earliest);
    const struct rows_kept of = {.values = earliest->values,
                                 .stride = rows->stride,
                                 .depth = earliest->depth,
                                 .mask = earliest->low ? (uint64_t)1 << 63 : 0};
    const bool sorts = earliest->depth > 0 && rows->rows >= sorting.rows;
    for (size_t r = 0; sorts && r < rows->rows; r += sorting.rows) {
        size_t first = r + sorting.rows <= rows->rows ? r : rows->rows - sorting.rows;
        sorting.sort(&of, rows->value + first * rows->stride, kth + first, next + first);
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
