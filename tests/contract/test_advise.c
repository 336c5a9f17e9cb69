/* The command advise: what it says of clusters of which everything is known, from scenarios and from measured times, and what it
 * hands over. */
#include "folders.h"
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct scratch scratch;
static void set_up(void) {
    scratch_init(&scratch);
}
static void tear_down(void) {
    scratch_fini(&scratch);
}
TestSuite(advise, .init = set_up, .fini = tear_down, .timeout = 100);

static void expect_parts(const struct outcome *outcome, const char *const *part) {
    cr_expect(eq(int, outcome->exit_code, 0), "%s", outcome->err);
    for (; *part; part++)
        cr_expect(strstr(outcome->out, *part) != NULL, "'%s' is missing in\n%s", *part, outcome->out);
}
#define EXPECT_PARTS(outcome, ...) expect_parts(outcome, (const char *const[]){__VA_ARGS__, NULL})

static size_t times_in(const char *text, const char *part) {
    size_t times = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        times++;
    return times;
}

/* All times constant: 1 s a step, 6 or 24 workers alike; there is no target and no tail to change. */
Test(advise, tells_what_would_change) {
    scratch_write_text(&scratch, "constant.yaml",
                       "problem: {loss: none}\nstop: {steps: 5}\nschemes: [{type: uncoded}]\n"
                       "cluster: {workers: [{count: 12, compute: {type: constant, value: 1s}}]}\n");
    struct outcome outcome = run_words(&scratch, "advise constant.yaml");
    EXPECT_PARTS(&outcome, "1  uncoded", "best: uncoded\n",
                 "  6 workers in place of 12       the same is best, 1 s\n",
                 "  24 workers in place of 12      the same is best, 1 s\n",
                 "  a nearer target                not tried: without a target",
                 "  a heavier tail                 not tried: no worker",
                 "  late: cancel for every scheme  the same is best, 1 s\n");
    outcome_fini(&outcome);
}

/* Delays alone: what is best is who waits for the first of all, which half and twice the workers can do with 5 and 23 stragglers
 * (twice with 11 as well, but that waits for 13). The mean of the first grows and falls with the delays, by the draws of the same
 * uniform numbers: 1.4 and 1/1.4 of its time. */
Test(advise, changes_laws_and_workers) {
    scratch_write_text(&scratch, "delays.yaml",
                       "problem: {loss: none}\nstop: {steps: 50}\nschemes: [{type: uncoded}]\n"
                       "cluster: {late: cancel, workers: [{count: 12, compute: {type: constant, value: 0s},\n"
                       "                                   delay: {type: exponential, mean: 1s}}]}\n");
    struct outcome outcome = run_words(&scratch, "advise delays.yaml -j 1");
    EXPECT_PARTS(&outcome, "gc-fr stragglers=5 is best, ", "the present best cannot be used",
                 "gc-fr stragglers=23 is best, ", "heavier delays: mean of exponential 1.4s in place of 1s",
                 "late: queue in place of cancel", "not tried: it is the rule already");
    double now = 0, heavier = 0, lighter = 0;
    const char *first = strstr(outcome.out, "1  gc-fr stragglers=11 "),
               *more = strstr(outcome.out, "1.4s in place of 1s"),
               *less = strstr(outcome.out, "0.714286s in place of 1s");
    cr_assert(first && more && less, "%s", outcome.out);
    sscanf(first + strlen("1  gc-fr stragglers=11"), "%lf", &now);
    sscanf(strstr(more, "best,"), "best, %lf", &heavier);
    sscanf(strstr(less, "best,"), "best, %lf", &lighter);
    /* 10 of the 20 replications, 50 steps each: a relative deviation of 1/sqrt(500) beside 1/sqrt(1000), within 4 of 0.055. */
    cr_expect(epsilon_eq(dbl, heavier / now, 1.4, 0.3), "%g and %g", heavier, now);
    /* The same draws: the quotient is that of the means, to the digits printed. */
    cr_expect(epsilon_eq(dbl, heavier / lighter, 1.96, 0.01), "%g and %g", heavier, lighter);
    outcome_fini(&outcome);
}

/* Schemes whose own late rules differ are among the best here; with one rule for all there is nothing to tell. */
Test(advise, tells_that_late_rules_differ) {
    scratch_write_text(&scratch, "rules.yaml",
                       "problem: {loss: logistic, data: {type: synthetic, samples: 600, features: 10}}\n"
                       "optimizer: {learning_rate: 1}\nstop: {steps: 300, loss: 0.5}\n"
                       "schemes: [{type: uncoded}]\ncluster: {workers: [{count: 12, compute: "
                       "{type: constant, value: 0.1s}, delay: {type: exponential, mean: 1s}}]}\n");
    struct outcome own = run_words(&scratch, "advise rules.yaml --once"),
                   one = run_words(&scratch, "advise rules.yaml --once --set cluster.late=cancel");
    EXPECT_PARTS(&own, "\nlate rules differ: ", "compares all under one\n");
    EXPECT_PARTS(&one, "best: ");
    cr_expect(strstr(one.out, "late rules") == NULL, "%s", one.out);
    outcome_fini(&own);
    outcome_fini(&one);
}

#define ALIKE                                                                                                \
    "problem: {loss: linear, data: {type: csv, path: alike.csv, label: y}}\n"                                \
    "cluster: {workers: [{count: 6, compute: {type: constant, value: 1s}}]}\n"

/* One feature of curvature 1: at the step size 1 any scheme is there after one step, at 0.01 after ln(10^4)/0.01 = 920, of which
 * a run makes 50. The rates on the grid of [0.01, 1] are the ends and seven between them. */
