/* laggard trace: its list, its JSON as another program reads it, and what it refuses. */
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCENARIO                                                                                             \
    "name: traced\n"                                                                                         \
    "replications: 2\n"                                                                                      \
    "problem: {loss: none, message_bytes: 1000}\n"                                                           \
    "stop: {steps: 100}\n"                                                                                   \
    "cluster:\n"                                                                                             \
    "  late: latest\n"                                                                                       \
    "  network: {down: {latency: 10ms}, up: {latency: 20ms}}\n"                                              \
    "  workers: [{count: 3, delay: {type: exponential, mean: 1s}}, {count: 1, delay: {type: constant, "      \
    "value: 3s}}]\n"                                                                                         \
    "schemes:\n  - {type: uncoded}\n  - {type: ignore, stragglers: 1, label: 'a \"b\" \\ é'}\n"

static struct scratch scratch;
static void set_up(void) {
    scratch_init(&scratch);
    scratch_write_text(&scratch, "s.yaml", SCENARIO);
}
static void tear_down(void) {
    scratch_fini(&scratch);
}
TestSuite(trace, .init = set_up, .fini = tear_down, .timeout = 60);

static struct outcome run_trace(const char *const *more) {
    const char *arguments[16] = {"trace", "s.yaml"};
    for (size_t q = 0; more[q]; q++)
        arguments[2 + q] = more[q];
    return scratch_run(&scratch, arguments);
}

static size_t times_in(const char *text, const char *part) {
    size_t times = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
        times++;
    return times;
}

/* Four lines for the master and eight for each worker a step, as all are heard. */
Test(trace, the_list_shows_twenty_steps_of_the_first_scheme) {
    struct outcome outcome = run_trace((const char *const[]){NULL});
    cr_assert(eq(int, outcome.exit_code, 0), "%s", outcome.err);
    cr_expect(strstr(outcome.out, "traced: uncoded, replication 0, from step 0 to 19; the run goes on\n\n") ==
                  outcome.out,
              "%.100s", outcome.out);
    cr_expect(eq(sz, times_in(outcome.out, "\n"), 3 + 20 * (3 + 4 * 7)));
    cr_expect(eq(sz, times_in(outcome.out, "  heard "), 80));
    outcome_fini(&outcome);
}

Test(trace, parts_are_named_where_a_task_has_several) {
    scratch_append(&scratch, "s.yaml", "%s", "  - {type: multi-message, copies: 2}\n");
    struct outcome whole = run_trace((const char *const[]){"--steps", "0:1", NULL});
    struct outcome parts =
        run_trace((const char *const[]){"--scheme", "multi-message", "--steps", "0:1", NULL});
    cr_expect(strstr(whole.out, ", part ") == NULL, "%s", whole.out);
    cr_assert(eq(int, parts.exit_code, 0), "%s", parts.err);
    cr_expect(strstr(parts.out, ", part 0\n") != NULL && strstr(parts.out, ", part 1\n") != NULL, "%s",
              parts.out);
    outcome_fini(&whole);
    outcome_fini(&parts);
}

Test(trace, steps_in_the_middle_are_those_of_the_whole) {
    struct outcome whole = run_trace((const char *const[]){"--steps", "0:9", NULL});
    struct outcome part = run_trace((const char *const[]){"--steps", "5:9", NULL});
    const char *first = strstr(strchr(part.out, '\n') + 2, "\n") + 1;
    cr_assert(eq(int, part.exit_code, 0), "%s", part.err);
    cr_expect(strstr(first, "  open ") == strstr(first, "  open"), "%.60s", first);
    cr_expect(strstr(whole.out, first) != NULL);
    outcome_fini(&whole);
    outcome_fini(&part);
}

