/* The hybrid placement and its largest sets, against its definition and against trying all sets. */
#include "placement.h"
#include "rehearsal.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>

/* n, c, c1 and g. */
struct hybrid {
    uint32_t workers, copies, local, groups;
};
#define HYBRID            "n = %u, c = %u, c1 = %u, g = %u"
#define HYBRID_OF(hybrid) (hybrid).workers, (hybrid).copies, (hybrid).local, (hybrid).groups

static bool begun(struct rehearsal *rehearsal, struct arena *arena, struct hybrid hybrid) {
    char values[80];
    snprintf(values, sizeof values, "stragglers=0 copies=%u copies_local=%u groups=%u", hybrid.copies,
             hybrid.local, hybrid.groups);
    const struct scheme *scheme = scheme_named("isgc-hr");
    const void *params = params_bound(arena, scheme, values);
    struct setting setting = plain_setting(hybrid.workers);
    struct sentence why;
    if (scheme->refuses(params, setting.shape, &why))
        return false;
    rehearsal_begin(rehearsal, "isgc-hr", params, setting);
    return true;
}

/* What a worker stores, as bits, as the placement is defined: c1 partitions that end before its own and stay in its
 * group, and c - c1 from its own on round the ring. */
static uint64_t stored(struct hybrid hybrid, uint32_t i) {
    uint32_t size = hybrid.workers / hybrid.groups, group = i / size, q = i % size;
    uint64_t bits = 0;
    for (uint32_t j = size - hybrid.local; j < size; j++)
        bits |= 1ULL << (group * size + (q + j) % size);
    for (uint32_t j = 0; j < hybrid.copies - hybrid.local; j++)
        bits |= 1ULL << (i + j) % hybrid.workers;
    return bits;
}

/* The largest sets of responders that share no partition, by going through all sets. */
struct largest {
    uint32_t size, sets;
    uint32_t set[4096];
};

static struct largest largest_of(struct hybrid hybrid, uint32_t responders) {
    static struct largest largest;
    largest.size = largest.sets = 0;
    for (uint32_t chosen = responders; chosen; chosen = (chosen - 1) & responders) {
        uint64_t covered = 0;
        bool conflict = false;
        for (uint32_t i = 0; i < hybrid.workers && !conflict; i++)
            if (chosen >> i & 1) {
                conflict = covered & stored(hybrid, i);
                covered |= stored(hybrid, i);
            }
        uint32_t size = (uint32_t)__builtin_popcount(chosen);
        if (conflict || size < largest.size)
            continue;
        if (size > largest.size)
            largest.sets = 0;
        largest.size = size;
        largest.set[largest.sets++] = chosen;
    }
    return largest;
}

static uint32_t used(const struct rehearsal *rehearsal) {
    uint32_t bits = 0;
    for (uint32_t m = 0; m < rehearsal->messages; m++)
        bits |= (uint32_t)(rehearsal->decoding.weight[m] != 0) << rehearsal->message[m].worker;
    return bits;
}

static void check_placement(struct rehearsal *rehearsal, struct hybrid hybrid) {
    for (uint32_t i = 0; i < hybrid.workers; i++) {
        size_t terms;
        rehearse_task(rehearsal, i, 0);
        const struct term *term = rehearsed_terms(rehearsal, &(struct message){.worker = i}, &terms);
        uint64_t bits = 0;
        for (size_t e = 0; e < terms; e++)
            bits |= 1ULL << term[e].partition;
        cr_assert(eq(u64, bits, stored(hybrid, i)), HYBRID ", worker %u", HYBRID_OF(hybrid), i);
    }
}

static void check_sets(struct rehearsal *rehearsal, struct hybrid hybrid) {
    for (uint32_t mask = 1; mask < 1u << hybrid.workers; mask++) {
        struct largest largest = largest_of(hybrid, mask);
        rehearse_mask(rehearsal, mask, mask);
        bool among = false;
        for (uint32_t q = 0; q < largest.sets; q++)
            among |= largest.set[q] == used(rehearsal);
        cr_assert(among, HYBRID ", responders %#x: %#x is no largest set", HYBRID_OF(hybrid), mask,
                  used(rehearsal));
        cr_assert(eq(u32, rehearsal->decoding.recovered, largest.size * hybrid.copies));
        bool whole = rehearsal->decoding.recovered == hybrid.workers;
        cr_assert(eq(int, rehearsal->scheme->decodable(rehearsal->state), whole), HYBRID ", responders %#x",
                  HYBRID_OF(hybrid), mask);
        cr_assert(eq(int, rehearsal->decoding.claim == EXACT, whole));
    }
    /* The last mask was all workers. */
    cr_assert(eq(int, rehearsal->scheme->never_exact(rehearsal->params, rehearsal->setting.shape),
                 rehearsal->decoding.claim != EXACT),
              HYBRID, HYBRID_OF(hybrid));
}

