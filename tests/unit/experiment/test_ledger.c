/* What seconds are booked as, on histories small enough to follow by hand. */
#include "ledger.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static void finish(struct ledger *ledger, uint32_t worker, uint32_t version, uint32_t partition,
                   double seconds) {
    struct evaluation evaluation = {.partition = partition, .version = version};
    struct task task = {.step = version, .work = 1, .evaluations = 1, .evaluation = &evaluation};
    ledger_finished(ledger, &task, worker, seconds);
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
    struct ledger *ledger = ledger_new((struct shape){3, 3}, 1);
    const struct term term = {0, 0, 0, 1};
    finish(ledger, 0, 0, 0, 2);
    finish(ledger, 1, 0, 0, 3);
    finish(ledger, 2, 0, 0, 5);
    ledger_use(ledger, 1, &term, 1, 0);
    ledger_use(ledger, 0, &term, 1, 0);
    cr_expect(eq(dbl, ledger_busy(ledger, 2), 5));
    expect_booked(ledger, 3, 2, 0, 5);
}

Test(ledger, the_next_version_counts_anew) {
    struct ledger *ledger = ledger_new((struct shape){1, 1}, 1);
    for (uint32_t version = 0; version < 3; version++) {
        const struct term term = {0, 0, version, 1};
        finish(ledger, 0, version, 0, 1);
        ledger_use(ledger, 0, &term, 1, version);
    }
    expect_booked(ledger, 3, 0, 0, 0);
}

/* A worker holds partitions 0 and 1 and evaluates them in turn; its first message is not used, its second is. */
Test(ledger, used_later_only_is_stale) {
    struct ledger *ledger = ledger_new((struct shape){1, 2}, 2);
    const struct term terms[] = {{0, 0, 0, 1}, {1, 0, 1, 1}};
    finish(ledger, 0, 0, 0, 4);
    finish(ledger, 0, 1, 1, 6);
    ledger_use(ledger, 0, terms, 2, 1);
    expect_booked(ledger, 6, 0, 4, 0);
}

Test(ledger, the_best_use_counts_once) {
    struct ledger *ledger = ledger_new((struct shape){1, 2}, 2);
    const struct term first[] = {{0, 0, 0, 1}}, second[] = {{0, 0, 0, 1}, {1, 0, 1, 1}};
    finish(ledger, 0, 0, 0, 4);
    ledger_use(ledger, 0, first, 1, 0);
    finish(ledger, 0, 1, 1, 6);
    ledger_use(ledger, 0, second, 2, 1);
    expect_booked(ledger, 10, 0, 0, 0);
}

Test(ledger, a_warm_up_is_booked_when_it_is_done) {
    struct ledger *ledger = ledger_new((struct shape){1, 2}, 2);
    const struct term terms[] = {{0, 0, 1, 1}, {1, 0, 0, 1}};
    ledger_book(ledger, 0, 8, USE_USEFUL);
    finish(ledger, 0, 1, 0, 4);
    ledger_use(ledger, 0, terms, 2, 1);
    expect_booked(ledger, 12, 0, 0, 0);
}

Test(ledger, a_task_of_several_partitions_is_split) {
    struct ledger *ledger = ledger_new((struct shape){2, 2}, 2);
    const struct evaluation both[] = {{0, 0}, {1, 0}};
    const struct term terms[] = {{0, 0, 0, 1}, {1, 0, 0, 1}}, alone[] = {{1, 0, 0, 1}};
    struct task task = {.evaluations = 2, .evaluation = both};
    ledger_finished(ledger, &task, 0, 6);
    finish(ledger, 1, 0, 1, 2);
    ledger_use(ledger, 1, alone, 1, 0);
    ledger_use(ledger, 0, terms, 2, 0);
    expect_booked(ledger, 2 + 3, 3, 0, 0);
}
