/* How groups are laid over worker indices. */
#include "stage.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

struct layout {
    const char *name;
    enum order_rule order;
    uint32_t group[6], member[6];
};
static const struct layout layouts[] = {
    {"listed", ORDER_LISTED, {0, 0, 0, 1, 2, 2}, {0, 1, 2, 0, 0, 1}},
    {"interleaved", ORDER_INTERLEAVED, {0, 1, 2, 0, 2, 0}, {0, 0, 0, 1, 1, 2}},
};

Test(layout, groups_are_laid_out) {
    const struct group_spec groups[] = {{.count = 3}, {.count = 1}, {.count = 2}};
    for (size_t c = 0; c < sizeof layouts / sizeof *layouts; c++) {
        const struct cluster_spec spec = {
            .order = layouts[c].order, .workers = 6, .groups = 3, .group = groups};
        uint32_t group[6], member[6];
        cluster_layout(&spec, 1, group, member);
        for (int i = 0; i < 6; i++) {
            cr_expect(eq(u32, group[i], layouts[c].group[i]), "%s, worker %d", layouts[c].name, i);
            cr_expect(eq(u32, member[i], layouts[c].member[i]), "%s, worker %d", layouts[c].name, i);
        }
    }
}

Test(layout, a_shuffled_layout_is_a_permutation_by_the_seed) {
    const struct group_spec groups[] = {{.count = 30}, {.count = 20}};
    const struct cluster_spec spec = {.order = ORDER_SHUFFLED, .workers = 50, .groups = 2, .group = groups};
    uint32_t group[3][50], member[50], ones = 0, moved = 0, differ = 0;
    cluster_layout(&spec, 1, group[0], member);
    cluster_layout(&spec, 1, group[1], member);
    cluster_layout(&spec, 2, group[2], member);
    for (int i = 0; i < 50; i++) {
        cr_expect(eq(u32, group[0][i], group[1][i]));
        ones += group[0][i];
        moved += group[0][i] != (i >= 30);
        differ += group[0][i] != group[2][i];
    }
    cr_expect(eq(u32, ones, 20));
    cr_expect(ge(u32, moved, 1));
    cr_expect(ge(u32, differ, 1));
}
