/* A quantile of the times so far is near that of all times, unless the run changes its ways. So times that are below all that may
 * matter are counted, those above are forgotten, and those in between are kept; whenever they have become too many, what may
 * matter becomes less: a fixed number of ranks on either side. Chance moves ranks by half the root of the number of times. */
#include "step_times.h"
#include "cloned.h"
#include "earliest.h"
#include "memory.h"
#include "sift.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NEARBY = 1 << 21, /* room for those around a quantile: more than are ever kept of 10^9 */
    MOST_EXPECTED = 1 << 27,
    BESIDE = 24000,
    MOST_AT_ONCE = 1 << 14,
    FEW = 256, /* soonest put in order by how many are below each */
};

static const double shares[STEP_QUANTILES] = {[STEP_P50] = 0.50, [STEP_P95] = 0.95, [STEP_P99] = 0.99};

/* Times in their order: below, at `low`, the kept ones, at `high`, forgotten ones. Where low = high none is at `high`. */
struct nearby {
    double low, high;
    size_t below, at_low, at_high;
    double *seconds; /* [kept]: between low and high, in no order */
    size_t kept;
};

void step_times_fini(struct step_times *times) {
    for (size_t q = 0; times->nearby && q < STEP_QUANTILES; q++)
        free(times->nearby[q].seconds);
    free(times->nearby);
    free(times->seconds);
    *times = (struct step_times){0};
}

void step_times_narrow(struct step_times *times) {
    times->narrows = true;
}

void step_times_expect(struct step_times *times, size_t count) {
    times->expected = count <= MOST_EXPECTED ? count : 0;
}

/* Adds times for which there is room, or that were the kept ones. */
static void absorb(struct nearby *nearby, const double *seconds, size_t count) {
    const struct sieve sieve = {nearby->low, nearby->high};
    const struct sifted sifted =
        sift_between(&(struct numbers){seconds, count}, &sieve, nearby->seconds + nearby->kept);
    nearby->below += sifted.below;
    nearby->at_low += sifted.at_low;
    nearby->kept += sifted.between;
    nearby->at_high += sifted.at_high;
}

static size_t known_from(const struct nearby *nearby) {
    return nearby->below;
}
static size_t known_to(const struct nearby *nearby) {
    return nearby->below + nearby->at_low + nearby->kept + (nearby->low < nearby->high ? nearby->at_high : 0);
}

/* A time, and the next in their order. */
struct pair {
    double one, next;
};

static double least_above_low(const struct nearby *nearby) {
    double next;
    return nearby->kept > 0 ? earliest_of(nearby->seconds, nearby->kept, 0, &next) : nearby->high;
}

/* The one of that rank, from 0, which is known; the next if that is. */
static struct pair of_rank(const struct nearby *nearby, size_t rank) {
    const size_t first = nearby->below + nearby->at_low, end = first + nearby->kept;
    struct pair pair = {nearby->low, nearby->low};
    if (rank + 1 == first)
        pair.next = least_above_low(nearby);
    if (rank < first)
        return pair;
    if (rank >= end)
        return (struct pair){nearby->high, nearby->high};
    pair.one = earliest_of(nearby->seconds, nearby->kept, rank - first, &pair.next);
    if (rank + 1 == end)
        pair.next = nearby->high;
    return pair;
}

/* Times that are no longer between the bounds are counted or forgotten. */
static void move_bounds(struct nearby *nearby, struct sieve to) {
    const struct nearby old = *nearby;
    nearby->kept = 0;
    if (to.low > old.low) {
        nearby->below += old.at_low;
        nearby->at_low = to.low < old.high ? 0 : old.at_high;
    }
    if (to.high < old.high)
        nearby->at_high = 0;
    nearby->low = to.low;
    nearby->high = to.high;
    absorb(nearby, old.seconds, old.kept);
}

/* Ranks that matter on either side of the quantile of so many times: 16 deviations, and some for what is not chance. */
static size_t ranks_beside(size_t count) {
    return BESIDE + (size_t)(8 * sqrt((double)count));
}

/* What matters of the quantile of so many times; no bound is moved to where all is known. */
static struct sieve bounds_around(const struct nearby *nearby, double share, size_t count) {
    const size_t rank = (size_t)(share * (double)(count - 1)), beside = ranks_beside(count);
    struct sieve bounds = {nearby->low, nearby->high};
    if (rank > beside && rank - beside > known_from(nearby))
        bounds.low = of_rank(nearby, rank - beside).one;
    if (rank + beside < known_to(nearby))
        bounds.high = of_rank(nearby, rank + beside).one;
    return bounds;
}

static struct nearby all_kept(const struct step_times *times) {
    return (struct nearby){
        .low = -1, .high = (double)INFINITY, .seconds = times->seconds, .kept = times->kept};
}