/* Calls `check` for all accepted hybrids of up to `most` workers, returns how many. */
static uint32_t each_hybrid(uint32_t most, void (*check)(struct rehearsal *, struct hybrid)) {
    uint32_t hybrids = 0;
    struct arena *arena = arena_new();
    for (uint32_t n = 1; n <= most; n++)
        for (uint32_t c = 1; c <= n; c++)
            for (uint32_t local = 0; local <= c; local++)
                for (uint32_t g = 1; g <= n; g++) {
                    struct rehearsal rehearsal;
                    struct hybrid hybrid = {n, c, local, g};
                    if (!begun(&rehearsal, arena, hybrid))
                        continue;
                    check(&rehearsal, hybrid);
                    rehearsal_end(&rehearsal);
                    hybrids++;
                }
    arena_free(arena);
    return hybrids;
}

Test(isgc_hr, workers_store_what_the_definition_says) {
    cr_expect(lt(u32, 200, each_hybrid(12, check_placement)));
}

Test(isgc_hr, finds_a_largest_set_for_all_straggler_sets, .timeout = 120) {
    cr_expect(lt(u32, 100, each_hybrid(9, check_sets)));
}

/* Mean recovered partitions over all straggler sets, n = 12. */
static const struct {
    struct hybrid hybrid;
    double recovered[9]; /* by stragglers */
} means[] = {
    {{12, 2, 1, 3}, {12, 12, 11.636364, 11.018182, 10.230303, 9.333333, 8.363636, 7.333333, 6.230303}},
    {{12, 3, 2, 3}, {9, 9, 9, 9, 8.981818, 8.909091, 8.727273, 8.363636, 7.727273}},
    {{12, 3, 0, 3}, {12, 12, 12, 11.127273, 10.254545, 9.636364, 9.136364, NAN, NAN}},
};

/* The table is printed to six decimals, so half a unit of the last one is its error. */
Test(isgc_hr, mean_recovered_partitions, .timeout = 120) {
    struct arena *arena = arena_new();
    for (size_t r = 0; r < sizeof means / sizeof *means; r++) {
        struct rehearsal rehearsal;
        double recovered[13] = {0}, sets[13] = {0};
        cr_assert(begun(&rehearsal, arena, means[r].hybrid));
        for (uint32_t mask = 1; mask < 1u << 12; mask++) {
            rehearse_mask(&rehearsal, 0, mask);
            recovered[12 - __builtin_popcount(mask)] += rehearsal.decoding.recovered;
            sets[12 - __builtin_popcount(mask)]++;
        }
        for (uint32_t s = 0; s < 9; s++)
            cr_expect(isnan(means[r].recovered[s]) ||
                          fabs(recovered[s] / sets[s] - means[r].recovered[s]) < 0.51e-6,
                      HYBRID ", s = %u: %.6f", HYBRID_OF(means[r].hybrid), s, recovered[s] / sets[s]);
        rehearsal_end(&rehearsal);
    }
    arena_free(arena);
}

/* Responders whose largest sets are many, of every kind: wrapping and plain, over the ring's end and not. */
static const struct {
    struct hybrid hybrid;
    uint32_t responders;
} ties[] = {
    {{12, 2, 1, 3}, 0xfff}, {{12, 3, 1, 2}, 0xfbf}, {{12, 3, 2, 3}, 0xfff},
    {{12, 3, 0, 4}, 0xfef}, {{10, 3, 1, 1}, 0x3ff}, {{12, 2, 2, 2}, 0xfdf},
};

/* Pearson's sum over the largest sets of (count - mean)^2 / mean has the mean sets - 1 and nearly the variance
 * 2 (sets - 1): beyond 5 deviations by chance once in some 1e5 tests. The seed is fixed. */