/* Asks the JSON parser of Python for the number of slices of a kind. Ends the test as skipped where there is none. */
static long slices_by_python(const char *file, const char *condition) {
    char command[512];
    if (system("command -v python3 > /dev/null") != 0)
        cr_skip_test("python3 is not installed: no foreign parser of JSON");
    snprintf(command, sizeof command,
             "python3 -c \"import json; d = json.load(open('%s/%s', encoding='utf-8'))\nprint(sum(1 for e in "
             "d['traceEvents'] if %s))\"",
             scratch.path, file, condition);
    FILE *answer = popen(command, "r");
    long slices = -1;
    cr_assert(answer && fscanf(answer, "%ld", &slices) == 1, "no answer from %s", command);
    cr_assert(eq(int, pclose(answer), 0), "not JSON");
    return slices;
}

Test(trace, another_parser_finds_a_slice_for_every_task) {
    struct outcome outcome = run_trace((const char *const[]){
        "--scheme", "a \"b\" \\ é", "--format", "perfetto", "--replication", "1", "-o", "t.json", NULL});
    struct outcome list =
        run_trace((const char *const[]){"--scheme", "a \"b\" \\ é", "--replication", "1", NULL});
    cr_assert(eq(int, outcome.exit_code, 0), "%s", outcome.err);
    long tasks = (long)times_in(list.out, "  start ");
    cr_expect(lt(long, 40, tasks));
    cr_expect(
        eq(long, slices_by_python("t.json", "e['ph'] == 'X' and e['cat'] in ('compute', 'delay')"), tasks));
    cr_expect(eq(long, slices_by_python("t.json", "e['ph'] == 'X' and e['name'] == 'step'"), 20));
    cr_expect(eq(long, slices_by_python("t.json", "e['name'] == 'thread_name'"), 5));
    cr_expect(eq(long,
                 slices_by_python("t.json", "e['name'] == 'process_name' and e['args']['name'] == 'a ' + "
                                            "chr(34) + 'b' + chr(34) + ' ' + chr(92) + ' ' + chr(233)"),
                 1));
    /* No two slices of a track overlap by more than what a double makes of whole nanoseconds. */
    cr_expect(eq(long,
                 slices_by_python("t.json",
                                  "e['ph'] == 'X' and any(o['ph'] == 'X' and o['tid'] == e['tid'] and o is "
                                  "not e and e['ts'] + 1e-4 < o['ts'] + o['dur'] and o['ts'] + 1e-4 < "
                                  "e['ts'] + e['dur'] for o in d['traceEvents'])"),
                 0));
    outcome_fini(&outcome);
    outcome_fini(&list);
}

static const struct {
    const char *options[6], *says;
} refused[] = {
    {{"--scheme", "unkoded"},
     "unknown scheme 'unkoded' (did you mean 'uncoded'?); the scenario has 'uncoded', 'a \"b\" \\ é'"},
    {{"--replication", "2"}, "option '--replication' must be a whole number in [0, 1], found '2'"},
    {{"--replication", "0.5"}, "option '--replication' must be a whole number in [0, 1], found '0.5'"},
    {{"--point", "1"}, "option '--point' must be a whole number in [0, 0], found '1'"},
    {{"--steps", "5"}, "with 0 <= A < B <= 4000000000, found '5'"},
    {{"--steps", "5:5"}, "with 0 <= A < B <= 4000000000, found '5:5'"},
    {{"--steps", "0:4000000001"}, "with 0 <= A < B <= 4000000000, found '0:4000000001'"},
    {{"--steps", "-1:4"}, "with 0 <= A < B <= 4000000000, found '-1:4'"},
    {{"--steps", "100:"}, "there is no step 100: the run ends after 100 steps: steps"},
    {{"--steps", "100:104"}, "there is no step 100: the run ends after 100 steps: steps"},
    {{"--format", "perfeto"}, "unknown format 'perfeto' (did you mean 'perfetto'?); must be text | perfetto"},
    {{"-o", "s.yaml"}, "s.yaml exists; --force replaces it, -o chooses another file"},
    {{"--set", "stop.steps=900000", "--steps", "0:800000"},
     "800000 steps have about 2.5e+07 events, of at most 10000000; choose a smaller B in --steps"},
    {{"--set", "record.events=true", "--set", "stop.steps=900000"},
     "record.events: about 1.1e+08 events would be recorded, of at most 10000000; lower stop.steps"},
    {{"--set", "record.events=true", "--set", "stop={seconds: 9}"},
     "record.events: events are recorded only where stop.steps says how many there can be"},
};

