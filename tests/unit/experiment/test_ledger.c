/* What seconds are booked as, on histories small enough to follow by hand. */
#include "ledger.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static void finish(struct ledger *ledger, uint32_t worker, uint32_t version, uint32_t partition,
                   double seconds) {
    struct evaluation evaluation = {.partition = partition, .version = version};
    struct booking booking = {worker, version, 0, 1, &evaluation};
    ledger_finished(ledger, &booking, seconds);
}

struct terms {
    const struct term *term;
    size_t terms;
};

/* In the estimate of a version, each of which makes one update. */
static void use(struct ledger *ledger, uint32_t worker, struct terms terms, uint32_t version) {
    ledger_use(ledger, &(struct used_message){worker, 0, 0, terms.terms, terms.term}, version, version);
}

static void expect_booked(struct ledger *ledger, double useful, double redundant, double stale,
                          double discarded) {
    ledger_settle(ledger);
    cr_expect(epsilon_eq(dbl, ledger_seconds(ledger, USE_USEFUL), useful, 1e-12));
    cr_expect(epsilon_eq(dbl, ledger_seconds(ledger, USE_REDUNDANT), redundant, 1e-12));
    cr_expect(epsilon_eq(dbl, ledger_seconds(ledger, USE_STALE), stale, 1e-12));
    cr_expect(epsilon_eq(dbl, ledger_seconds(ledger, USE_DISCARDED), discarded, 1e-12));
    ledger_free(ledger);
}

Test(ledger, the_first_of_a_partition_is_useful_the_second_redundant) {
    struct ledger *ledger = ledger_new(&(struct ledger_spec){3, 3, 1, 0});
    const struct term term = {.partition = 0, .version = 0, .coefficient = 1};
    finish(ledger, 0, 0, 0, 2);
    finish(ledger, 1, 0, 0, 3);
    finish(ledger, 2, 0, 0, 5);
    use(ledger, 1, (struct terms){&term, 1}, 0);
    use(ledger, 0, (struct terms){&term, 1}, 0);
    ledger_settle(ledger);
    cr_expect(eq(dbl, ledger_busy(ledger, 2), 5));
    expect_booked(ledger, 3, 2, 0, 5);
}

Test(ledger, the_next_version_counts_anew) {
    struct ledger *ledger = ledger_new(&(struct ledger_spec){1, 1, 1, 0});
    for (uint32_t version = 0; version < 3; version++) {
        const struct term term = {.partition = 0, .version = version, .coefficient = 1};
        finish(ledger, 0, version, 0, 1);
        use(ledger, 0, (struct terms){&term, 1}, version);
    }
    expect_booked(ledger, 3, 0, 0, 0);
}

/* A worker holds partitions 0 and 1 and evaluates them in turn; its first message is not used, its second is. */
Test(ledger, used_later_only_is_stale) {
    struct ledger *ledger = ledger_new(&(struct ledger_spec){1, 2, 2, 0});
    const struct term terms[] = {{.partition = 0, .version = 0, .coefficient = 1},
                                 {.partition = 1, .version = 1, .coefficient = 1}};
    finish(ledger, 0, 0, 0, 4);
    finish(ledger, 0, 1, 1, 6);
    use(ledger, 0, (struct terms){terms, 2}, 1);
    expect_booked(ledger, 6, 0, 4, 0);
}

Test(ledger, the_best_use_counts_once) {
    struct ledger *ledger = ledger_new(&(struct ledger_spec){1, 2, 2, 0});
    const struct term first[] = {{.partition = 0, .version = 0, .coefficient = 1}},
                      second[] = {{.partition = 0, .version = 0, .coefficient = 1},
                                  {.partition = 1, .version = 1, .coefficient = 1}};
    finish(ledger, 0, 0, 0, 4);
    use(ledger, 0, (struct terms){first, 1}, 0);
    finish(ledger, 0, 1, 1, 6);
    use(ledger, 0, (struct terms){second, 2}, 1);
    expect_booked(ledger, 10, 0, 0, 0);
}

Test(ledger, a_warm_up_is_booked_when_it_is_done) {
    struct ledger *ledger = ledger_new(&(struct ledger_spec){1, 2, 2, 0});
    const struct term terms[] = {{.partition = 0, .version = 1, .coefficient = 1},
                                 {.partition = 1, .version = 0, .coefficient = 1}};
    ledger_book(ledger, 0, 8, USE_USEFUL);
    finish(ledger, 0, 1, 0, 4);
    use(ledger, 0, (struct terms){terms, 2}, 1);
    expect_booked(ledger, 12, 0, 0, 0);
}

Test(ledger, a_task_of_several_partitions_is_split) {
    struct ledger *ledger = ledger_new(&(struct ledger_spec){2, 2, 2, 0});
    const struct evaluation both[] = {{.partition = 0}, {.partition = 1}};
    const struct term terms[] = {{.partition = 0, .version = 0, .coefficient = 1},
                                 {.partition = 1, .version = 0, .coefficient = 1}},
                      alone[] = {{.partition = 1, .version = 0, .coefficient = 1}};
    ledger_finished(ledger, &(struct booking){0, 0, 0, 2, both}, 6);
    finish(ledger, 1, 0, 1, 2);
    use(ledger, 1, (struct terms){alone, 1}, 0);
    use(ledger, 0, (struct terms){terms, 2}, 0);
    expect_booked(ledger, 2 + 3, 3, 0, 0);
}

/* Messages of two rounds may be used; the third one's work takes the place of the first's. */
Test(ledger, rounds_that_are_kept_apart) {
    struct ledger *ledger = ledger_new(&(struct ledger_spec){1, 1, 1, 2});
    const struct term term = {.partition = 0, .version = 0, .coefficient = 1};
    const struct evaluation evaluation = {.partition = 0};
    for (uint32_t step = 0; step < 3; step++)
        ledger_finished(ledger, &(struct booking){0, step, 0, 1, &evaluation}, 1 << step);
    ledger_use(ledger, &(struct used_message){0, 1, 0, 1, &term}, 0, 0);
    ledger_use(ledger, &(struct used_message){0, 2, 0, 1, &term}, 1, 2);
    expect_booked(ledger, 2, 0, 4, 1);
}

/* Three local steps of one partition are one walk: all useful, none redundant; the next worker's on the same are. */
Test(ledger, a_walk_is_useful_as_a_whole) {
    struct ledger *ledger = ledger_new(&(struct ledger_spec){2, 1, 3, 1});
    struct term terms[3];
    struct evaluation evaluations[3];
    for (uint32_t h = 0; h < 3; h++) {
        evaluations[h] = (struct evaluation){.partition = 0, .batch = h};
        terms[h] = (struct term){.partition = 0, .batch = h, .coefficient = 1};
    }
    for (uint32_t i = 0; i < 2; i++)
        ledger_finished(ledger, &(struct booking){i, 0, 0, 3, evaluations}, i == 0 ? 6 : 9);
    use(ledger, 0, (struct terms){terms, 3}, 0);
    use(ledger, 1, (struct terms){terms, 3}, 0);
    expect_booked(ledger, 6, 9, 0, 0);
}