Test(isgc_hr, draws_all_largest_sets_alike, .timeout = 120) {
    struct arena *arena = arena_new();
    for (size_t r = 0; r < sizeof ties / sizeof *ties; r++) {
        struct rehearsal rehearsal;
        struct largest largest = largest_of(ties[r].hybrid, ties[r].responders);
        double count[4096] = {0}, mean = 200, sum = 0;
        cr_assert(lt(u32, 1, largest.sets), "row %zu has no tie", r);
        cr_assert(begun(&rehearsal, arena, ties[r].hybrid));
        for (uint32_t step = 0; step < mean * largest.sets; step++) {
            rehearse_mask(&rehearsal, step, ties[r].responders);
            for (uint32_t q = 0; q < largest.sets; q++)
                count[q] += largest.set[q] == used(&rehearsal);
        }
        for (uint32_t q = 0; q < largest.sets; q++)
            sum += (count[q] - mean) * (count[q] - mean) / mean;
        double freedom = largest.sets - 1;
        cr_expect(fabs(sum - freedom) < 5 * sqrt(2 * freedom) + 5, HYBRID ": %u sets, sum %g",
                  HYBRID_OF(ties[r].hybrid), largest.sets, sum);
        rehearsal_end(&rehearsal);
    }
    arena_free(arena);
}

/* The mean weight of each partition over all sets of n - s responders and all their largest sets. */
static void mean_weights(struct hybrid hybrid, uint32_t stragglers, double *weight) {
    uint32_t cases = 0;
    for (uint32_t p = 0; p < hybrid.workers; p++)
        weight[p] = 0;
    for (uint32_t mask = 1; mask < 1u << hybrid.workers; mask++) {
        if ((uint32_t)__builtin_popcount(mask) != hybrid.workers - stragglers)
            continue;
        struct largest largest = largest_of(hybrid, mask);
        cases++;
        double one = (double)hybrid.workers / (largest.size * hybrid.copies) / largest.sets;
        for (uint32_t q = 0; q < largest.sets; q++)
            for (uint32_t i = 0; i < hybrid.workers; i++)
                for (uint32_t p = 0; p < hybrid.workers; p++)
                    if (largest.set[q] >> i & 1 && stored(hybrid, i) >> p & 1)
                        weight[p] += one;
    }
    for (uint32_t p = 0; p < hybrid.workers; p++)
        weight[p] /= cases;
}

/* Groups are no symmetry of the ring, so partitions keep different mean weights even with uniform ties: with
 * (c1, c2, g) = (1, 2, 2) at s = 4 by up to 2.45 %. A partition's weight is 0 or at least 1, at most 12 / 3 = 4 and mostly
 * below 2, so its variance is below 2 and 495 sets x 200 steps leave 5 standard errors sqrt(2 / 99000) = 0.0045. */
Test(isgc_hr, keeps_the_bias_of_its_placement, .timeout = 120) {
    struct hybrid hybrid = {12, 3, 1, 2};
    struct arena *arena = arena_new();
    struct rehearsal rehearsal;
    double expected[12], sum[12] = {0}, bias = 0;
    uint32_t draws = 0;
    mean_weights(hybrid, 4, expected);
    cr_assert(begun(&rehearsal, arena, hybrid));
    for (uint32_t mask = 1; mask < 1u << 12; mask++)
        for (uint32_t step = 0; __builtin_popcount(mask) == 8 && step < 200; step++, draws++) {
            rehearse_mask(&rehearsal, draws, mask);
            for (uint32_t p = 0; p < 12; p++)
                sum[p] += estimate_coefficient(&rehearsal, p);
        }
    for (uint32_t p = 0; p < 12; p++) {
        cr_expect(epsilon_eq(dbl, sum[p] / draws, expected[p], 5 * sqrt(2.0 / draws)), "partition %u", p);
        bias = fmax(bias, fabs(expected[p] - 1));
    }
    cr_expect(epsilon_eq(dbl, bias, 0.0245, 0.5e-4), "bias %g", bias);
    rehearsal_end(&rehearsal);
    arena_free(arena);
}

/* Rings too large for all sets: a window for c1 = 0 is one of isgc-cr, whose largest sets are found by walks; the numbers
 * of largest sets pass 1e308 at n = 60000. Some 2 % of the workers straggle. */
static const struct hybrid rings[] = {
    {100, 7, 0, 4}, {1000, 20, 0, 10}, {1000, 20, 5, 10}, {60000, 2, 1, 600}};

