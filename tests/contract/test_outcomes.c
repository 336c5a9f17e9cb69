/* What may look like an accident and is an ordinary outcome: equal times, zero times, one worker, two, a worker that never
 * answers, failures, a diverging step size, the end of a trace. Every run ends with its status, its rows hold no nan, and
 * its booked seconds add up. */
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEARN                                                                                                \
    "problem: {loss: logistic, l2: 0.001, data: {type: synthetic, samples: 240, features: 4}}\n"             \
    "optimizer: {learning_rate: 0.5}\n"
#define TIMING      "problem: {loss: none}\n"
#define GROUP(text) "cluster: {workers: [{" text "}]}\n"
#define NEVER                                                                                                \
    "cluster: {workers: [{count: 3, delay: {type: constant, value: 1}}, {count: 1, delay: {type: "           \
    "never}}]}\n"

struct outcome_case {
    const char *name, *text, *scheme, *status;
    double steps, time_s; /* NAN: any */
};
static const struct outcome_case cases[] = {
    {"equal times", LEARN GROUP("count: 4, delay: {type: constant, value: 1}") "stop: {steps: 10}\n",
     "ignore, stragglers: 2", "steps", 10, NAN},
    {"equal times, all", LEARN GROUP("count: 4, delay: {type: constant, value: 1}") "stop: {steps: 10}\n",
     "uncoded", "steps", 10, 10},
    {"zero times", LEARN GROUP("count: 4") "stop: {steps: 10}\n", "gc-cr, stragglers: 2", "steps", 10, 0},
    {"zero times, cancel", LEARN GROUP("count: 4") "stop: {steps: 10}\n",
     "pgc-cr, stragglers: 2, late: cancel", "steps", 10, 0},
    {"zero times without a step limit", TIMING GROUP("count: 2") "stop: {seconds: 10}\n", "uncoded",
     "stalled", 1000000, 0},
    {"one worker", LEARN GROUP("count: 1, delay: {type: exponential, mean: 1}") "stop: {steps: 10}\n",
     "uncoded", "steps", 10, NAN},
    {"one worker, pgc", LEARN GROUP("count: 1, delay: {type: exponential, mean: 1}") "stop: {steps: 10}\n",
     "pgc-cr, stragglers: 0", "steps", 10, NAN},
    {"two workers, gc", LEARN GROUP("count: 2, delay: {type: exponential, mean: 1}") "stop: {steps: 10}\n",
     "gc-fr, stragglers: 1", "steps", 10, NAN},
    {"two workers, isgc", LEARN GROUP("count: 2, delay: {type: exponential, mean: 1}") "stop: {steps: 10}\n",
     "isgc-cr, stragglers: 1", "steps", 10, NAN},
    {"a worker that never answers, all wait", LEARN NEVER "stop: {steps: 10}\n", "uncoded", "stalled", 0, 1},
    {"a worker that never answers, one may miss", LEARN NEVER "stop: {steps: 10}\n", "gc-fr, stragglers: 1",
     "steps", 10, 10},
    {"a worker that never answers, deadline", LEARN NEVER "stop: {steps: 10}\n",
     "ignore, stragglers: 1, wait: {type: deadline, seconds: 1.5, min: 1}", "steps", 10, 15},
    {"a worker that never answers, factor", LEARN NEVER "stop: {steps: 10}\n",
     "ignore, stragglers: 1, wait: {type: deadline, factor: 2, else: all}", "steps", 10, 20},
    {"a worker that never answers, factor bears none", LEARN NEVER "stop: {steps: 10}\n",
     "uncoded, wait: {type: deadline, factor: 2, else: all}", "stalled", 0, 1},
    {"nobody answers", TIMING GROUP("count: 3, delay: {type: never}") "stop: {steps: 10}\n",
     "ignore, stragglers: 1", "stalled", 0, 0},
    {"a timed warm-up that never ends", LEARN NEVER "stop: {steps: 10}\n",
     "pgc-cr, stragglers: 1, warmup: timed", "stalled", 0, 0},
    {"all fail",
     LEARN GROUP("count: 4, delay: {type: constant, value: 1}, failure: {mean_time_to_failure: 5, "
                 "mean_time_to_repair: never}") "stop: {steps: 1000}\n",
     "ignore, stragglers: 2", "stalled", NAN, NAN},
    {"all fail, queue, pgc",
     LEARN GROUP("count: 4, delay: {type: exponential, mean: 1}, failure: "
                 "{mean_time_to_failure: 20, mean_time_to_repair: never}") "stop: {steps: 1000}\n",
     "pgc-cr, stragglers: 2", "stalled", NAN, NAN},
    {"a diverging step size",
     "problem: {loss: linear, data: {type: synthetic, samples: 240, features: 4}}\n"
     "optimizer: {learning_rate: 100}\n" GROUP(
         "count: 4, delay: {type: constant, value: 1}") "stop: {steps: 1000}\n",
     "uncoded", "diverged", NAN, NAN},
    {"a loss that no double holds",
     "problem: {loss: linear, data: {type: csv, path: big.csv, label: b}}\n"
     "optimizer: {learning_rate: 1}\n" GROUP("count: 2") "stop: {steps: 10}\n",
     "uncoded", "diverged", 0, 0},
    {"a worker that fails in a timed warm-up, its own part done",
     TIMING
     "cluster: {workers: [{count: 1, compute: {type: constant, value: 100}}, {count: 1, compute: {type: "
     "constant, value: 1}, failure: {mean_time_to_failure: 20s, mean_time_to_repair: never}}]}\n"
     "stop: {steps: 5}\n",
     "pgc-cr, stragglers: 1, warmup: timed", "steps", 5, NAN},
    {"a worker that is lost in a timed warm-up",
     TIMING "cluster: {workers: [{count: 1, compute: {type: constant, value: 1}}, {count: 1, leaves: 3s, "
            "compute: {type: constant, value: 2}}]}\n"
            "stop: {steps: 5}\n",
     "pgc-cr, stragglers: 1, warmup: timed", "stalled", 0, 3},
    {"nobody is left to do anything",
     TIMING GROUP("count: 2, leaves: 5s, compute: {type: constant, value: 1s}") "stop: {steps: 50}\n",
     "anytime, seconds: 2", "stalled", NAN, NAN},
    {"a deadline at once, and work that takes time",
     TIMING GROUP("count: 2, compute: {type: constant, value: 1s}") "stop: {steps: 50}\n",
     "anytime, wait: {type: deadline, seconds: 0, min: 0}", "stalled", 0, 0},
    {"failures and repairs",
     TIMING GROUP("count: 4, delay: {type: exponential, mean: 1}, failure: {mean_time_to_failure: 5, "
                  "mean_time_to_repair: 2}") "stop: {steps: 300}\n",
     "gc-fr, stragglers: 1", "steps", 300, NAN},
    {"failures and repairs, pipelined, latest",
     LEARN GROUP("count: 4, delay: {type: exponential, mean: 1}, failure: {mean_time_to_failure: 5, "
                 "mean_time_to_repair: 2}") "stop: {steps: 300}\n",
     "pgc-cr, stragglers: 1, late: latest", "steps", 300, NAN},
    {"workers that join and leave, pipelined",
     LEARN "cluster: {workers: [{count: 3, delay: {type: exponential, mean: 1}}, {count: 1, joins: 20s, "
           "delay: {type: "
           "exponential, mean: 1}}, {count: 1, leaves: 30s, delay: {type: exponential, mean: 1}}]}\n"
           "stop: {steps: 100}\n",
     "pgc-cr, stragglers: 2", "steps", 100, NAN},
    {"too many have left",
     TIMING "cluster: {workers: [{count: 1, delay: {type: constant, value: 1}}, {count: 1, leaves: 4.5s, "
            "delay: {type: "
            "constant, value: 1}}]}\n"
            "stop: {steps: 100}\n",
     "uncoded", "stalled", 4, 5},
    {"nobody is there yet",
     TIMING "cluster: {workers: [{count: 2, joins: 5s, delay: {type: constant, value: 1}}]}\n"
            "stop: {steps: 2}\n",
     "uncoded", "steps", 2, 7},
    {"a worker that leaves before its model arrives",
     "problem: {loss: none, message_bytes: 1}\n"
     "cluster: {network: {down: {bandwidth: 0.1}}, workers: [{count: 1, leaves: 5s, compute: {type: "
     "constant, value: 1}}]}\n"
     "stop: {steps: 40}\n",
     "uncoded", "stalled", 0, 5},
    {"repairs while nothing can be done any more",
     TIMING "cluster: {workers: [{count: 1, compute: {type: constant, value: 500ms}, leaves: 10s}, {count: "
            "2, compute: {type: "
            "constant, value: 500ms}, failure: {mean_time_to_failure: 5s, mean_time_to_repair: 30s}}]}\n"
            "stop: {steps: 400}\n",
     "uncoded", "stalled", NAN, NAN},
    {"always somebody is being repaired, and nothing can be done any more",
     TIMING "cluster: {workers: [{count: 1, delay: {type: never}}, {count: 40, delay: {type: exponential, "
            "mean: 1s}, failure: {mean_time_to_failure: 5s, mean_time_to_repair: 5s}}]}\n"
            "stop: {steps: 400}\n",
     "uncoded", "stalled", 0, NAN},
    {"a repair that a task waits for",
     TIMING "cluster: {late: cancel, workers: [{count: 2, delay: {type: constant, value: 1s}, failure: "
            "{mean_time_to_failure: 5s, mean_time_to_repair: 50s}}]}\n"
            "stop: {steps: 100}\n",
     "uncoded", "steps", 100, NAN},
    {"endlessly slow at nothing", TIMING GROUP("count: 2, slowness: {type: never}") "stop: {steps: 3}\n",
     "uncoded", "steps", 3, 0},
    {"a slow network, all rules",
     LEARN "cluster: {network: {down: {latency: 1s}, up: {latency: 500ms, bandwidth: 64}}, workers: [{count: "
           "4, delay: {type: "
           "constant, value: 1}}]}\n"
           "stop: {steps: 4}\n",
     "uncoded", "steps", 4, 12},
    {"a shared link, one after another",
     LEARN
     "cluster: {master: {link: {bandwidth: 32, sharing: fifo}}, workers: [{count: 4, delay: {type: constant, "
     "value: 1}}]}\n"
     "stop: {steps: 3}\n",
     "uncoded", "steps", 3, 15},
    {"a ring",
     LEARN "cluster: {topology: ring, network: {up: {latency: 250ms, bandwidth: 8}}, workers: [{count: 4, "
           "delay: {type: "
           "constant, value: 1}}]}\n"
           "stop: {steps: 2}\n",
     "uncoded", "steps", 2, 17},
    {"overlap, latest, cancelled uploads",
     LEARN "cluster: {overlap: true, network: {up: {bandwidth: 32}}, workers: [{count: 4, delay: {type: "
           "exponential, mean: "
           "1}}]}\n"
           "stop: {steps: 50}\n",
     "pgc-cr, stragglers: 2, late: cancel", "steps", 50, NAN},
    {"the target is met at the start", LEARN GROUP("count: 4") "stop: {steps: 10, loss: 10}\n", "uncoded",
     "loss", 0, 0},
    {"seconds", TIMING GROUP("count: 4, delay: {type: constant, value: 3}") "stop: {seconds: 10}\n",
     "uncoded", "seconds", 4, 12},
    {"steps before seconds",
     TIMING GROUP("count: 4, delay: {type: constant, value: 3}") "stop: {seconds: 9, steps: 3}\n", "uncoded",
     "steps", 3, 9},
    {"a trace ends",
     TIMING GROUP("count: 2, delay: {type: trace, path: t.csv, beyond: stop}") "stop: {steps: 10}\n",
     "uncoded", "trace_end", 3, 9},
    {"a trace goes round",
     TIMING GROUP("count: 2, delay: {type: trace, path: t.csv, beyond: wrap}") "stop: {steps: 6}\n",
     "uncoded", "steps", 6, 18},
    {"a worker that was never measured, no barrier",
     TIMING GROUP("count: 2, delay: {type: trace, path: holes.csv, missing: skip}") "stop: {steps: 5}\n",
     "async", "steps", 5, 7},
    {"never measured by both traces, no barrier",
     TIMING GROUP(
         "compute: {type: trace, path: holes.csv, missing: skip, columns: {value: even}}, "
         "delay: {type: trace, path: holes.csv, missing: skip, columns: {value: odd}}") "stop: {steps: 5}\n",
     "async", "stalled", 0, 0},
};

