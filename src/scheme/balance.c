#include "balance.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Looks at differences, all in all. */
#define TRIES ((uint64_t)1 << 24)

struct search {
    uint32_t workers, chosen;
    uint32_t *offset; /* [chosen] */
    uint32_t *pairs;  /* [workers]: ordered pairs of the chosen with this difference */
    bool *taken;      /* [workers]: the offset is chosen */
    uint64_t tries;   /* left */
};

static uint32_t difference(const struct search *search, uint32_t from, uint32_t to) {
    return from >= to ? from - to : from + search->workers - to;
}

/* Adds the differences of `one` to the chosen; returns by how much the sum of squares of `pairs` grows. */
static uint64_t add_pairs(struct search *search, uint32_t one) {
    uint64_t growth = 0;
    for (uint32_t q = 0; q < search->chosen; q++) {
        growth += 2 * (uint64_t)search->pairs[difference(search, one, search->offset[q])]++ + 1;
        growth += 2 * (uint64_t)search->pairs[difference(search, search->offset[q], one)]++ + 1;
    }
    return growth;
}

/* Undoes add_pairs; returns by how much the sum shrinks. */
static uint64_t remove_pairs(struct search *search, uint32_t one) {
    uint64_t shrinkage = 0;
    for (uint32_t q = 0; q < search->chosen; q++) {
        shrinkage += 2 * (uint64_t)--search->pairs[difference(search, one, search->offset[q])] + 1;
        shrinkage += 2 * (uint64_t)--search->pairs[difference(search, search->offset[q], one)] + 1;
    }
    return shrinkage;
}

/* The offset not yet taken that adds least, the lowest of equal ones; what cannot be beaten ends the search. */
static uint32_t best_offset(struct search *search) {
    uint32_t best = search->workers;
    uint64_t least = UINT64_MAX, unbeaten = 2 * (uint64_t)search->chosen;
    for (uint32_t x = 0; x < search->workers && least > unbeaten; x++) {
        if (search->taken[x] || (best < search->workers && search->tries < search->chosen))
            continue;
        uint64_t growth = add_pairs(search, x);
        remove_pairs(search, x);
        search->tries -= search->tries < search->chosen ? search->tries : search->chosen;
        if (growth < least) {
            least = growth;
            best = x;
        }
    }
    return best;
}

static uint64_t take(struct search *search, uint32_t offset) {
    uint64_t growth = add_pairs(search, offset);
    search->taken[offset] = true;
    search->offset[search->chosen++] = offset;
    return growth;
}

/* Takes out the one that was chosen first of those but 0. */
static uint64_t give_back(struct search *search) {
    uint32_t offset = search->offset[1];
    search->chosen--;
    memmove(search->offset + 1, search->offset + 2, (search->chosen - 1) * sizeof *search->offset);
    search->taken[offset] = false;
    return remove_pairs(search, offset);
}

/* Moves every offset but 0 to where it adds least; whether that lowered the sum. */
static bool improve(struct search *search) {
    bool better = false;
    for (uint32_t moves = search->chosen - 1; moves > 0 && search->tries > search->chosen; moves--) {
        uint64_t shrinkage = give_back(search), growth = take(search, best_offset(search));
        better |= growth < shrinkage;
    }
    return better;
}

static int ascending(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

void balanced_offsets(uint32_t workers, uint32_t copies, uint32_t *offset) {
    struct search search = {.workers = workers,
                            .offset = offset,
                            .pairs = memory_zeroed(workers, sizeof(uint32_t)),
                            .taken = memory_zeroed(workers, sizeof(bool)),
                            .tries = TRIES};
    while (search.chosen < copies)
        take(&search, best_offset(&search));
    while (copies > 2 && improve(&search))
        continue;
    qsort(offset, copies, sizeof *offset, ascending);
    free(search.pairs);
    free(search.taken);
}

struct shares balanced_shares(uint32_t workers, const uint32_t *offset, uint32_t copies) {
    uint32_t *pairs = memory_zeroed(workers, sizeof *pairs);
    for (uint32_t a = 0; a < copies; a++)
        for (uint32_t b = 0; b < copies; b++)
            pairs[(offset[a] + workers - offset[b]) % workers]++;
    struct shares shares = {workers > 1 ? pairs[1] : 0, 0};
    for (uint32_t gap = 1; gap < workers; gap++) {
        shares.fewest = pairs[gap] < shares.fewest ? pairs[gap] : shares.fewest;
        shares.most = pairs[gap] > shares.most ? pairs[gap] : shares.most;
    }
    free(pairs);
    return shares;
}