static void begin_nearby(struct step_times *times) {
    const struct nearby all = all_kept(times);
    times->nearby = memory_zeroed(STEP_QUANTILES, sizeof *times->nearby);
    for (size_t q = 0; q < STEP_QUANTILES; q++) {
        const struct sieve bounds = bounds_around(&all, shares[q], times->count);
        times->nearby[q] = (struct nearby){.low = bounds.low,
                                           .high = bounds.high,
                                           .seconds = memory_huge(NEARBY + SIFT_SPARE, sizeof(double))};
        absorb(&times->nearby[q], times->seconds, times->kept);
    }
    free(times->seconds);
    times->seconds = NULL;
    times->kept = times->capacity = 0;
}

/* No more than MOST_AT_ONCE. */
static void add_nearby(struct step_times *times, const double *seconds, size_t count) {
    for (size_t q = 0; q < STEP_QUANTILES; q++) {
        struct nearby *nearby = &times->nearby[q];
        if (nearby->kept + count > 4 * ranks_beside(times->count) + MOST_AT_ONCE)
            move_bounds(nearby, bounds_around(nearby, shares[q], times->count));
        absorb(nearby, seconds, count);
    }
}

static void keep(struct step_times *times, const double *seconds, size_t count) {
    if (times->kept + count > times->capacity) {
        times->capacity =
            times->kept + count <= times->expected ? times->expected : times->capacity * 2 + count + 256;
        times->seconds = memory_grown(times->seconds, times->kept, times->capacity, sizeof *times->seconds);
    }
    memcpy(times->seconds + times->kept, seconds, count * sizeof *seconds);
    times->kept += count;
}

void step_times_add_all(struct step_times *times, const double *seconds, size_t count) {
    for (size_t left = count, some; left > 0; left -= some, seconds += some) {
        some = left < MOST_AT_ONCE ? left : MOST_AT_ONCE;
        if (times->narrows && !times->nearby && times->kept + some > STEP_TIMES_ALL)
            begin_nearby(times);
        if (times->nearby)
            add_nearby(times, seconds, some);
        else
            keep(times, seconds, some);
        times->count += some;
    }
}

void step_times_add(struct step_times *times, double seconds) {
    if (times->narrows || times->kept == times->capacity) {
        step_times_add_all(times, &seconds, 1);
        return;
    }
    times->seconds[times->kept++] = seconds;
    times->count++;
}

/* Where a quantile lies: after so many whole ranks and a part of one. */
static double place_of(const struct step_times *times, enum step_quantile quantile) {
    return shares[quantile] * (double)(times->count - 1);
}

bool step_times_settled(const struct step_times *times) {
    bool settled = true;
    for (enum step_quantile q = 0; times->nearby && q < STEP_QUANTILES; q++) {
        const double place = place_of(times, q);
        settled &= floor(place) >= (double)known_from(&times->nearby[q]) &&
                   ceil(place) < (double)known_to(&times->nearby[q]);
    }
    return settled;
}

static double between(struct pair pair, double part) {
    return part > 0 ? (1 - part) * pair.one + part * pair.next : pair.one;
}

double step_times_quantile(const struct step_times *times, enum step_quantile quantile) {
    const double place = place_of(times, quantile), part = place - floor(place);
    const struct nearby all = all_kept(times);
    const struct nearby *nearby = times->nearby ? &times->nearby[quantile] : &all;
    const struct pair pair = of_rank(nearby, (size_t)place);
    return between(pair, part);
}

/* How many are below each. */
CLONED static void step_times_rank(const double *restrict seconds, size_t count, double *restrict below) {
    for (size_t i = 0; i < count; i++)
        below[i] = 0;
    for (size_t j = 0; j < count; j++) {
        const double one = seconds[j];
        for (size_t i = 0; i < count; i++)
            below[i] += one < seconds[i] ? 1 : 0;
    }
}

/* Sorts a few: those that are the same have one place, and leave those after it empty. */
static void sort_few(const double *seconds, size_t count, double *sorted) {
    double below[FEW];
    step_times_rank(seconds, count, below);
    for (size_t i = 0; i < count; i++)
        sorted[i] = -1;
    for (size_t i = 0; i < count; i++)
        sorted[(size_t)below[i]] = seconds[i];
    for (size_t i = 1; i < count; i++)
        sorted[i] = sorted[i] < 0 ? sorted[i - 1] : sorted[i];
}

void step_times_quantiles(const struct step_times *times, double *quantile) {
    double sorted[FEW];
    const bool few = !times->nearby && times->kept <= FEW;
    if (few)
        sort_few(times->seconds, times->kept, sorted);
    for (enum step_quantile q = 0; q < STEP_QUANTILES; q++) {
        const double place = place_of(times, q), part = place - floor(place);
        const size_t rank = (size_t)place;
        quantile[q] = few ? between((struct pair){sorted[rank], sorted[rank + (part > 0)]}, part)
                          : step_times_quantile(times, q);
    }
}
