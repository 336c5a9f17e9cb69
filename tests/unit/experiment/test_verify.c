/* Expected step times, and what becomes of predictions that are right or wrong. */
#include "expected_step.h"
#include "plan.h"
#include "verify.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

struct step {
    const char *name, *cluster, *scheme;
    double seconds; /* NAN: no formula */
};

#define GROUP "{count: 4, compute: {type: constant, value: 1}, delay: {type: exponential, mean: 1}"
#define FOUR  "workers: [" GROUP "}]"

/* c + H_4 - H_{4-K}; H_4 = 25/12. */
static const struct step steps[] = {
    {"all", FOUR, "uncoded", 1 + 25 / 12.0},
    {"the master's seconds", "master: {decode: 1s, update: 2s}, " FOUR, "uncoded", 4 + 25 / 12.0},
    {"cancelled", FOUR, "gc-cr, stragglers: 1, late: cancel", 2 + 25 / 12.0 - 1},
    {"a count of its own", FOUR, "ignore, stragglers: 2, late: cancel, wait: {type: count, results: 3}",
     1 + 25 / 12.0 - 1},
    {"one partition whatever is stored", FOUR, "pgc-cr, stragglers: 2, late: cancel", 1 + 1 / 4.0 + 1 / 3.0},
    {"workers that fall behind", FOUR, "gc-cr, stragglers: 1, late: queue", NAN},
    {"nobody is late", FOUR, "gc-cr, stragglers: 0, late: queue", 1 + 25 / 12.0},
    {"until it decodes", FOUR, "gc-fr, stragglers: 1, late: cancel, wait: {type: decodable}", NAN},
    {"a deadline", FOUR, "ignore, stragglers: 2, late: cancel, wait: {type: deadline, factor: 2}", NAN},
    {"a network", "network: {up: {latency: 1s}}, " FOUR, "uncoded", NAN},
    {"a network of a group", "workers: [" GROUP ", network: {up: {latency: 1s}}}]", "uncoded", NAN},
    {"a link", "master: {link: {bandwidth: 1}}, " FOUR, "uncoded", NAN},
    {"a ring", "topology: ring, " FOUR, "uncoded", NAN},
    {"failures", "workers: [" GROUP ", failure: {mean_time_to_failure: 9s, mean_time_to_repair: 1s}}]",
     "uncoded", NAN},
    {"joining", "workers: [" GROUP ", joins: 1s}]", "uncoded", NAN},
    {"leaving", "workers: [" GROUP ", leaves: 9s}]", "uncoded", NAN},
    {"nobody ever answers", "workers: [{count: 2, delay: {type: never}}]", "uncoded", INFINITY},
};

Test(expected_step, formulas) {
    for (size_t c = 0; c < sizeof steps / sizeof *steps; c++) {
        struct plan plan;
        struct diag *diag = diag_new();
        char *text =
            memory_format("problem: {loss: none}\nstop: {steps: 1}\ncluster: {%s}\nschemes: [{type: %s}]\n",
                          steps[c].cluster, steps[c].scheme);
        bool good = plan_read(&plan, diag, &(struct plan_request){.file = "text", .text = text});
        diag_print(diag, stderr);
        cr_assert(good, "%s", steps[c].name);
        const struct scenario *scenario = plan.point[0].scenario;
        double found = expected_step_s(scenario, scenario->scheme);
        if (isfinite(steps[c].seconds))
            cr_expect(epsilon_eq(dbl, found, steps[c].seconds, 1e-8), "%s: %.10g", steps[c].name, found);
        else
            cr_expect(isnan(steps[c].seconds) ? isnan(found) : isinf(found), "%s: %g", steps[c].name, found);
        free(text);
        diag_free(diag);
        plan_fini(&plan);
    }
}

Test(plan, a_text_must_be_a_mapping) {
    static const char *const refused[] = {"", "[1, 2]", "word", "{"};
    for (size_t c = 0; c < sizeof refused / sizeof *refused; c++) {
        struct plan plan;
        struct diag *diag = diag_new();
        bool good = plan_read(&plan, diag, &(struct plan_request){.file = "text", .text = refused[c]});
        cr_expect(eq(int, good, 0), "%s", refused[c]);
        cr_expect(ge(sz, diag_errors(diag), 1), "%s", refused[c]);
        diag_free(diag);
        plan_fini(&plan);
    }
}

/* Four workers with exponential delays: 25/12 s. The last two differ from the truth by ten standard errors or so. */
static const struct prediction list[] = {
    {"right", 2.0833333, 0, "uncoded"},
    {"right, with an error of its own", 2.2, .1, "uncoded"},
    {"Wrong", 2.3, 0, "uncoded"},
    {"wrong, quadrature too", 2.0, 0, "uncoded"},
};
static const struct predictions made_up = {
    .title = "made up",
    .cluster = "workers: [{count: 4, delay: {type: exponential, mean: 1}}]",
    .further = "problem: {loss: none}",
    .record = "summary",
    .steps = 500,
    .replications = 20,
    .measure = measure_step_s,
    .tolerance = 1e-7,
    PREDICTION_LIST(list),
};

Test(verify, wrong_predictions_fail) {
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct finding finding[4];
        struct verify_request request = {.threads = threads};
        cr_assert(eq(sz, verify_predictions(&made_up, &request, finding), 4));
        for (size_t q = 0; q < 4; q++) {
            cr_expect(eq(ptr, (void *)finding[q].prediction, (void *)&list[q]));
            cr_expect(eq(int, finding[q].agrees, q < 2), "%s: %g", list[q].name, finding[q].found);
            cr_expect(epsilon_eq(dbl, finding[q].expected, 25 / 12.0, 1e-8), "%s", list[q].name);
        }
    }
}

Test(verify, words_choose) {
    static const char *const words[] = {"QUADRATURE", "Right,"};
    struct finding finding[4];
    struct verify_request request = {words, 2, 1};
    cr_assert(eq(sz, verify_predictions(&made_up, &request, finding), 2));
    cr_expect(eq(ptr, (void *)finding[0].prediction, (void *)&list[1]));
    cr_expect(eq(ptr, (void *)finding[1].prediction, (void *)&list[3]));
}

/* A name that two predictions share would be told twice and chosen together. */
Test(verify, names_differ) {
    for (size_t f = 0; all_predictions[f]; f++)
        for (size_t q = 0; q < all_predictions[f]->count; q++)
            for (size_t g = 0; g <= f; g++)
                for (size_t r = 0; r < (g < f ? all_predictions[g]->count : q); r++)
                    cr_expect(ne(str, (char *)all_predictions[f]->prediction[q].name,
                                 (char *)all_predictions[g]->prediction[r].name));
}