static uint32_t hear_most(const char *name, const void *params, uint32_t n, double *weight) {
    struct arena *arena = arena_new();
    const struct scheme *scheme = scheme_named(name);
    struct setting setting = plain_setting(n);
    void *state = scheme->begin(params, &setting, (struct stream){5, 0, PURPOSE_CODE}, arena);
    struct message *message = arena_zeroed(arena, n, sizeof *message);
    struct decoding decoding = {.weight = weight};
    uint32_t messages = 0;
    scheme->open(state, 0, 0);
    for (uint32_t i = 0; i < n; i++) {
        struct draw draw = {{5, 0, PURPOSE_SAMPLE}, i, 0, 0};
        if (draw_index(&draw, 50) > 0)
            message[messages++] = (struct message){.worker = i};
    }
    scheme->choose(state, message, messages, &decoding);
    /* From messages to workers. */
    while (messages-- > 0) {
        double mark = weight[messages];
        weight[messages] = 0;
        weight[message[messages].worker] = mark;
    }
    arena_free(arena);
    return decoding.recovered;
}

Test(isgc_hr, chooses_disjoint_windows_on_large_rings, .timeout = 120) {
    static double weight[60000];
    for (size_t r = 0; r < sizeof rings / sizeof *rings; r++) {
        struct arena *arena = arena_new();
        struct hybrid ring = rings[r];
        char values[80];
        snprintf(values, sizeof values, "stragglers=0 copies=%u copies_local=%u groups=%u", ring.copies,
                 ring.local, ring.groups);
        struct code_params cyclic = {.copies = ring.copies};
        uint32_t recovered =
            hear_most("isgc-hr", params_bound(arena, scheme_named("isgc-hr"), values), ring.workers, weight);
        struct placement placement =
            placement_hr(ring.workers, ring.copies, ring.local, ring.workers / ring.groups);
        uint8_t *times = arena_zeroed(arena, ring.workers, 1);
        uint32_t covered = 0;
        for (uint32_t i = 0; i < ring.workers; i++)
            for (uint32_t l = 0; weight[i] > 0 && l < ring.copies; l++)
                covered += times[placement_partition(&placement, i, l)]++ == 0;
        cr_expect(eq(u32, covered, recovered), HYBRID, HYBRID_OF(ring));
        for (uint32_t p = 0; p < ring.workers; p++)
            cr_expect(le(u32, times[p], 1), HYBRID ", partition %u", HYBRID_OF(ring), p);
        if (ring.local == 0)
            cr_expect(eq(u32, recovered, hear_most("isgc-cr", &cyclic, ring.workers, weight)), HYBRID,
                      HYBRID_OF(ring));
        else
            cr_expect(lt(dbl, 0.8 * ring.workers, recovered), HYBRID ": only %u", HYBRID_OF(ring), recovered);
        arena_free(arena);
    }
}

static const struct {
    uint32_t workers;
    const char *values, *why; /* NULL: accepted */
} refused[] = {
    {12, "stragglers=2 copies=3 copies_local=1 groups=3", NULL},
    {12, "stragglers=2 copies=3 copies_local=3 groups=4", NULL},
    {12, "stragglers=2 copies=12 copies_local=0 groups=4", NULL},
    {12, "stragglers=12 copies=3 copies_local=1 groups=3", "stragglers = 12 must be below workers = 12"},
    {12, "stragglers=2 copies=13 copies_local=0 groups=3", "copies = 13 must be at most workers = 12"},
    {12, "stragglers=2 copies=3 copies_local=4 groups=3", "copies_local = 4 must be at most copies = 3"},
    {12, "stragglers=2 copies=3 copies_local=1 groups=5", "groups = 5 must divide workers = 12"},
    {12, "stragglers=2 copies=3 copies_local=1 groups=6",
     "copies = 3 must be at most the 2 workers of a group unless copies_local = 0"},
};

Test(isgc_hr, refuses_what_has_no_placement) {
    struct arena *arena = arena_new();
    const struct scheme *scheme = scheme_named("isgc-hr");
    for (size_t r = 0; r < sizeof refused / sizeof *refused; r++) {
        struct sentence why = {""};
        const void *params = params_bound(arena, scheme, refused[r].values);
        struct shape shape = {refused[r].workers, refused[r].workers};
        cr_expect(eq(int, scheme->refuses(params, shape, &why), refused[r].why != NULL), "%s",
                  refused[r].values);
        cr_expect(eq(str, why.text, (char *)(refused[r].why ? refused[r].why : "")), "%s", refused[r].values);
    }
    arena_free(arena);
}