static void expect_no_nan(const struct scratch *scratch, const char *file, const char *name) {
    char *text = scratch_text(scratch, file);
    const char *found = strstr(text, "nan") ? strstr(text, "nan") : strstr(text, "inf");
    cr_expect(found == NULL, "%s: %s", name, file);
    free(text);
}

/* useful + redundant + stale + discarded + idle + down of all workers = workers * T_end. */
static void expect_seconds_add_up(const struct results *runs, const struct results *workers,
                                  const char *name) {
    static const char *const parts[] = {"useful_s",    "redundant_s", "stale_s",
                                        "discarded_s", "idle_s",      "down_s"};
    double sum = 0, busy = 0, whole = (double)workers->rows * results_number(runs, 0, "time_s");
    for (size_t part = 0; part < sizeof parts / sizeof *parts; part++) {
        double seconds = results_number(runs, 0, parts[part]);
        cr_expect(ge(dbl, seconds, 0), "%s: %s", name, parts[part]);
        sum += seconds;
        busy += part < 4 ? seconds : 0;
    }
    cr_expect(le(dbl, fabs(sum - whole), 1e-9 * (1 + whole)), "%s: %g of %g s", name, sum, whole);
    for (size_t i = 0; i < workers->rows; i++) {
        busy -= results_number(workers, i, "busy_s");
        for (size_t part = 0; part < 3; part++) {
            static const char *const columns[] = {"busy_s", "idle_s", "down_s"};
            cr_expect(ge(dbl, results_number(workers, i, columns[part]), 0), "%s: %s of worker %zu", name,
                      columns[part], i);
        }
    }
    cr_expect(le(dbl, fabs(busy), 1e-9 * (1 + whole)), "%s: booked is not busy by %g s", name, busy);
}

