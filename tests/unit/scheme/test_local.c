/* Local steps and adaptive k without a clock. */
#include "rehearsal.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

static void begin(struct rehearsal *rehearsal, struct arena *arena, const char *scheme, const char *values,
                  struct setting setting) {
    const void *params = params_bound(arena, scheme_named(scheme), values);
    cr_assert(ne(ptr, (void *)params, NULL), "%s %s", scheme, values);
    rehearsal_begin(rehearsal, scheme, params, setting);
}

/* Step h of a walk that begins in step t is on batch t H + h; a walk's terms weigh as one gradient. */
Test(local, a_task_is_a_walk_of_H_steps) {
    struct arena *arena = arena_new();
    struct rehearsal rehearsal;
    struct setting setting = plain_setting(4);
    setting.batches = true;
    begin(&rehearsal, arena, "local", "local_steps=3 stragglers=2", setting);
    struct task task;
    rehearsal.scheme->assign(rehearsal.state, 2, 5, &task);
    cr_expect(eq(dbl, task.work, 3));
    cr_expect(eq(u32, task.evaluations, 3));
    for (uint32_t h = 0; h < 3; h++) {
        cr_expect(eq(u32, task.evaluation[h].partition, 2));
        cr_expect(eq(u32, task.evaluation[h].batch, 15 + h));
        cr_expect(eq(u32, task.evaluation[h].version, 5));
    }
    rehearse_mask(&rehearsal, 5, 0x5);
    for (uint32_t p = 0; p < 4; p++)
        cr_expect(epsilon_eq(dbl, estimate_coefficient(&rehearsal, p), p % 2 == 0 ? 2 : 0, 1e-15));
    cr_expect(eq(u32, rehearsal.decoding.recovered, 2));
    rehearsal_end(&rehearsal);
    arena_free(arena);
}

/* Only a single step of everybody is the full gradient. */
Test(local, claims_to_be_exact_at_one_step_of_all) {
    static const struct {
        const char *values;
        uint64_t heard;
        enum claim claim;
    } rows[] = {{"local_steps=1", 7, EXACT}, {"local_steps=1", 3, INEXACT}, {"local_steps=2", 7, INEXACT}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct arena *arena = arena_new();
        struct rehearsal rehearsal;
        begin(&rehearsal, arena, "local", rows[r].values, plain_setting(3));
        rehearse_mask(&rehearsal, 0, rows[r].heard);
        cr_expect(eq(int, rehearsal.decoding.claim, rows[r].claim), "%s, heard %d", rows[r].values,
                  (int)rows[r].heard);
        rehearsal_end(&rehearsal);
        arena_free(arena);
    }
}

/* Products of successive gradients, as signs, and the k after each: of 6 workers. The first product has no sign. */
static const struct {
    const char *values, *signs, *k;
} courses[] = {
    /* More than 1 negative in excess, so two: after the second. */
    {"k=2 burn_in=0 threshold=1", "?----", "22334"},
    /* Positive ones count against: - - + - - has an excess of 2 only at its second and its last but one. */
    {"k=2 burn_in=0 threshold=2", "?--+--", "222223"},
    /* Nothing before 4 updates have passed, counted anew after a change. */
    {"k=1 burn_in=4 threshold=0", "?---------", "1111222223"},
    /* An increment that would leave more than the workers is not made. */
    {"k=1 burn_in=0 threshold=0 increment=3", "?-----", "144444"},
    {"k=6 burn_in=0 threshold=0", "?---", "6666"},
    {"k=3 burn_in=0 threshold=0", "?++++----", "333333333"},
    /* A product of 0 turns against nothing. */
    {"k=3 burn_in=0 threshold=0", "?0-", "333"},
};

static double product_of(char sign) {
    return sign == '?' ? (double)NAN : sign == '-' ? -0.5 : sign == '+' ? 0.5 : 0;
}

Test(adaptive_k, rises_when_gradients_turn_against_each_other) {
    for (size_t c = 0; c < sizeof courses / sizeof *courses; c++) {
        struct arena *arena = arena_new();
        struct rehearsal rehearsal;
        begin(&rehearsal, arena, "adaptive-k", courses[c].values, plain_setting(6));
        for (size_t u = 0; courses[c].signs[u]; u++) {
            rehearsal.scheme->learned(rehearsal.state, product_of(courses[c].signs[u]));
            uint32_t k = 6 - rehearsal.scheme->bears(rehearsal.state);
            cr_expect(eq(u32, k, (uint32_t)(courses[c].k[u] - '0')), "%s, %s, update %zu", courses[c].values,
                      courses[c].signs, u);
        }
        rehearsal_end(&rehearsal);
        arena_free(arena);
    }
}

Test(adaptive_k, refuses_more_results_than_workers) {
    struct arena *arena = arena_new();
    struct sentence why;
    const struct scheme *scheme = scheme_named("adaptive-k");
    cr_expect(scheme->refuses(params_bound(arena, scheme, "k=7"), (struct shape){6, 6}, &why));
    cr_expect(eq(str, why.text, (char *)"k = 7 must be at most workers = 6"));
    arena_free(arena);
}

/* The rule closes as soon as no more are missing than the scheme bears at that moment. */
Test(adaptive_k, waits_for_enough) {
    const struct variant *rule = family_find(&wait_family, "enough");
    struct picked wait = {rule, NULL};
    for (uint32_t stragglers = 0; stragglers < 6; stragglers++)
        for (uint32_t heard = 1; heard <= 6; heard++) {
            struct hearing hearing = {.workers = 6, .stragglers = stragglers, .heard = heard};
            cr_expect(eq(int, wait_hear(&wait, &hearing).action, heard + stragglers >= 6 ? CLOSE : LISTEN),
                      "%u heard, %u may be missing", heard, stragglers);
        }
}