Test(advise, takes_each_setting_at_its_best_step_size) {
    scratch_write_text(&scratch, "alike.csv", "x,y\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n");
    scratch_write_text(&scratch, "alike.yaml",
                       ALIKE "optimizer: {learning_rate: 0.01}\nstop: {steps: 50, loss: 2e-8}\n"
                             "tune: {learning_rate: [0.01, 1]}\nschemes: [{type: uncoded}]\n");
    struct outcome untuned = run_words(&scratch, "advise alike.yaml --once --set tune=none");
    EXPECT_PARTS(&untuned, "no setting reached the target");
    struct outcome tuned = run_words(&scratch, "advise alike.yaml --once");
    EXPECT_PARTS(&tuned, "1  uncoded, learning_rate=1 ", "20 of 20        1\n",
                 "each setting ran with 9 values", "optimizer: {learning_rate: 1}\n", "tune: none\n");
    cr_expect(eq(sz, times_in(tuned.out, "uncoded, learning_rate="), 2), "in the table and as the best:\n%s",
              tuned.out);
    outcome_fini(&untuned);
    outcome_fini(&tuned);
}

/* Of 45 pairs of values two of a setting may come to the end: the better one stands for it. */
Test(advise, shows_a_setting_once) {
    scratch_write_text(&scratch, "alike.csv", "x,y\n1,2\n1,2\n1,2\n");
    scratch_write_text(&scratch, "three.yaml",
                       "problem: {loss: linear, data: {type: csv, path: alike.csv, label: y}}\n"
                       "cluster: {workers: [{count: 3, compute: {type: constant, value: 1s}}]}\n"
                       "optimizer: {type: momentum, learning_rate: 0.01, momentum: 0.5}\n"
                       "tune: {learning_rate: [0.01, 1], momentum: [0, 0.9]}\n"
                       "stop: {steps: 9, loss: 2e-8}\nschemes: [{type: uncoded}]\n");
    struct outcome outcome = run_words(&scratch, "advise three.yaml --once");
    EXPECT_PARTS(&outcome, "1  uncoded, learning_rate=1, momentum=0 ", "each setting ran with 45 values");
    cr_expect(eq(sz, times_in(outcome.out, "uncoded, learning_rate="), 2), "%s", outcome.out);
    outcome_fini(&outcome);
}

/* What is handed over is a scenario that runs, and it runs as it was said to. */
Test(advise, hands_over_a_scenario_that_runs) {
    scratch_write_text(&scratch, "alike.csv", "x,y\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n");
    scratch_write_text(&scratch, "alike.yaml",
                       ALIKE "optimizer: {learning_rate: 0.01}\nstop: {steps: 50, loss: 2e-8}\n"
                             "tune: {learning_rate: [0.01, 1]}\nschemes: [{type: uncoded}]\n");
    run_well(&scratch, "advise alike.yaml --once -o best.yaml");
    run_well(&scratch, "run best.yaml -o out -q");
    struct results runs;
    results_init(&runs, &scratch, "out/runs.csv");
    cr_expect_str_eq(results_cell(&runs, 0, "scheme"), "uncoded");
    cr_expect(eq(dbl, results_number(&runs, 0, "time_to_loss_s"), 1));
    results_fini(&runs);
    struct outcome again = run_words(&scratch, "advise alike.yaml --once -o best.yaml");
    cr_expect(eq(int, again.exit_code, 2), "an existing file is kept");
    outcome_fini(&again);
}

/* From measured times alone: two workers are slow in every round, five are not. Every code of c = 3 takes three times the time of the
 * fast ones, 3 s, and uncoded that of the slow, 50 s. */
Test(advise, works_from_measured_times) {
    scratch_write_text(&scratch, "times.csv", "");
    scratch_append(&scratch, "times.csv", "step,host,ms\n");
    for (unsigned round = 0; round < 4; round++)
        for (unsigned worker = 0; worker < 7; worker++)
            scratch_append(&scratch, "times.csv", "%u,%u,%u\n", round, worker, worker > 4 ? 50000 : 1000);
    struct outcome outcome =
        run_words(&scratch, "advise --trace times.csv --workers 7 --columns round=step,worker=host,value=ms "
                            "--scale 1ms --steps 20 --once");
    EXPECT_PARTS(&outcome, "best: gc-cr stragglers=2", "type: trace", "scale: 1ms", "count: 7");
    outcome_fini(&outcome);
    struct outcome wrong = run_words(&scratch, "advise --trace times.csv --workers 7 --columns step");
    cr_expect(eq(int, wrong.exit_code, 2));
    cr_expect(strstr(wrong.err, "takes round=NAME,worker=NAME,value=NAME, found 'step'") != NULL, "%s",
              wrong.err);
    outcome_fini(&wrong);
}

/* With data beside the times, to a target. */
Test(advise, works_from_measured_times_to_a_target) {
    scratch_write_text(&scratch, "it's.csv", "x,y\n1,2\n1,2\n1,2\n1,2\n");
    scratch_write_text(&scratch, "times.csv", "round,worker,seconds\n0,0,1\n0,1,1\n0,2,1\n0,3,1\n");
    static const char *const words[] = {"advise", "--trace",         "times.csv", "--workers", "4",
                                        "--loss", "linear",          "--data",    "it's.csv",  "--label",
                                        "y",      "--target",        "2e-8",      "--steps",   "9",
                                        "--once", "--learning-rate", "1",         NULL};
    struct outcome outcome = scratch_run(&scratch, words);
    EXPECT_PARTS(&outcome, "1  uncoded", "best: uncoded\n", "        1\n", "stop: {steps: 9, loss: 2e-8}");
    outcome_fini(&outcome);
}