Test(outcomes, ordinary, .timeout = 60) {
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct scratch scratch;
        struct results runs, workers;
        scratch_init(&scratch);
        scratch_write_text(&scratch, "big.csv", "a,b\n1,1e300\n2,1\n");
        scratch_write_text(&scratch, "t.csv",
                           "round,worker,seconds\n5,0,1\n5,1,2\n7,0,4\n7,1,3\n9,0,0\n9,1,3\n");
        scratch_write_text(
            &scratch, "holes.csv",
            "round,worker,seconds,even,odd\n0,0,1,1,\n0,1,,,\n1,0,2,,1\n1,1,,,\n2,0,1,1,\n2,1,,,\n");
        run_scenario(&scratch, "out", "1", "name: outcome\nrecord: {every: %s}\nschemes: [{type: %s}]\n%s",
                     isnan(cases[c].steps) || cases[c].steps < 1000 ? "1" : "summary", cases[c].scheme,
                     cases[c].text);
        results_init(&runs, &scratch, "out/runs.csv");
        results_init(&workers, &scratch, "out/workers.csv");
        cr_expect_str_eq(results_cell(&runs, 0, "status"), cases[c].status, "%s: %s", cases[c].name,
                         results_cell(&runs, 0, "status"));
        double steps = results_number(&runs, 0, "steps"), time_s = results_number(&runs, 0, "time_s");
        if (!isnan(cases[c].steps))
            cr_expect(eq(dbl, steps, cases[c].steps), "%s: %g steps", cases[c].name, steps);
        if (!isnan(cases[c].time_s))
            cr_expect(epsilon_eq(dbl, time_s, cases[c].time_s, 1e-9), "%s: %g s", cases[c].name, time_s);
        expect_no_nan(&scratch, "out/steps.csv", cases[c].name);
        expect_no_nan(&scratch, "out/runs.csv", cases[c].name);
        expect_no_nan(&scratch, "out/workers.csv", cases[c].name);
        expect_no_nan(&scratch, "out/summary.csv", cases[c].name);
        expect_seconds_add_up(&runs, &workers, cases[c].name);
        results_fini(&runs);
        results_fini(&workers);
        scratch_fini(&scratch);
    }
}

