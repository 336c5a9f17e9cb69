/* What becomes of the partitions of workers that leave for good: what is told before a run, after it, and in workers.csv. */
#include "results.h"
#include "scratch.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Six workers that take a second a partition; the last two leave at 20.5 s, in the middle of a task, or never. */
static const char text[] = "name: leaving\nproblem: {loss: none}\nstop: {steps: 400, seconds: 2000}\n"
                           "cluster:\n  workers:\n"
                           "    - {count: 4, compute: {type: constant, value: 1}}\n"
                           "    - {count: 2, compute: {type: constant, value: 1}, leaves: %s}\n"
                           "schemes:\n  - {type: %s}\n";

#define LEFT "worker 4 left at 20.5 s, the first of 2 workers: "

static const struct {
    const char *scheme;
    const char *expected, *found; /* of `check`, of `run` */
    double heirs[2];              /* of workers 4 and 5; NAN: none */
} cases[] = {
    /* 20 rounds of 6 pushes before they leave */
    {"async",
     "nobody computes their partitions any more (on_leave: lost)",
     LEFT "its partition 4 is lost: no gradient of it is used after step 119",
     {NAN, NAN}},
    {"async, on_leave: reassigned",
     "those who stay compute their partitions, up to 2 each (on_leave: reassigned)",
     LEFT "its partition 4 is computed by worker 0 at the end",
     {0, 1}},
    {"ssp, bound: 1, on_leave: reassigned",
     "those who stay compute their partitions, up to 2 each (on_leave: reassigned)",
     LEFT "its partition 4 is computed by worker 0 at the end",
     {0, 1}},
    {"dsag, fresh: 4",
     "nobody computes their partitions any more (on_leave: lost)",
     LEFT "its partition 4 is lost: no gradient of it has come since step 21, and that one stays in every "
          "estimate",
     {NAN, NAN}},
    {"uncoded",
     "every step needs all of them, and the run stalls",
     LEFT "those who stayed were too few for step 21, and the run stalled",
     {NAN, NAN}},
    {"ignore, stragglers: 2",
     "a step needs 4 results, which come without 2 of them",
     LEFT "2 of 6 partitions are lost: no gradient of partition 4 is used after step ",
     {NAN, NAN}},
    {"gc-fr, stragglers: 2",
     "a step needs 4 results, which come without 2 of them",
     LEFT "no partition is lost: others hold what they held",
     {NAN, NAN}},
    {"gc-fr, stragglers: 1",
     "a step needs 5 results, which come without 1 of them",
     LEFT "those who stayed were too few for step ",
     {NAN, NAN}},
};
enum { CASES = sizeof cases / sizeof *cases };

static void write_case(const struct scratch *scratch, size_t q, const char *leaves) {
    char scenario[600];
    snprintf(scenario, sizeof scenario, text, leaves, cases[q].scheme);
    scratch_write_text(scratch, "s.yaml", scenario);
}

static void expect_words(const char *words, const char *in, size_t q) {
    cr_expect(strstr(in, words) != NULL, "%s: no \"%s\" in\n%s", cases[q].scheme, words, in);
}

static void expect_rows(const struct scratch *scratch, size_t q) {
    struct results workers;
    results_init(&workers, scratch, "out/workers.csv");
    for (size_t i = 0; i < 6; i++) {
        double gone_s = results_number(&workers, i, "gone_s"), heir = results_number(&workers, i, "heir");
        double wanted = i < 4 ? (double)NAN : cases[q].heirs[i - 4];
        cr_expect(i < 4 ? isnan(gone_s) : gone_s == 20.5, "%s: worker %zu: %g", cases[q].scheme, i, gone_s);
        cr_expect(isnan(wanted) ? isnan(heir) : heir == wanted, "%s: worker %zu: %g", cases[q].scheme, i,
                  heir);
    }
    results_fini(&workers);
}

Test(departures, are_told_before_and_after, .timeout = 60) {
    for (size_t q = 0; q < CASES; q++) {
        struct scratch scratch;
        scratch_init(&scratch);
        write_case(&scratch, q, "20.5");
        struct outcome check = scratch_run(&scratch, (const char *const[]){"check", "s.yaml", NULL});
        struct outcome run = scratch_run(&scratch, (const char *const[]){"run", "s.yaml", "-o", "out", NULL});
        cr_expect(eq(int, check.exit_code, 0), "%s: %s", cases[q].scheme, check.err);
        cr_expect(eq(int, run.exit_code, 0), "%s: %s", cases[q].scheme, run.err);
        expect_words(cases[q].expected, check.out, q);
        expect_words(cases[q].found, run.err, q);
        expect_rows(&scratch, q);
        outcome_fini(&check);
        outcome_fini(&run);
        scratch_fini(&scratch);
    }
}

Test(departures, nothing_is_told_where_nobody_leaves, .timeout = 60) {
    for (size_t q = 0; q < CASES; q++) {
        struct scratch scratch;
        scratch_init(&scratch);
        write_case(&scratch, q, "never");
        struct outcome check = scratch_run(&scratch, (const char *const[]){"check", "s.yaml", NULL});
        struct outcome run = scratch_run(&scratch, (const char *const[]){"run", "s.yaml", "-o", "out", NULL});
        cr_expect(strstr(check.out, "leave for good") == NULL, "%s: %s", cases[q].scheme, check.out);
        cr_expect(strstr(run.err, "left at") == NULL, "%s: %s", cases[q].scheme, run.err);
        outcome_fini(&check);
        outcome_fini(&run);
        scratch_fini(&scratch);
    }
}

/* Those who left were last heard in the 20th round, late, of version 19; the 400th estimate is of version 399. All others are
 * renewed at every update, so that the mean of all six is 1.5 updates. */
Test(departures, an_old_table_is_told, .timeout = 60) {
    struct scratch scratch;
    scratch_init(&scratch);
    char scenario[600];
    snprintf(scenario, sizeof scenario, text, "20.5", "dsag, fresh: 4");
    scratch_write_text(&scratch, "s.yaml", scenario);
    struct outcome run = scratch_run(&scratch, (const char *const[]){"run", "s.yaml", "-o", "out", NULL});
    cr_expect(strstr(run.err, "dsag: the oldest gradient in the last estimate is 380 updates old") != NULL,
              "%s", run.err);
    snprintf(scenario, sizeof scenario, text, "20.5", "dsag, fresh: 4, on_leave: reassigned");
    scratch_write_text(&scratch, "s.yaml", scenario);
    struct outcome other = scratch_run(&scratch, (const char *const[]){"run", "s.yaml", "-o", "other", NULL});
    cr_expect(strstr(other.err, "the oldest gradient") == NULL, "%s", other.err);
    outcome_fini(&run);
    outcome_fini(&other);
    scratch_fini(&scratch);
}
