#include "cluster_spec.h"
#include "memory.h"
#include <stdlib.h>

const char *const order_names[] = {"listed", "interleaved", "shuffled", NULL};

/* Group after group. */
static void lay_listed(const struct cluster_spec *spec, uint32_t *group) {
    uint32_t i = 0;
    for (uint32_t g = 0; g < spec->groups; g++)
        for (uint32_t m = 0; m < spec->group[g].count; m++)
            group[i++] = g;
}

/* One of each group in turn, as long as it has some left. */
static void lay_interleaved(const struct cluster_spec *spec, uint32_t *group) {
    uint32_t *left = memory_zeroed(spec->groups, sizeof *left);
    for (uint32_t g = 0; g < spec->groups; g++)
        left[g] = spec->group[g].count;
    for (uint32_t i = 0, g = 0; i < spec->workers; g = (g + 1) % spec->groups)
        if (left[g] > 0) {
            left[g]--;
            group[i++] = g;
        }
    free(left);
}

/* Fisher and Yates, a draw per position. */
static void shuffle(uint32_t *group, uint32_t workers, uint64_t seed) {
    for (uint32_t i = 0; i + 1 < workers; i++) {
        struct draw draw = {{seed, 0, PURPOSE_ORDER}, i, 0, 0};
        uint32_t other = i + draw_index(&draw, workers - i), kept = group[i];
        group[i] = group[other];
        group[other] = kept;
    }
}

void cluster_layout(const struct cluster_spec *spec, uint64_t seed, uint32_t *group, uint32_t *member) {
    uint32_t *laid = memory_zeroed(spec->groups, sizeof *laid);
    if (spec->order == ORDER_INTERLEAVED)
        lay_interleaved(spec, group);
    else
        lay_listed(spec, group);
    if (spec->order == ORDER_SHUFFLED)
        shuffle(group, spec->workers, seed);
    for (uint32_t i = 0; i < spec->workers; i++)
        member[i] = laid[group[i]]++;
    free(laid);
}
