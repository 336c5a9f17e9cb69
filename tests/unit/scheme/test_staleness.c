/* What the staleness rules make of an age. */
#include "rehearsal.h"
#include "staleness.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

static const struct {
    const char *type, *key, *value;
    uint32_t age;
    double factor, compensation;
} rows[] = {
    {"none", NULL, NULL, 7, 1, 0},
    {"inverse", NULL, NULL, 0, 1, 0},
    {"inverse", NULL, NULL, 1, 1, 0},
    {"inverse", NULL, NULL, 4, 0.25, 0},
    {"polynomial", NULL, NULL, 0, 1, 0},
    {"polynomial", NULL, NULL, 3, 0.5, 0},
    {"polynomial", "exponent", "2", 2, 1.0 / 9, 0},
    {"polynomial", "exponent", "0", 9, 1, 0},
    {"delay-compensated", "lambda", "0.3", 9, 1, 0.3},
};

/* Powers are exp(a log x), each within 2 units in the last place of arguments below 10. */
Test(staleness, factors_by_age) {
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct arena *arena = arena_new();
        struct diag *diag = diag_new();
        struct place place = {"test", 1, 1};
        struct node *mapping = node_mapping(arena, place);
        struct binder binder = {.diag = diag, .arena = arena};
        struct picked picked;
        node_append(arena, mapping, "type", node_scalar(arena, place, rows[r].type));
        if (rows[r].key)
            node_append(arena, mapping, rows[r].key, node_scalar(arena, place, rows[r].value));
        cr_assert(param_bind(&binder, mapping, &staleness_table, &picked), "row %zu", r);
        cr_expect(epsilon_eq(dbl, staleness_factor(&picked, rows[r].age), rows[r].factor, 2e-15), "row %zu",
                  r);
        cr_expect(eq(dbl, staleness_factor(&picked, 0), 1), "row %zu", r);
        cr_expect(eq(dbl, staleness_compensation(&picked), rows[r].compensation), "row %zu", r);
        diag_free(diag);
        arena_free(arena);
    }
}
