/* What schemes refuse, in whose words. */
#include "rehearsal.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>

static const struct {
    const char *scheme;
    uint32_t workers, partitions, stragglers, copies;
    const char *why; /* NULL: accepted */
} rows[] = {
    {"uncoded", 12, 12, 0, 0, NULL},
    {"uncoded", 12, 6, 0, 0, "partitions = 6 must equal workers = 12"},
    {"ignore", 12, 12, 11, 0, NULL},
    {"ignore", 12, 12, 12, 0, "stragglers = 12 must be below workers = 12"},
    {"gc-fr", 12, 12, 3, 0, NULL},
    {"gc-fr", 12, 12, 4, 0, "stragglers + 1 = 5 must divide workers = 12"},
    {"gc-fr", 12, 12, 1000000, 0, "stragglers = 1000000 must be below workers = 12"},
    {"gc-cr", 12, 12, 4, 0, NULL},
    {"gc-cr", 12, 24, 4, 0, "partitions = 24 must equal workers = 12"},
    {"isgc-fr", 12, 12, 5, 4, NULL},
    {"isgc-fr", 12, 12, 5, 5, "copies = 5 must divide workers = 12"},
    {"isgc-cr", 12, 12, 5, 5, NULL},
    {"isgc-cr", 12, 12, 5, 13, "copies = 13 must be at most workers = 12"},
    {"isgc-cr", 12, 12, 13, 2, "stragglers = 13 must be below workers = 12"},
    {"pgc-fr", 12, 12, 4, 0, "stragglers + 1 = 5 must divide workers = 12"},
    {"pgc-cr", 12, 12, 4, 0, NULL},
    {"pgc-cr-naive", 12, 12, 12, 0, "stragglers = 12 must be below workers = 12"},
};

Test(refusals, parameters_that_do_not_fit_the_shape) {
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct code_params params = {.stragglers = rows[r].stragglers, .copies = rows[r].copies};
        struct sentence why = {""};
        bool refused = scheme_named(rows[r].scheme)
                           ->refuses(&params, (struct shape){rows[r].workers, rows[r].partitions}, &why);
        cr_expect(eq(int, refused, rows[r].why != NULL), "row %zu, %s: %s", r, rows[r].scheme, why.text);
        cr_expect(eq(str, why.text, (char *)(rows[r].why ? rows[r].why : "")), "row %zu, %s", r,
                  rows[r].scheme);
    }
}

/* A wait rule is read from a scenario's mapping, so that its defaults are those of its table. */
struct wait_row {
    const char *scheme;
    uint32_t stragglers, copies; /* of 12 workers */
    const char *type, *key, *value, *why;
};
static const struct wait_row wait_rows[] = {
    {"uncoded", 0, 0, "all", NULL, NULL, NULL},
    {"uncoded", 0, 0, "count", NULL, NULL, NULL},
    {"uncoded", 0, 0, "count", "results", "11",
     "count may close with 11 of 12 results, but uncoded needs 12 to decode"},
    {"uncoded", 0, 0, "decodable", NULL, NULL, NULL},
    {"uncoded", 0, 0, "deadline", "factor", "2", NULL},
    {"uncoded", 0, 0, "deadline", "seconds", "2s", NULL},
    {"ignore", 2, 0, "count", "results", "1", NULL},
    {"ignore", 2, 0, "count", "results", "13", "results = 13 must be in [1, 12], the number of workers"},
    {"ignore", 2, 0, "decodable", NULL, NULL,
     "decodable would never close a step: no set of results gives ignore the exact gradient here"},
    {"gc-fr", 2, 0, "count", "results", "10", NULL},
    {"gc-fr", 2, 0, "count", "results", "9",
     "count may close with 9 of 12 results, but gc-fr with stragglers = 2 needs 10 to decode"},
    {"gc-fr", 2, 0, "decodable", NULL, NULL, NULL},
    {"gc-cr", 3, 0, "deadline", "factor", "1", NULL},
    {"gc-cr", 3, 0, "decodable", NULL, NULL, NULL},
    {"isgc-fr", 3, 2, "decodable", NULL, NULL, NULL},
    {"isgc-cr", 3, 2, "decodable", NULL, NULL, NULL},
    {"isgc-cr", 3, 5, "decodable", NULL, NULL,
     "decodable would never close a step: no set of results gives isgc-cr the exact gradient here"},
    {"isgc-cr", 3, 5, "count", "results", "1", NULL},
    {"pgc-fr", 2, 0, "count", "results", "9",
     "count may close with 9 of 12 results, but pgc-fr with stragglers = 2 needs 10 to decode"},
    {"pgc-fr", 2, 0, "decodable", NULL, NULL,
     "decodable would never close a step: no set of results gives pgc-fr the exact gradient here"},
    {"pgc-cr", 2, 0, "count", "results", "1", NULL},
    {"pgc-cr", 2, 0, "decodable", NULL, NULL,
     "decodable would never close a step: no set of results gives pgc-cr the exact gradient here"},
    {"pgc-cr-naive", 2, 0, "count", "results", "3",
     "count may close with 3 of 12 results, but pgc-cr-naive with stragglers = 2 needs 10 to decode"},
};

