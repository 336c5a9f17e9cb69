/* Models of earlier versions: found until they are forgotten, whatever room they take. */
#include "past.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

enum { LENGTH = 3 };

static void add(struct past *past, uint32_t version) {
    double w[LENGTH] = {version, 2.0 * version, -1.0 * version};
    past_add(past, w);
}

static void expect_from(const struct past *past, uint32_t oldest, uint32_t next) {
    for (uint32_t v = oldest; v < next; v++) {
        const double *w = past_find(past, v);
        cr_expect(eq(dbl, w[0], (double)v), "version %u", v);
        cr_expect(eq(dbl, w[2], -(double)v), "version %u", v);
    }
}

Test(past, holds_all_that_is_not_forgotten) {
    struct past *past = past_new(LENGTH);
    uint32_t oldest = 0;
    for (uint32_t v = 0; v < 500; v++) {
        if (past_full(past) && v % 3 == 0) {
            oldest = v > 20 ? v - 20 : 0;
            past_forget(past, oldest);
        }
        add(past, v);
        expect_from(past, oldest, v + 1);
    }
    past_free(past);
}

Test(past, all_may_be_forgotten_and_nothing_twice) {
    struct past *past = past_new(LENGTH);
    for (uint32_t v = 0; v < 5; v++)
        add(past, v);
    past_forget(past, 9); /* of versions that are still to come nothing is forgotten */
    past_forget(past, 2);
    add(past, 5);
    expect_from(past, 5, 6);
    past_free(past);
}
