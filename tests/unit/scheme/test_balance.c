/* Placements with evenly shared workers. */
#include "balance.h"
#include "listed.h"
#include "rehearsal.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>

/* Perfect difference sets where there is one within reach, and pairs that share at most one where that is all there can
 * be: d (d - 1) below n - 1. */
static const struct {
    uint32_t workers, copies;
    struct shares shares;
} rows[] = {
    {1, 1, {0, 0}},   {2, 1, {0, 0}},     {2, 2, {2, 2}},     {3, 2, {1, 1}},  {5, 2, {0, 1}},
    {7, 3, {1, 1}},   {6, 3, {1, 2}},     {7, 7, {7, 7}},     {13, 4, {1, 1}}, {12, 4, {1, 2}},
    {100, 5, {0, 1}}, {1000, 20, {0, 1}}, {30, 29, {28, 28}},
};

Test(balance, shares_of_known_placements) {
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        uint32_t offset[32];
        balanced_offsets(rows[r].workers, rows[r].copies, offset);
        struct shares shares = balanced_shares(rows[r].workers, offset, rows[r].copies);
        cr_expect(eq(u32, shares.fewest, rows[r].shares.fewest), "n = %u, d = %u", rows[r].workers,
                  rows[r].copies);
        cr_expect(eq(u32, shares.most, rows[r].shares.most), "n = %u, d = %u", rows[r].workers,
                  rows[r].copies);
        for (uint32_t q = 0; q < rows[r].copies; q++) {
            cr_expect(lt(u32, offset[q], rows[r].workers), "n = %u, d = %u", rows[r].workers, rows[r].copies);
            cr_expect(q == 0 ? offset[q] == 0 : offset[q] > offset[q - 1], "n = %u, d = %u", rows[r].workers,
                      rows[r].copies);
        }
    }
}

/* The least spread that any set of offsets has, by trying all. */
static uint32_t least_spread(uint32_t workers, uint32_t copies) {
    uint32_t least = UINT32_MAX;
    for (uint32_t mask = 1; mask < 1U << workers; mask += 2) {
        uint32_t offset[16], chosen = 0;
        if ((uint32_t)__builtin_popcount(mask) != copies)
            continue;
        for (uint32_t x = 0; x < workers; x++)
            if (mask >> x & 1)
                offset[chosen++] = x;
        struct shares shares = balanced_shares(workers, offset, copies);
        least = shares.most - shares.fewest < least ? shares.most - shares.fewest : least;
    }
    return least;
}

/* The search is greedy, so it may miss the best by one. */
Test(balance, near_the_best_set_of_offsets) {
    for (uint32_t workers = 2; workers <= 13; workers++)
        for (uint32_t copies = 1; copies <= workers; copies++) {
            uint32_t offset[16];
            balanced_offsets(workers, copies, offset);
            struct shares shares = balanced_shares(workers, offset, copies);
            cr_expect(le(u32, shares.most - shares.fewest, least_spread(workers, copies) + 1),
                      "n = %u, d = %u: %u to %u", workers, copies, shares.fewest, shares.most);
        }
}

/* What sgc hands out: every partition on d workers, every worker with d, and pairs that share as announced. */
static void check_placement(const struct rehearsal *rehearsal, uint32_t copies) {
    uint32_t workers = rehearsal->setting.shape.workers, offset[16];
    bool holds[16][16] = {{false}};
    for (uint32_t i = 0; i < workers; i++) {
        struct task task;
        rehearsal->scheme->assign(rehearsal->state, i, 0, &task);
        cr_assert(eq(u32, task.evaluations, copies), "n = %u, d = %u", workers, copies);
        for (uint32_t e = 0; e < task.evaluations; e++)
            holds[i][task.evaluation[e].partition] = true;
    }
    balanced_offsets(workers, copies, offset);
    struct shares announced = balanced_shares(workers, offset, copies), met = {UINT32_MAX, 0};
    for (uint32_t p = 0; p < workers; p++)
        for (uint32_t q = 0; q < workers; q++) {
            uint32_t shared = 0;
            for (uint32_t i = 0; i < workers; i++)
                shared += holds[i][p] && holds[i][q];
            if (p == q)
                cr_assert(eq(u32, shared, copies), "n = %u, d = %u: partition %u", workers, copies, p);
            if (p != q && shared < met.fewest)
                met.fewest = shared;
            if (p != q && shared > met.most)
                met.most = shared;
        }
    cr_expect(met.fewest == announced.fewest && met.most == announced.most, "n = %u, d = %u", workers,
              copies);
}

Test(balance, is_what_sgc_hands_out) {
    struct arena *arena = arena_new();
    for (uint32_t workers = 2; workers <= 13; workers++)
        for (uint32_t copies = 1; copies <= workers; copies++) {
            char values[64];
            snprintf(values, sizeof values, "stragglers=1 replication=%u", copies);
            struct rehearsal rehearsal;
            rehearsal_begin(&rehearsal, "sgc", params_bound(arena, scheme_named("sgc"), values),
                            plain_setting(workers));
            check_placement(&rehearsal, copies);
            rehearsal_end(&rehearsal);
        }
    arena_free(arena);
}