static struct picked bound_wait(struct binder *binder, const struct wait_row *row) {
    struct place place = {"t", 1, 1};
    struct node *mapping = node_mapping(binder->arena, place);
    struct picked picked = {0};
    node_append(binder->arena, mapping, "type", node_scalar(binder->arena, place, row->type));
    if (row->key)
        node_append(binder->arena, mapping, row->key, node_scalar(binder->arena, place, row->value));
    cr_assert(param_bind(binder, mapping, &wait_table, &picked), "%s", row->type);
    return picked;
}

Test(refusals, wait_rules_a_scheme_cannot_decode_from) {
    struct binder binder = {.diag = diag_new(), .arena = arena_new()};
    for (size_t r = 0; r < sizeof wait_rows / sizeof *wait_rows; r++) {
        const struct wait_row *row = &wait_rows[r];
        struct code_params params = {.stragglers = row->stragglers, .copies = row->copies};
        struct picked scheme = {&scheme_named(row->scheme)->head, &params};
        struct picked wait = bound_wait(&binder, row);
        struct sentence why = {""};
        bool accepted = scheme_accepts_wait(&scheme, (struct shape){12, 12}, &wait, &why);
        cr_expect(eq(int, accepted, row->why == NULL), "row %zu, %s: %s", r, row->scheme, why.text);
        cr_expect(eq(str, why.text, (char *)(row->why ? row->why : "")), "row %zu, %s", r, row->scheme);
    }
    diag_free(binder.diag);
    arena_free(binder.arena);
}

Test(refusals, parameters_take_their_defaults) {
    struct binder binder = {.diag = diag_new(), .arena = arena_new()};
    struct place place = {"t", 1, 1};
    struct node *mapping = node_mapping(binder.arena, place);
    node_append(binder.arena, mapping, "stragglers", node_scalar(binder.arena, place, "3"));
    struct code_params params = {0};
    cr_assert(param_bind(&binder, mapping, &copies_params, &params));
    cr_expect(eq(u32, params.stragglers, 3));
    cr_expect(eq(u32, params.copies, 2));
    diag_free(binder.diag);
    arena_free(binder.arena);
}

Test(refusals, late_rules_outside_the_mask) {
    struct scheme strict = *scheme_named("gc-fr");
    strict.late = LATE_CANCEL;
    strict.lates = 1u << LATE_CANCEL;
    struct picked picked = {&strict.head, NULL};
    struct sentence why = {""};
    cr_expect(scheme_accepts_late(&picked, LATE_CANCEL, &why));
    cr_expect(not(scheme_accepts_late(&picked, LATE_QUEUE, &why)));
    cr_expect(eq(str, why.text, (char *)"gc-fr does not accept queue: its default is cancel"));
}
