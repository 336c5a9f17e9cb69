/* What is raced: settings that differ, and without a loss exact ones alone. */
#include "candidates.h"
#include "planned.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

static const char *const there[] = {"uncoded",
                                    "gc-fr stragglers=1",
                                    "gc-fr stragglers=1, wait decodable",
                                    "gc-deadline stragglers=1",
                                    "gc-cr stragglers=1",
                                    "gc-cr stragglers=2",
                                    "multi-message copies=2",
                                    NULL};
/* Steps that leave partitions out, or use gradients of older models. */
static const char *const absent[] = {"ignore", "pgc-", "async",       "k-",    "ssp",
                                     "dsag",   "bgc",  "erasurehead", "local", NULL};

static bool begins(const struct candidates *candidates, const char *name) {
    for (size_t q = 0; q < candidates->count; q++)
        if (strncmp(candidates->candidate[q].name, name, strlen(name)) == 0)
            return true;
    return false;
}

Test(candidates, without_a_loss_are_exact) {
    struct plan plan;
    plan_init(&plan, "replications: 2");
    struct candidates candidates = candidates_of(&plan);
    for (size_t q = 0; there[q]; q++)
        cr_expect(begins(&candidates, there[q]), "%s", there[q]);
    for (size_t q = 0; absent[q]; q++)
        cr_expect_not(begins(&candidates, absent[q]), "%s", absent[q]);
    cr_expect(gt(sz, candidates.inexact, 100));
    plan_fini(&plan);
}

Test(candidates, differ_in_their_names_and_have_one_scheme_each) {
    struct plan plan;
    plan_init(&plan, "replications: 2");
    struct candidates candidates = candidates_of(&plan);
    for (size_t q = 0; q < candidates.count; q++) {
        cr_expect(eq(u32, candidates.candidate[q].scenario->schemes, 1));
        for (size_t other = 0; other < q; other++)
            cr_expect_str_neq(candidates.candidate[q].name, candidates.candidate[other].name);
    }
    plan_fini(&plan);
}

/* gc-cr closes with the third of four results under any of these rules: it is there once. */
Test(candidates, whose_rounds_close_alike_are_one) {
    static const char *const alike[] = {"gc-cr stragglers=1, wait count",
                                        "gc-cr stragglers=1, wait decodable",
                                        "gc-cr stragglers=1, wait enough", "uncoded, wait count", NULL};
    struct plan plan;
    plan_init(&plan, "replications: 2");
    struct candidates candidates = candidates_of(&plan);
    for (size_t q = 0; alike[q]; q++)
        cr_expect_not(begins(&candidates, alike[q]), "%s", alike[q]);
    cr_expect(begins(&candidates, "gc-cr stragglers=1, wait all"));
    plan_fini(&plan);
}

/* Nine values of the learning rate, of which the ends are those of the interval; each candidate has its own. */
Test(candidates, have_every_value_of_what_is_tuned) {
    struct plan plan;
    plan_init_learning(&plan, "optimizer: {learning_rate: 1}, tune: {learning_rate: [0.1, 10]}");
    struct candidates candidates = candidates_of(&plan);
    cr_assert(eq(sz, candidates.places, 9));
    cr_expect(eq(sz, candidates.count, 9 * (size_t)candidates.settings));
    for (size_t q = 0; q < candidates.count; q++) {
        const struct candidate *candidate = &candidates.candidate[q];
        cr_assert(eq(u32, candidate->setting, (uint32_t)(q / 9)));
        cr_expect(eq(dbl, candidate->scenario->optimizer->learning_rate, candidate->value[0]));
        if (q % 9 == 0)
            cr_expect(eq(dbl, candidate->value[0], 0.1));
        else
            cr_expect(lt(dbl, candidate[-1].value[0], candidate->value[0]));
        if (q % 9 == 8)
            cr_expect(eq(dbl, candidate->value[0], 10));
    }
    plan_fini(&plan);
}