Test(trace, what_is_refused) {
    for (size_t q = 0; q < sizeof refused / sizeof *refused; q++) {
        struct outcome outcome = run_trace(refused[q].options);
        cr_expect(eq(int, outcome.exit_code, 2), "%s %s", refused[q].options[0], refused[q].options[1]);
        cr_expect(strstr(outcome.err, refused[q].says) != NULL, "%s %s: %s", refused[q].options[0],
                  refused[q].options[1], outcome.err);
        outcome_fini(&outcome);
    }
}

/* A run that is over before the first step that is asked for. */
Test(trace, steps_that_never_come_are_refused) {
    struct outcome outcome =
        run_trace((const char *const[]){"--set", "stop.seconds=10s", "--steps", "90:", NULL});
    cr_expect(eq(int, outcome.exit_code, 2));
    cr_expect(strstr(outcome.err, "there is no step 90: the run ends after ") != NULL, "%s", outcome.err);
    outcome_fini(&outcome);
}

Test(trace, a_run_that_ends_says_how) {
    struct outcome outcome = run_trace((const char *const[]){"--set", "stop.seconds=7s", NULL});
    cr_expect(strstr(outcome.out, " steps: seconds\n") != NULL, "%.100s", outcome.out);
    cr_expect(strstr(outcome.out, "ends the run\n") != NULL);
    outcome_fini(&outcome);
}

/* Whatever ends the run before the steps asked for: what there is is shown, and what there is not is said. */
static const struct {
    const char *options[8], *title, *says; /* says: NULL, nothing */
} ends[] = {
    {{"--steps", "95:101"}, "from step 95; the run ends after 100 steps: steps\n", "no step 100\n"},
    {{"--steps", "95:100"}, "from step 95; the run ends after 100 steps: steps\n", NULL},
    {{"--steps", "95:"}, "from step 95; the run ends after 100 steps: steps\n", NULL},
    {{"--set", "stop.seconds=3s", "--steps", "0:9"}, "the run ends after 1 step: seconds\n", "no step 8\n"},
    {{"--set", "stop.seconds=3s"}, "the run ends after 1 step: seconds\n", NULL},
    {{"--set", "cluster.workers[1].leaves=4s", "--steps", "0:9"},
     "the run ends after 1 step: stalled, as nothing more can arrive\n",
     "no step 8\n"},
    {{"--set", "cluster.workers[0].delay={type: trace, path: t.csv, beyond: stop}", "--steps", "0:9"},
     "the run ends after 2 steps: trace_end, as the trace has no further round\n",
     "no step 8\n"},
};

Test(trace, a_run_that_ends_early_is_shown_and_told) {
    scratch_write_text(&scratch, "t.csv", "round,worker,seconds\n0,0,1\n0,1,2\n0,2,1\n1,0,1\n1,1,3\n1,2,1\n");
    for (size_t q = 0; q < sizeof ends / sizeof *ends; q++) {
        struct outcome outcome = run_trace(ends[q].options);
        cr_expect(eq(int, outcome.exit_code, 0), "row %zu: %s", q, outcome.err);
        cr_expect(strstr(outcome.out, ends[q].title) != NULL, "row %zu: %.150s", q, outcome.out);
        cr_expect(ends[q].says ? strstr(outcome.err, ends[q].says) != NULL : !*outcome.err, "row %zu: %s", q,
                  outcome.err);
        outcome_fini(&outcome);
    }
}
