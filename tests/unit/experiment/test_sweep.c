/* The axes of a sweep and where a setting goes. */
#include "sweep.h"
#include "yaml_tree.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

static struct node *tree_of(struct arena *arena, const char *text) {
    struct diag *diag = diag_new();
    struct node *root = yaml_read_text(diag, arena, "test", text);
    diag_print(diag, stderr);
    diag_free(diag);
    cr_assert_not_null(root);
    return root;
}

Test(sweep, the_last_axis_varies_fastest) {
    struct arena *arena = arena_new();
    struct diag *diag = diag_new();
    struct sweep sweep;
    cr_assert(
        sweep_read(&sweep, diag, arena, tree_of(arena, "sweep: {seed: [1, 2], a.b: [x, [y, z], {k: v}]}")));
    static const char *const wanted[6][2] = {{"1", "x"}, {"1", "[y, z]"}, {"1", "{k: v}"},
                                             {"2", "x"}, {"2", "[y, z]"}, {"2", "{k: v}"}};
    cr_assert(eq(sz, sweep.points, 6));
    for (size_t q = 0; q < 6; q++)
        for (size_t a = 0; a < 2; a++)
            cr_expect_str_eq(sweep_text(arena, sweep_value(&sweep, q, a)), wanted[q][a], "point %zu", q);
    diag_free(diag);
    arena_free(arena);
}

static const char *const refused[] = {
    "sweep: 3",
    "sweep: [1]",
    "sweep: {a: 3}",
    "sweep: {a: []}",
    "sweep: {name: [a, b]}",
    "sweep: {record.every: [1]}",
    "sweep: {seed: [1, 2, 1]}",
    "sweep: {a: [0.5, 1, 5e-1]}",
    "sweep: {a: [-0, 0]}",
    "sweep: {a: [{k: 1}, {k: 1}]}",
    "sweep: {schemes.stragglers: [1, 2], 'schemes[1].stragglers': [3, 4]}",
    "sweep: {'cluster.workers[0].delay[1].mean': [1, 2], 'cluster.workers[0].delay.mean': [3, 4]}",
    "sweep: {cluster.load: [1, 2], cluster: [3, 4]}",
};

/* 2^64 - 1 and 2^64 - 2 are the same double, and text in quotes is no number. */
static const char *const taken[] = {
    "sweep: {seed: [18446744073709551615, 18446744073709551614]}",
    "sweep: {a: ['1', 1.0]}",
    "sweep: {cluster: [3, 4], cluster.load: [1, 2]}",
    "sweep: {'schemes[0].stragglers': [1, 2], 'schemes[1].stragglers': [1, 2]}",
    "sweep: {stop.steps: [1, 2], stop.steps_more: [1, 2]}",
};

Test(sweep, what_goes_together_is_taken) {
    for (size_t c = 0; c < sizeof taken / sizeof *taken; c++) {
        struct arena *arena = arena_new();
        struct diag *diag = diag_new();
        struct sweep sweep;
        cr_expect(sweep_read(&sweep, diag, arena, tree_of(arena, taken[c])), "%s", taken[c]);
        diag_free(diag);
        arena_free(arena);
    }
}

Test(sweep, mistakes_are_told) {
    for (size_t c = 0; c < sizeof refused / sizeof *refused; c++) {
        struct arena *arena = arena_new();
        struct diag *diag = diag_new();
        struct sweep sweep;
        cr_expect(eq(int, sweep_read(&sweep, diag, arena, tree_of(arena, refused[c])), 0), "%s", refused[c]);
        cr_expect(eq(sz, diag_errors(diag), 1), "%s", refused[c]);
        diag_free(diag);
        arena_free(arena);
    }
}

struct putting {
    const char *key, *wanted; /* NULL: refused */
};
static const struct putting puttings[] = {
    {"seed", "{seed: 7, schemes: [{type: uncoded}, {type: gc-cr}, {type: ignore, stragglers: 1}]}"},
    {"schemes.stragglers",
     "{seed: 1, schemes: [{type: uncoded}, {type: gc-cr, stragglers: 7}, {type: ignore, stragglers: 7}]}"},
    {"schemes.late", "{seed: 1, schemes: [{type: uncoded, late: 7}, {type: gc-cr, late: 7}, {type: ignore, "
                     "stragglers: 1, late: 7}]}"},
    {"schemes[2].stragglers",
     "{seed: 1, schemes: [{type: uncoded}, {type: gc-cr}, {type: ignore, stragglers: 7}]}"},
    {"stop.steps",
     "{seed: 1, stop: {steps: 7}, schemes: [{type: uncoded}, {type: gc-cr}, {type: ignore, stragglers: 1}]}"},
    {"schemes.straglers", NULL},
    {"schemes[3].stragglers", NULL},
    {"seed.x", NULL},
};

Test(sweep, where_a_setting_goes) {
    for (size_t c = 0; c < sizeof puttings / sizeof *puttings; c++) {
        struct arena *arena = arena_new();
        struct node *root = tree_of(
            arena, "{seed: 1, schemes: [{type: uncoded}, {type: gc-cr}, {type: ignore, stragglers: 1}]}");
        struct sentence why;
        bool put = setting_put(arena, root, puttings[c].key, tree_of(arena, "7"), &why);
        cr_expect(eq(int, put, puttings[c].wanted != NULL), "%s", puttings[c].key);
        if (put && puttings[c].wanted)
            cr_expect(eq(int, node_equal(root, tree_of(arena, puttings[c].wanted)), 1), "%s: %s",
                      puttings[c].key, sweep_text(arena, root));
        arena_free(arena);
    }
}
