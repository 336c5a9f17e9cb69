/* Every verdict of the wait rules, on hearings written by hand: n = 4 workers, s = 1. */
#include "rehearsal.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

enum asked { OPEN, HEAR, ALARM };

struct row {
    const char *name, *type, *key, *value, *other_key, *other_value;
    enum asked asked;
    uint32_t heard;
    double elapsed_s, first_s;
    bool decodable; /* and admitted */
    enum action action;
    double alarm_s;
};

#define EITHER  "count-or-decodable", "results", "3", NULL, NULL
#define FACTOR  "deadline", "factor", "2", NULL, NULL
#define SECONDS "deadline", "seconds", "3s", NULL, NULL
#define MIN     "deadline", "seconds", "3s", "min", "2"
#define MIN_0   "deadline", "seconds", "3s", "min", "0"
static const struct row rows[] = {
    {"all opens", "all", NULL, NULL, NULL, NULL, OPEN, 0, 0, NAN, false, LISTEN, NO_ALARM},
    {"all but one", "all", NULL, NULL, NULL, NULL, HEAR, 3, 9, 1, true, LISTEN, NO_ALARM},
    {"all", "all", NULL, NULL, NULL, NULL, HEAR, 4, 9, 1, false, CLOSE, NO_ALARM},
    {"count's default, below", "count", NULL, NULL, NULL, NULL, HEAR, 2, 9, 1, true, LISTEN, NO_ALARM},
    {"count's default is n - s", "count", NULL, NULL, NULL, NULL, HEAR, 3, 9, 1, false, CLOSE, NO_ALARM},
    {"count 2, below", "count", "results", "2", NULL, NULL, HEAR, 1, 9, 9, true, LISTEN, NO_ALARM},
    {"count 2", "count", "results", "2", NULL, NULL, HEAR, 2, 9, 9, false, CLOSE, NO_ALARM},
    {"count or decodable: neither", EITHER, HEAR, 2, 9, 1, false, LISTEN, NO_ALARM},
    {"count or decodable: enough", EITHER, HEAR, 3, 9, 1, false, CLOSE, NO_ALARM},
    {"count or decodable: decodable before", EITHER, HEAR, 1, 9, 1, true, CLOSE, NO_ALARM},
    {"count or decodable: n - s by default", "count-or-decodable", NULL, NULL, NULL, NULL, HEAR, 3, 9, 1,
     false, CLOSE, NO_ALARM},
    {"not decodable", "decodable", NULL, NULL, NULL, NULL, HEAR, 4, 9, 1, false, LISTEN, NO_ALARM},
    {"decodable", "decodable", NULL, NULL, NULL, NULL, HEAR, 1, 1, 1, true, CLOSE, NO_ALARM},
    {"factor opens without an alarm", FACTOR, OPEN, 0, 0, NAN, false, LISTEN, NO_ALARM},
    {"factor: the first arrival sets it", FACTOR, HEAR, 1, 1.5, 1.5, false, LISTEN, 3},
    {"factor: the second leaves it", FACTOR, HEAR, 2, 2, 1.5, true, LISTEN, NO_ALARM},
    {"factor: n - s before the deadline", FACTOR, HEAR, 3, 2, 1.5, true, LISTEN, NO_ALARM},
    {"factor: all before the deadline", FACTOR, HEAR, 4, 2, 1.5, true, CLOSE, NO_ALARM},
    {"factor: the code admits those missing", FACTOR, ALARM, 3, 3, 1.5, true, CLOSE, NO_ALARM},
    {"factor: it does not", FACTOR, ALARM, 2, 3, 1.5, false, LISTEN, NO_ALARM},
    {"factor: after it n - s are not enough", FACTOR, HEAR, 3, 4, 1.5, true, LISTEN, NO_ALARM},
    {"factor: after it all are", FACTOR, HEAR, 4, 5, 1.5, true, CLOSE, NO_ALARM},
    {"seconds opens with an alarm", SECONDS, OPEN, 0, 0, NAN, false, LISTEN, 3},
    {"seconds: min by default n - s, before", SECONDS, HEAR, 3, 2, 1, false, LISTEN, NO_ALARM},
    {"seconds: at the deadline's instant", SECONDS, HEAR, 3, 3, 1, false, LISTEN, NO_ALARM},
    {"seconds: enough at the alarm", SECONDS, ALARM, 3, 3, 1, false, CLOSE, NO_ALARM},
    {"seconds: too few at the alarm", SECONDS, ALARM, 2, 3, 1, false, LISTEN, NO_ALARM},
    {"seconds: the min-th after it", SECONDS, HEAR, 3, 4, 1, false, CLOSE, NO_ALARM},
    {"seconds: fewer after it", SECONDS, HEAR, 2, 4, 1, false, LISTEN, NO_ALARM},
    {"seconds: all before it", SECONDS, HEAR, 4, 2, 1, false, CLOSE, NO_ALARM},
    {"min 2: the second after it", MIN, HEAR, 2, 4, 1, false, CLOSE, NO_ALARM},
    {"min 2: two at the alarm", MIN, ALARM, 2, 3, 1, false, CLOSE, NO_ALARM},
    {"min 2: nobody at the alarm", MIN, ALARM, 0, 3, NAN, false, LISTEN, NO_ALARM},
    {"min 0: nobody at the alarm", MIN_0, ALARM, 0, 3, NAN, false, CLOSE, NO_ALARM},
    {"min 0: all before it", MIN_0, HEAR, 4, 2, 1, false, CLOSE, NO_ALARM},
    {"min 0: some before it", MIN_0, HEAR, 3, 2, 1, false, LISTEN, NO_ALARM},
};

