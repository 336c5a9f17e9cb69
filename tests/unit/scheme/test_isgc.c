/* The isgc codes against enumeration and against the means of their known tables. */
#include "rehearsal.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

#define WITH_COPIES(number)                                                                                  \
    (struct code_params) {                                                                                   \
        .copies = (number)                                                                                   \
    }

/* Partitions that CR windows of c cover from each worker, as bits. */
static uint64_t window_bits(uint32_t workers, uint32_t copies, uint32_t worker) {
    uint64_t bits = 0;
    for (uint32_t l = 0; l < copies; l++)
        bits |= 1ULL << (worker + l) % workers;
    return bits;
}

/* The most partitions that disjoint windows of the responders cover, by trying all sets of them. */
static uint32_t brute_recovered(uint32_t workers, uint32_t copies, uint64_t responders) {
    uint32_t best = 0;
    for (uint64_t chosen = responders; chosen; chosen = (chosen - 1) & responders) {
        uint64_t covered = 0;
        bool conflict = false;
        for (uint32_t i = 0; i < workers && !conflict; i++) {
            uint64_t window = window_bits(workers, copies, i);
            if (!(chosen >> i & 1))
                continue;
            conflict = covered & window;
            covered |= window;
        }
        uint32_t size = (uint32_t)__builtin_popcountll(covered);
        best = !conflict && size > best ? size : best;
    }
    return best;
}

Test(isgc, cr_finds_a_largest_set_for_all_straggler_sets, .timeout = 120) {
    for (uint32_t workers = 1; workers <= 10; workers++)
        for (uint32_t copies = 1; copies <= workers; copies++) {
            struct rehearsal rehearsal;
            rehearsal_begin(&rehearsal, "isgc-cr", &WITH_COPIES(copies), plain_setting(workers));
            for (uint64_t mask = 1; mask < 1ULL << workers; mask++) {
                rehearse_mask(&rehearsal, (uint32_t)mask, mask);
                cr_assert(eq(u32, rehearsal.decoding.recovered, brute_recovered(workers, copies, mask)),
                          "n = %u, c = %u, responders %#lx", workers, copies, (unsigned long)mask);
            }
            rehearsal_end(&rehearsal);
        }
}

/* Every recovered partition has the weight k / |P| and only those have one: the chosen windows are disjoint. */
Test(isgc, chosen_windows_are_disjoint) {
    struct rehearsal rehearsal;
    rehearsal_begin(&rehearsal, "isgc-cr", &WITH_COPIES(3), plain_setting(11));
    for (uint64_t mask = 1; mask < 1ULL << 11; mask++) {
        rehearse_mask(&rehearsal, (uint32_t)mask, mask);
        double weight = 11.0 / rehearsal.decoding.recovered;
        for (uint32_t p = 0; p < 11; p++) {
            double coefficient = estimate_coefficient(&rehearsal, p);
            cr_assert(coefficient == 0 || coefficient == weight, "partition %u of %#lx", p,
                      (unsigned long)mask);
        }
    }
    rehearsal_end(&rehearsal);
}

/* Mean recovered partitions over all straggler sets, n = 12. */
static const struct {
    const char *scheme;
    uint32_t copies, stragglers;
    double recovered;
} means[] = {
    {"isgc-fr", 2, 1, 12},        {"isgc-fr", 2, 2, 11.818182}, {"isgc-fr", 2, 3, 11.454545},
    {"isgc-fr", 2, 4, 10.909091}, {"isgc-fr", 2, 6, 9.272727},  {"isgc-fr", 2, 8, 6.909091},
    {"isgc-cr", 2, 1, 12},        {"isgc-cr", 2, 2, 10.909091}, {"isgc-cr", 2, 3, 10.363636},
    {"isgc-cr", 2, 4, 9.696970},  {"isgc-cr", 2, 6, 8.155844},  {"isgc-cr", 2, 8, 6.206061},
    {"isgc-cr", 3, 2, 12},        {"isgc-cr", 3, 3, 11.127273}, {"isgc-cr", 3, 4, 10.254545},
    {"isgc-cr", 3, 5, 9.636364},  {"isgc-cr", 3, 6, 9.136364},
};