static const char *const schemes[] = {
    "uncoded",
    "ignore, stragglers: 3",
    "gc-fr, stragglers: 3",
    "gc-cr, stragglers: 3",
    "gc-mds, stragglers: 3",
    "gc-mds, stragglers: 4, field: complex",
    "isgc-fr, stragglers: 3, copies: 3",
    "isgc-cr, stragglers: 3, copies: 3",
    "isgc-hr, stragglers: 3, copies: 3, groups: 2",
    "pgc-fr, stragglers: 3",
    "pgc-fr, stragglers: 3, warmup: timed",
    "pgc-cr, stragglers: 3",
    "pgc-cr, stragglers: 3, warmup: timed",
    "pgc-cr-naive, stragglers: 3",
};
static const char *const late_rules[] = {"queue", "latest", "cancel"};

/* Heterogeneous, with failures, a slow worker and a master that takes its time: every second has its place. */
Test(outcomes, booked_seconds_add_up, .timeout = 60) {
    for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++)
        for (size_t l = 0; l < sizeof late_rules / sizeof *late_rules; l++) {
            struct scratch scratch;
            struct results runs, workers;
            scratch_init(&scratch);
            run_scenario(&scratch, "out", "1",
                         "name: seconds\n" TIMING "stop: {steps: 200}\n"
                         "schemes: [{type: %s}]\n"
                         "cluster:\n"
                         "  late: %s\n"
                         "  master: {decode: 100ms, update: 50ms}\n"
                         "  workers:\n"
                         "    - {count: 10, compute: {type: constant, value: 200ms}, delay: {type: "
                         "exponential, mean: 1}}\n"
                         "    - {count: 1, speed: 0.2, compute: {type: constant, value: 200ms}}\n"
                         "    - {count: 1, delay: {type: exponential, mean: 1},\n"
                         "       failure: {mean_time_to_failure: 50, mean_time_to_repair: never}}\n",
                         schemes[s], late_rules[l]);
            results_init(&runs, &scratch, "out/runs.csv");
            results_init(&workers, &scratch, "out/workers.csv");
            expect_seconds_add_up(&runs, &workers, schemes[s]);
            results_fini(&runs);
            results_fini(&workers);
            scratch_fini(&scratch);
        }
}

