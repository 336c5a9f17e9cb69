/* Ages kept up by what is renewed against ages counted one by one. */
#include "stream.h"
#include "table_ages.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdbool.h>
#include <stdlib.h>

enum { PARTITIONS_MAX = 9, ESTIMATES = 400, SEED = 7 };

static const struct {
    uint32_t partitions, accumulate;
    size_t renewals; /* in a round, at most */
} cases[] = {{1, 1, 1}, {2, 1, 1}, {5, 1, 2}, {7, 3, 2}, {8, 4, 8}, {9, 5, 1}};

struct plain {
    bool filled[PARTITIONS_MAX];
    uint32_t version[PARTITIONS_MAX];
    uint64_t count[ESTIMATES + 1];
};

static struct table_age count_plain(struct plain *plain, size_t q, uint32_t estimate) {
    struct table_age age = {0};
    for (uint32_t p = 0; p < cases[q].partitions; p++) {
        if (!plain->filled[p])
            continue;
        uint32_t old = estimate / cases[q].accumulate - plain->version[p] / cases[q].accumulate;
        plain->count[old]++;
        age.entries++;
        age.sum += old;
        age.largest = old > age.largest ? old : age.largest;
    }
    return age;
}

static void renew_some(struct plain *plain, struct table_ages *ages, size_t q, struct draw *draw) {
    uint64_t renewals = draw_index(draw, cases[q].renewals + 1);
    for (uint64_t r = 0; r < renewals; r++) {
        draw->worker++;
        uint32_t p = (uint32_t)draw_index(draw, cases[q].partitions);
        uint32_t version = draw->step - (uint32_t)draw_index(draw, draw->step < 6 ? draw->step + 1 : 6);
        plain->filled[p] = true;
        plain->version[p] = version;
        table_ages_renew(ages, p, version, draw->step);
    }
}

static void compare_counts(const struct plain *plain, struct table_ages *ages, size_t q, uint32_t estimates) {
    size_t count;
    uint64_t *counts = table_ages_counts(ages, estimates, &count);
    for (uint32_t age = 0; age <= ESTIMATES; age++)
        cr_assert(eq(u64, age < count ? counts[age] : 0, plain->count[age]), "case %zu, %u estimates, age %u",
                  q, estimates, age);
    free(counts);
}

static void play(size_t q, uint32_t estimates) {
    static struct plain plain;
    plain = (struct plain){0};
    struct table_ages *ages = table_ages_new(cases[q].partitions, cases[q].accumulate);
    for (uint32_t t = 0; t < estimates; t++) {
        struct draw draw = {{SEED, 0, PURPOSE_SAMPLE}, 0, t, 0};
        renew_some(&plain, ages, q, &draw);
        struct table_age ours = table_ages_at(ages, t), wanted = count_plain(&plain, q, t);
        cr_assert(eq(u32, ours.entries, wanted.entries), "case %zu, estimate %u", q, t);
        cr_assert(eq(u32, ours.largest, wanted.largest), "case %zu, estimate %u", q, t);
        cr_assert(eq(dbl, ours.sum, wanted.sum), "case %zu, estimate %u", q, t);
    }
    compare_counts(&plain, ages, q, estimates);
    table_ages_free(ages);
}

Test(table_ages, are_those_counted_one_by_one) {
    for (size_t q = 0; q < sizeof cases / sizeof *cases; q++)
        for (uint32_t estimates = 0; estimates < 12; estimates++)
            play(q, estimates);
    for (size_t q = 0; q < sizeof cases / sizeof *cases; q++)
        play(q, ESTIMATES);
}