/* The table is printed to six decimals, so half a unit of the last one is its error. */
Test(isgc, mean_recovered_partitions, .timeout = 120) {
    for (size_t r = 0; r < sizeof means / sizeof *means; r++) {
        struct rehearsal rehearsal;
        uint64_t sets = 0, recovered = 0;
        rehearsal_begin(&rehearsal, means[r].scheme, &WITH_COPIES(means[r].copies), plain_setting(12));
        for (uint64_t mask = 1; mask < 1ULL << 12; mask++) {
            if ((uint32_t)__builtin_popcountll(mask) != 12 - means[r].stragglers)
                continue;
            rehearse_mask(&rehearsal, 0, mask);
            recovered += rehearsal.decoding.recovered;
            sets++;
        }
        cr_expect(epsilon_eq(dbl, (double)recovered / sets, means[r].recovered, 0.51e-6),
                  "%s, c = %u, s = %u", means[r].scheme, means[r].copies, means[r].stragglers);
        rehearsal_end(&rehearsal);
    }
}

/* Over all straggler sets and uniform ties every partition weighs 1 in the mean; ties taken first-found would give
 * 0.73 … 1.09. A partition's weight has a variance below its mean square, at most 12 / 8 = 1.5 times its mean, less the
 * mean squared: below 0.5. So with 66 sets x 1000 steps the mean is within 5 standard errors sqrt(0.5 / 66000) = 0.0028
 * of 1 but for a chance of 12 x 6e-7. The seed is fixed. */
Test(isgc, uniform_ties_favour_no_partition, .timeout = 120) {
    struct rehearsal rehearsal;
    double sum[12] = {0};
    uint32_t draws = 0;
    rehearsal_begin(&rehearsal, "isgc-cr", &WITH_COPIES(2), plain_setting(12));
    for (uint64_t mask = 1; mask < 1ULL << 12; mask++) {
        if (__builtin_popcountll(mask) != 10)
            continue;
        for (uint32_t step = 0; step < 1000; step++, draws++) {
            rehearse_mask(&rehearsal, draws, mask);
            cr_assert(ge(u32, rehearsal.decoding.recovered, 8));
            for (uint32_t p = 0; p < 12; p++)
                sum[p] += estimate_coefficient(&rehearsal, p);
        }
    }
    for (uint32_t p = 0; p < 12; p++)
        cr_expect(epsilon_eq(dbl, sum[p] / draws, 1, 5 * sqrt(0.5 / draws)), "partition %u", p);
    rehearsal_end(&rehearsal);
}

/* The tie of a step is a draw of its own place: asked again, it comes out the same. */
Test(isgc, ties_depend_on_the_step_alone) {
    struct rehearsal rehearsal;
    double first[12];
    bool moved = false;
    rehearsal_begin(&rehearsal, "isgc-cr", &WITH_COPIES(2), plain_setting(12));
    rehearse_mask(&rehearsal, 5, 0xfff);
    for (uint32_t p = 0; p < 12; p++)
        first[p] = rehearsal.decoding.weight[p];
    for (uint32_t step = 0; step < 20; step++) {
        rehearse_mask(&rehearsal, step, 0xfff);
        moved |= rehearsal.decoding.weight[0] != first[0];
    }
    rehearse_mask(&rehearsal, 5, 0xfff);
    for (uint32_t p = 0; p < 12; p++)
        cr_expect(eq(dbl, rehearsal.decoding.weight[p], first[p]), "message %u", p);
    cr_expect(moved, "20 ties all came out alike");
    rehearsal_end(&rehearsal);
}

/* Arrivals by worker, and who is used of groups {0, 1, 2} and {3, 4, 5}. */
static const struct {
    const char *name;
    double arrived_s[6];
    uint32_t used; /* as bits */
} firsts[] = {
    {"the earliest of each", {3, 1, 2, 6, 5, 4}, 1u << 1 | 1u << 5},
    {"the lower of two at once", {2, 1, 1, 4, 4, 4}, 1u << 1 | 1u << 3},
    {"a group not heard from", {3, 2, 9, INFINITY, INFINITY, INFINITY}, 1u << 1},
    {"one alone", {INFINITY, INFINITY, INFINITY, INFINITY, 0, INFINITY}, 1u << 4},
};

Test(isgc, fr_uses_the_first_responder_of_each_group) {
    struct rehearsal rehearsal;
    rehearsal_begin(&rehearsal, "isgc-fr", &WITH_COPIES(3), plain_setting(6));
    for (uint32_t r = 0; r < sizeof firsts / sizeof *firsts; r++) {
        rehearse(&rehearsal, r, firsts[r].arrived_s);
        uint32_t used = 0;
        for (uint32_t m = 0; m < rehearsal.messages; m++)
            used |= (uint32_t)(rehearsal.decoding.weight[m] != 0) << rehearsal.message[m].worker;
        cr_expect(eq(u32, used, firsts[r].used), "%s", firsts[r].name);
        cr_expect(eq(u32, rehearsal.decoding.recovered, 3 * __builtin_popcount(firsts[r].used)), "%s",
                  firsts[r].name);
    }
    rehearsal_end(&rehearsal);
}