Test(outcomes, a_slowness_is_not_skipped, .timeout = 60) {
    struct scratch scratch;
    scratch_init(&scratch);
    scratch_write_text(&scratch, "t.csv", "round,worker,seconds\n0,a,1\n0,b,\n1,a,1\n1,b,2\n");
    scratch_write_text(&scratch, "s.yaml",
                       TIMING "stop: {steps: 5}\nschemes: [{type: async}]\ncluster:\n  workers:\n"
                              "    - {count: 2, slowness: {type: trace, path: t.csv, missing: skip}}\n");
    struct outcome outcome = scratch_run(&scratch, (const char *const[]){"check", "s.yaml", NULL});
    cr_expect(eq(int, outcome.exit_code, 2), "%s", outcome.err);
    cr_expect(strstr(outcome.err,
                     "s.yaml:6:35: error: cluster.workers[0].slowness.type: a slowness cannot be "
                     "skipped") != NULL,
              "%s", outcome.err);
    outcome_fini(&outcome);
    scratch_fini(&scratch);
}

/* Two rounds were measured. */
Test(outcomes, the_end_of_a_trace_is_told, .timeout = 60) {
    struct scratch scratch;
    scratch_init(&scratch);
    scratch_write_text(&scratch, "t.csv", "round,worker,seconds\n0,a,1\n0,b,2\n1,a,2\n1,b,1\n");
    scratch_write_text(
        &scratch, "scenario.yaml",
        "name: ended\n" TIMING "stop: {steps: 10}\n" GROUP(
            "count: 2, delay: {type: trace, path: t.csv, columns: {round: round, worker: worker, "
            "value: seconds}, beyond: stop}") "schemes: [{type: uncoded}]\n");
    struct outcome outcome = scratch_run(&scratch, (const char *const[]){"run", "scenario.yaml", NULL});
    cr_expect(eq(int, outcome.exit_code, 0), "%s", outcome.err);
    cr_expect(strstr(outcome.err, "uncoded: the trace of delays ended the run after 2 steps") != NULL, "%s",
              outcome.err);
    outcome_fini(&outcome);
    scratch_fini(&scratch);
}