static void append(struct binder *binder, struct node *mapping, const char *key, const char *value) {
    struct place place = {"t", 1, 1};
    if (key)
        node_append(binder->arena, mapping, key, node_scalar(binder->arena, place, value));
}

static bool bind(struct binder *binder, const struct row *row, struct picked *picked) {
    struct node *mapping = node_mapping(binder->arena, (struct place){"t", 1, 1});
    append(binder, mapping, "type", row->type);
    append(binder, mapping, row->key, row->value);
    append(binder, mapping, row->other_key, row->other_value);
    return param_bind(binder, mapping, &wait_table, picked);
}

static struct verdict ask(const struct picked *picked, enum asked asked, const struct hearing *hearing) {
    return asked == OPEN   ? wait_open(picked, hearing)
           : asked == HEAR ? wait_hear(picked, hearing)
                           : wait_alarm(picked, hearing);
}

Test(waits, verdicts) {
    struct binder binder = {.diag = diag_new(), .arena = arena_new()};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct row *row = &rows[r];
        struct picked picked = {0};
        cr_assert(bind(&binder, row, &picked), "%s", row->name);
        struct hearing hearing = {
            4, 1, row->heard, row->elapsed_s, row->first_s, row->decodable, row->decodable};
        struct verdict verdict = ask(&picked, row->asked, &hearing);
        cr_expect(eq(int, verdict.action, row->action), "%s", row->name);
        cr_expect(eq(dbl, verdict.alarm_s, row->alarm_s), "%s", row->name);
    }
    diag_free(binder.diag);
    arena_free(binder.arena);
}

static const struct row contradictions[] = {
    {"neither", "deadline"},
    {"both", "deadline", "factor", "2", "seconds", "3s"},
    {"min with factor", "deadline", "factor", "2", "min", "3"},
    {"else with seconds", "deadline", "seconds", "3s", "else", "all"},
    {"a factor below 1", "deadline", "factor", "0.5"},
    {"no results", "count", "results", "0"},
};

Test(waits, contradictions_are_refused) {
    struct binder binder = {.diag = diag_new(), .arena = arena_new()};
    for (size_t r = 0; r < sizeof contradictions / sizeof *contradictions; r++) {
        struct picked picked = {0};
        cr_expect(not(bind(&binder, &contradictions[r], &picked)), "%s", contradictions[r].name);
        cr_expect(eq(sz, diag_errors(binder.diag), r + 1), "%s", contradictions[r].name);
    }
    diag_free(binder.diag);
    arena_free(binder.arena);
}

/* Results in hand whenever the rule closes, of n = 12 with s = 2 and where the scheme needs nobody. */
static const struct {
    const char *type, *key, *value;
    uint32_t assured, of_nobody;
} assurances[] = {
    {"all", NULL, NULL, 12, 12},
    {"count", NULL, NULL, 10, 0},
    {"count-or-decodable", NULL, NULL, 10, 0},
    {"count-or-decodable", "results", "4", 4, 4},
    {"count", "results", "4", 4, 4},
    {"decodable", NULL, NULL, ONLY_DECODABLE, ONLY_DECODABLE},
    {"deadline", "factor", "2", 10, 0},
    {"deadline", "seconds", "1", 10, 0},
};

Test(waits, assured_results) {
    struct binder binder = {.diag = diag_new(), .arena = arena_new()};
    for (size_t r = 0; r < sizeof assurances / sizeof *assurances; r++) {
        struct row row = {"", assurances[r].type, assurances[r].key, assurances[r].value};
        struct picked picked = {0};
        cr_assert(bind(&binder, &row, &picked), "%s", row.type);
        const struct wait_rule *rule = (const struct wait_rule *)picked.type;
        cr_expect(eq(u32, rule->assured(picked.params, 12, 2), assurances[r].assured), "%s", row.type);
        cr_expect(eq(u32, rule->assured(picked.params, 12, ANY_STRAGGLERS), assurances[r].of_nobody), "%s",
                  row.type);
    }
    diag_free(binder.diag);
    arena_free(binder.arena);
}
