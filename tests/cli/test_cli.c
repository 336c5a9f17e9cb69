/* The program as a user meets it: words, exit codes, what it leaves behind. */
#include "scratch.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char study[] =
    "# A small study for the command line.\n"
    "seed: 3\n"
    "replications: 2\n"
    "problem: {loss: logistic, data: {type: synthetic, samples: 60, features: 3}}\n"
    "optimizer: {learning_rate: 0.5}\n"
    "stop: {steps: 20}\n"
    "cluster:\n"
    "  workers:\n"
    "    - {count: 4, compute: {type: constant, value: 1s}, delay: {type: exponential, mean: 1s}}\n"
    "    - {count: 2, speed: 0.5, compute: {type: constant, value: 1s},"
    " delay: {type: pareto, minimum: 1s, shape: 1.5}}\n"
    "schemes: [{type: uncoded}, {type: gc-cr, stragglers: 2}, {type: ignore, stragglers: 2}]\n";

/* A scratch folder that holds small.yaml, the study; bad.yaml, with two mistakes; and swept.yaml. */
static void prepare(struct scratch *scratch) {
    scratch_init(scratch);
    scratch_write_text(scratch, "small.yaml", study);
    scratch_write_text(scratch, "bad.yaml", study);
    scratch_append(scratch, "bad.yaml", "record: {every: 0}\nnmae: x\n");
    scratch_write_text(scratch, "swept.yaml", study);
    scratch_append(scratch, "swept.yaml", "sweep: {schemes.stragglers: [1, 2]}\n");
}

/* A command line, its exit code, and a part of what it must print (NULL: that stream stays empty). */
static const struct line {
    const char *argument[12];
    int exit_code;
    const char *out, *err;
} lines[] = {
    {{NULL}, 2, NULL, "usage: laggard COMMAND"},
    {{"--help"}, 0, "  advise ", NULL},
    {{"-h"}, 0, "usage: laggard COMMAND", NULL},
    {{"--version"}, 0, "laggard 0.", NULL},
    {{"-V"}, 0, "laggard 0.", NULL},
    {{"help"}, 0, "usage: laggard COMMAND", NULL},
    {{"help", "run"}, 0, "usage: laggard run SCENARIO", NULL},
    {{"help", "rnu"}, 2, NULL, "unknown command 'rnu' (did you mean 'run'?)"},
    {{"help", "advise"}, 0, "usage: laggard advise SCENARIO", NULL},
    {{"help", "run", "check"}, 2, NULL, "unexpected 'check'"},
    {{"hepl"}, 2, NULL, "unknown command 'hepl' (did you mean 'help'?)"},
    {{"--hlep"}, 2, NULL, "unknown option '--hlep' (did you mean '--help'?)"},
    {{"-x"}, 2, NULL, "unknown option"},
    {{"rnu"}, 2, NULL, "unknown command 'rnu' (did you mean 'run'?)"},
    {{"chekc", "small.yaml"}, 2, NULL, "(did you mean 'check'?)"},
    {{"simulate"}, 2, NULL, "unknown command 'simulate'\n"},
    {{"advise", "small.yaml"}, 2, NULL, "so it must be given"},
    {{"advise", "small.yaml", "--set", "stop.loss=0.6", "--once"}, 0, "runner-up: ", NULL},
    {{"advise", "swept.yaml"}, 2, NULL, "leave the sweep out"},
    {{"advise", "small.yaml", "--target", "0.3"}, 2, NULL, "option '--target' goes with --trace"},
    {{"advise", "small.yaml", "--trace", "t.csv"}, 2, NULL, "a scenario or --trace, not both"},
    {{"advise", "--trace", "t.csv"}, 2, NULL, "--trace needs --workers N"},
    {{"advise", "--trace", "t.csv", "--workers", "4", "--loss", "logistic"},
     2,
     NULL,
     "--loss logistic needs --data: a file, or a mapping such as {type: synthetic"},
    {{"advise", "--trace", "t.csv", "--workers", "4", "--loss", "logistic", "--data", "{type: synthetic}",
      "--label", "y"},
     2,
     NULL,
     "option '--label' goes with a file"},
    {{"advise", "--trace", "t.csv", "--workers", "0"},
     2,
     NULL,
     "scenario of --trace and --workers 0:6:14: error: cluster.workers[0].count: must be a whole number in"},
    {{"advise", "--trace", "t.csv", "--workers", "4", "--data", "d.csv"},
     2,
     NULL,
     "option '--data' goes with --loss"},
    {{"verify", "gc-cr: s = 1, mult", "-q"}, 0, NULL, NULL},
    {{"verify", "gc-cr: s = 1", "-j", "1"}, 0, "all of 3 checks agree", NULL},
    {{"verify", ""}, 2, NULL, "a NAME is empty"},
    {{"verify", "no such scheme"}, 2, NULL, "no check has 'no such scheme' in its name"},
    {{"fit", "t.csv"}, 2, NULL, "t.csv"},
    {{"advise"}, 2, NULL, "expects a scenario, or --trace FILE"},
    {{"report"}, 2, NULL, "usage: laggard report DIR"},
    {{"merge"}, 2, NULL, "usage: laggard merge DIR... -o DIR"},
    {{"run"}, 2, NULL, "usage: laggard run SCENARIO"},
    {{"run", "--help"}, 0, "--set KEY=VALUE", NULL},
    {{"run", "--version"}, 0, "laggard 0.", NULL},
    {{"run", "-q"}, 2, NULL, "SCENARIO is missing"},
    {{"run", "small.yaml", "other.yaml"}, 2, NULL, "unexpected 'other.yaml'"},
    {{"run", "--outptu", "x", "small.yaml"}, 2, NULL, "unknown option '--outptu' (did you mean '--output'?)"},
    {{"--vers"}, 2, NULL, "unknown option '--vers' (did you mean '--version'?)"},
    {{"run", "small.yaml", "--s", "seed=1"}, 2, NULL, "'--s' may mean several options"},
    {{"run", "small.yaml", "--out", "x"}, 2, NULL, "unknown option '--out' (did you mean '--output'?)"},
    {{"run", "small.yaml", "--out=x"}, 2, NULL, "unknown option '--out' (did you mean '--output'?)"},
    {{"run", "small.yaml", "--qui"}, 2, NULL, "unknown option '--qui' (did you mean '--quiet'?)"},
    {{"run", "small.yaml", "--resum"}, 2, NULL, "unknown option '--resum' (did you mean '--resume'?)"},
    {{"run", "small.yaml", "-o", "x.partial", "--force"}, 2, NULL, "x.partial ends in .partial"},
    {{"run", "small.yaml", "-o", "x.replaced/"}, 2, NULL, "x.replaced/ ends in .partial or .replaced"},
    {{"run", "small.yaml", "--force=1"}, 2, NULL, "option '--force' takes no value"},
    {{"run", "small.yaml", "-o"}, 2, NULL, "option '-o' needs a value"},
    {{"run", "small.yaml", "-o", ""}, 2, NULL, "option '--output' must name a folder"},
    {{"run", "small.yaml", "-j", "0"}, 2, NULL, "must be a whole number in [1, 256], found '0'"},
    {{"run", "small.yaml", "-j", "257"}, 2, NULL, "found '257'"},
    {{"run", "small.yaml", "-j", "1.5"}, 2, NULL, "found '1.5'"},
    {{"run", "small.yaml", "-j", "two"}, 2, NULL, "found 'two'"},
    {{"run", "small.yaml", "-z"}, 2, NULL, "unknown option '-z'"},
    {{"check", "small.yaml", "--sweep", "seed=1,2"}, 0, "2 points x ", NULL},
    {{"check", "small.yaml", "--sweep", "seed=1,2", "--sweep", "stop.steps=3,4,5"}, 0, "6 points x ", NULL},
    {{"check", "swept.yaml", "--sweep", "schemes.stragglers=1,2,3"}, 0, "3 points x ", NULL},
    {{"check", "swept.yaml", "--sweep", "cluster.late=queue,cancel"}, 0, "4 points x ", NULL},
    {{"check", "small.yaml", "--sweep", "cluster.network=[{up: {bandwidth: 1}}"},
     2,
     NULL,
     "--sweep cluster.network"},
    {{"check", "small.yaml", "--set", "replications={half_width: 0.1}"}, 0, "at most 200 replications", NULL},
    {{"check", "swept.yaml", "--sweep", "schemes.stragglers=1", "--sweep", "schemes[0].stragglers=2"},
     2,
     NULL,
     "is swept already by '--sweep schemes.stragglers=1'"},
    {{"run", "small.yaml", "--sweep", "seed=1,2,1"}, 2, NULL, "1 stands twice among the values of 'seed'"},
    {{"run", "small.yaml", "--sweep", "seed"}, 2, NULL, "--sweep seed: error: expected KEY=V1,V2,"},
    {{"run", "small.yaml", "--sweep", "name=a,b"}, 2, NULL, "'name' cannot be swept"},
    {{"run", "small.yaml", "--sweep", "stop.steps=1,x"}, 2, NULL, "stop.steps: must be a whole number"},
    {{"run", "small.yaml", "--sweep", "stop.stepz=1,2"},
     2,
     NULL,
     "unknown key 'stepz' (did you mean 'steps'?)"},
    {{"run", "small.yaml", "--shard", "2/2"}, 2, NULL, "option '--shard' must be I/N"},
    {{"run", "small.yaml", "--set", "stop.steps=1000000000"},
     2,
     NULL,
     "GB, of at most 10; raise record.every, make it log or summary, or allow it with --yes"},
    {{"check", "small.yaml", "--set", "stop.steps=1000000000"},
     0,
     "run would refuse: the results would be up to about ",
     NULL},
    {{"run", "none.yaml"}, 2, NULL, "none.yaml: error:"},
    {{"run", "."}, 2, NULL, ".: error:"},
    {{"run", "bad.yaml"}, 2, NULL, "bad.yaml:12:17: error: record.every: must be"},
    {{"run", "bad.yaml"}, 2, NULL, "bad.yaml:13:1: error: unknown key 'nmae' (did you mean 'name'?)"},
    {{"run", "small.yaml", "--set", "stop.steps=0"}, 2, NULL, "stop.steps: must be a whole number in [1, "},
    {{"run", "small.yaml", "--set", "nonsense"}, 2, NULL, "expected KEY=VALUE"},
    {{"run", "small.yaml", "--set", "schemes[7].stragglers=1"}, 2, NULL, "schemes[7].stragglers"},
    {{"check"}, 2, NULL, "usage: laggard check SCENARIO"},
    {{"check", "bad.yaml"}, 2, NULL, "bad.yaml:12:17: error: record.every"},
    {{"check", "small.yaml", "--force"}, 2, NULL, "unknown option '--force'"},
    {{"list", "schemes", "gc-ct"}, 2, NULL, "unknown scheme 'gc-ct' (did you mean"},
    {{"list", "scheme"}, 2, NULL, "unknown kind 'scheme' (did you mean 'schemes'?)"},
    {{"plot"}, 2, NULL, "usage: laggard plot DIR"},
    {{"plot", "none"}, 2, NULL, "none: there is no such folder"},
    {{"plot", "small.yaml"}, 2, NULL, "small.yaml: not a folder"},
    {{"plot", "."}, 2, NULL, "not a results folder"},
    {{"plot", ".", "--format", "gif"}, 2, NULL, "unknown format 'gif'; must be svg | png | pdf"},
    {{"plot", ".", "--figure", "los-time"}, 2, NULL, "(did you mean 'loss-time'?)"},
    {{"plot", ".", "--points", "1-3"}, 2, NULL, "points must be indices and spans such as 3, 0:5 or 0,3,7:9"},
    {{"plot", ".", "--detail", "9"}, 2, NULL, "'--detail' must be a whole number in [10, 400], found '9'"},
    {{"plot", ".", "--detail", "10.5"}, 2, NULL, "found '10.5'"},
    {{"plot", ".", "--figure", "heatmpa"}, 2, NULL, "(did you mean 'heatmap'?)"},
};

static void expect_part(const struct line *line, const char *stream, const char *text, const char *part) {
    const char *first = line->argument[0] ? line->argument[0] : "",
               *second = first[0] ? line->argument[1] : NULL;
    if (part)
        cr_expect(strstr(text, part) != NULL, "laggard %s %s: %s must hold '%s', is\n%s", first,
                  second ? second : "", stream, part, text);
    else
        cr_expect(text[0] == 0, "laggard %s %s: %s must be empty, is\n%s", first, second ? second : "",
                  stream, text);
}

/* Every one of these ends without a run: nothing may be left in the folder. */
Test(cli, words_and_exit_codes) {
    struct scratch scratch;
    prepare(&scratch);
    char *before = scratch_names(&scratch);
    for (size_t q = 0; q < sizeof lines / sizeof *lines; q++) {
        struct outcome outcome = scratch_run(&scratch, lines[q].argument);
        cr_expect(outcome.exit_code == lines[q].exit_code, "row %zu, laggard %s: exit code %d, not %d", q,
                  lines[q].argument[0], outcome.exit_code, lines[q].exit_code);
        expect_part(&lines[q], "stdout", outcome.out, lines[q].out);
        expect_part(&lines[q], "stderr", outcome.err, lines[q].err);
        outcome_fini(&outcome);
    }
    char *after = scratch_names(&scratch);
    cr_expect(eq(str, after, before), "nothing is left behind");
    free(before);
    free(after);
    scratch_fini(&scratch);
}

/* Runs in the folder and expects the exit code; the outcome is the caller's. */
static struct outcome run_expecting(const struct scratch *scratch, int exit_code,
                                    const char *const *arguments) {
    struct outcome outcome = scratch_run(scratch, arguments);
    cr_expect(outcome.exit_code == exit_code, "laggard %s %s: exit code %d, not %d:\n%s", arguments[0],
              arguments[1], outcome.exit_code, exit_code, outcome.err);
    return outcome;
}
#define RUN(scratch, exit_code, ...)                                                                         \
    run_expecting(scratch, exit_code, (const char *const[]){__VA_ARGS__, NULL})

static void expect_parts(const char *text, const char *const *part) {
    for (; *part; part++)
        cr_expect(strstr(text, *part) != NULL, "'%s' is missing in\n%s", *part, text);
}
#define EXPECT_PARTS(text, ...) expect_parts(text, (const char *const[]){__VA_ARGS__, NULL})

Test(cli, list_shows_every_kind) {
    struct scratch scratch;
    prepare(&scratch);
    struct outcome all = RUN(&scratch, 0, "list");
    EXPECT_PARTS(all.out, "uncoded", "gc-cr", "pgc-cr-naive", "shifted-exponential", "trace", "logistic",
                 "synthetic", "libsvm", "adam", "inverse-time", "decodable", "time-to-target", "crossover");
    struct outcome delays = RUN(&scratch, 0, "list", "delays");
    EXPECT_PARTS(delays.out, "pareto", "lognormal");
    cr_expect(strstr(delays.out, "gc-cr") == NULL, "one kind only");
    outcome_fini(&all);
    outcome_fini(&delays);
    scratch_fini(&scratch);
}

Test(cli, list_shows_the_keys_of_one) {
    struct scratch scratch;
    prepare(&scratch);
    struct outcome scheme = RUN(&scratch, 0, "list", "schemes", "gc-cr");
    EXPECT_PARTS(scheme.out, "source: Tandon", "wait rule: count by default", "stragglers", "required",
                 "label", "shared | real");
    struct outcome own = RUN(&scratch, 0, "list", "schemes", "gc-deadline");
    EXPECT_PARTS(own.out, "wait rule: deadline, of its own; none may be written", "  label");
    cr_expect(strstr(own.out, "\n  wait ") == NULL, "%s", own.out);
    outcome_fini(&own);
    struct outcome law = RUN(&scratch, 0, "list", "delays", "pareto");
    EXPECT_PARTS(law.out, "minimum", "shape", "seconds", "required");
    struct outcome alone = RUN(&scratch, 0, "list", "pareto");
    cr_expect(eq(str, alone.out, law.out), "a name that is unique needs no kind");
    outcome_fini(&scheme);
    outcome_fini(&law);
    outcome_fini(&alone);
    scratch_fini(&scratch);
}

/* Moments of the laws: exponential mean 1: p99 = ln 100 = 4.605; Pareto(1, 1.5): mean 3, infinite deviation,
 * p99 = 100^(2/3) = 21.54; constant 1 at speed 0.5: 2. */
Test(cli, check_explains_and_writes_nothing) {
    struct scratch scratch;
    prepare(&scratch);
    char *before = scratch_names(&scratch);
    struct outcome outcome = RUN(&scratch, 0, "check", "small.yaml", "-j", "2");
    EXPECT_PARTS(outcome.out, "small: 3 schemes x 2 replications = 6 runs", "6 workers in 2 groups",
                 "60 samples x 3", "exponential mean=1s", "4.605", "infinite", "21.54", "at speed 0.5",
                 "stragglers=2", "on 2 threads", "memory", "time", "results/small");
    cr_expect(outcome.err[0] == 0, "%s", outcome.err);
    outcome_fini(&outcome);
    outcome = RUN(&scratch, 0, "check", "swept.yaml", "-o", "elsewhere", "--set", "replications=5");
    EXPECT_PARTS(outcome.out, "2 points x 3 schemes x 5 replications = 30 runs, 25 of them distinct",
                 "schemes.stragglers", "elsewhere");
    outcome_fini(&outcome);
    char *after = scratch_names(&scratch);
    cr_expect(eq(str, after, before), "nothing is left behind");
    free(before);
    free(after);
    scratch_fini(&scratch);
}

/* All that is configured beside laws stands in the plan, and what its numbers leave out is said. */
Test(cli, check_lists_the_cluster) {
    struct scratch scratch;
    scratch_init(&scratch);
    scratch_write_text(
        &scratch, "c.yaml",
        "name: c\nproblem: {loss: none}\nstop: {steps: 9}\ncluster:\n"
        "  order: interleaved\n  overlap: true\n  master: {link: {bandwidth: 5e6, sharing: fifo}}\n"
        "  rack_shock: {probability: 0.1, type: exponential, mean: 20s}\n"
        "  workers: [{count: 3, rack: 7, delay: {type: exponential, mean: 1s}, slowness: {type: uniform, "
        "low: 1s, high: 2s},\n"
        "    regime: {p_slow: 0.1, p_recover: 0.5, slowdown: 3}, failure: {mean_time_to_failure: 1h, "
        "mean_time_to_repair: 1min}, leaves: 5h},\n    {count: 2}]\nschemes: [{type: uncoded}]\n");
    struct outcome outcome = RUN(&scratch, 0, "check", "c.yaml");
    EXPECT_PARTS(outcome.out, "order interleaved, overlap", "bandwidth=5e6 sharing=fifo",
                 "probability=0.1 mean=20s", "group 0     rack 7, ", "slowness uniform low=1s high=2s",
                 "p_slow=0.1", "mean_time_to_failure=1h", "leaves 5h",
                 "without failures, networks, workers that join or leave;", "±");
    outcome_fini(&outcome);
    outcome = RUN(&scratch, 2, "check", "c.yaml", "--set", "cluster.workers=[{count: 3}]");
    EXPECT_PARTS(outcome.err, "cluster.rack_shock: no worker is in a rack");
    outcome_fini(&outcome);
    scratch_fini(&scratch);
}

Test(cli, run_writes_results_and_says_where) {
    struct scratch scratch;
    prepare(&scratch);
    struct outcome outcome = RUN(&scratch, 0, "run", "small.yaml");
    EXPECT_PARTS(outcome.out, "scheme", "seconds/step", "uncoded", "gc-cr", "ignore", "relative", "1.000",
                 "results in results/small");
    cr_expect(outcome.err[0] == 0, "no progress without a terminal, but\n%s", outcome.err);
    cr_expect(strstr(outcome.out, "\033") == NULL, "no colours without a terminal");
    outcome_fini(&outcome);
    static const char *const files[] = {"scenario.yaml", "manifest.json", "steps.csv",
                                        "runs.csv",      "summary.csv",   "workers.csv"};
    for (size_t q = 0; q < sizeof files / sizeof *files; q++) {
        char name[64];
        snprintf(name, sizeof name, "results/small/%s", files[q]);
        char *text = scratch_text(&scratch, name);
        cr_expect(text != NULL && *text, "%s is missing or empty", name);
        free(text);
    }
    scratch_fini(&scratch);
}

/* getopt_long moves operands behind options; the manifest tells the line as it was typed. */
Test(cli, manifest_keeps_the_order_of_the_command) {
    struct scratch scratch;
    prepare(&scratch);
    struct outcome outcome = RUN(&scratch, 0, "run", "small.yaml", "-q", "--set", "seed=2", "-o", "out");
    char *manifest = scratch_text(&scratch, "out/manifest.json");
    EXPECT_PARTS(manifest, "\"run\", \"small.yaml\", \"-q\", \"--set\", \"seed=2\", \"-o\", \"out\"]",
                 "\"classes\": []");
    free(manifest);
    outcome_fini(&outcome);
    scratch_fini(&scratch);
}

/* Which word became which class is told by the plan, by the run and in its folder. */
Test(cli, classes_of_words_are_echoed) {
    struct scratch scratch;
    prepare(&scratch);
    scratch_write_text(&scratch, "d.csv", "a,y\n1,yes\n2,no\n3,yes\n4,no\n5,yes\n6,no\n");
    static const char data[] = "problem.data={type: csv, path: d.csv, label: y}";
    struct outcome outcome = RUN(&scratch, 0, "check", "small.yaml", "--set", data);
    EXPECT_PARTS(outcome.out, "classes    no → -1, yes → +1");
    outcome_fini(&outcome);
    outcome = RUN(&scratch, 0, "run", "small.yaml", "-o", "out", "--set", data);
    EXPECT_PARTS(outcome.out, "classes: no → -1, yes → +1");
    outcome_fini(&outcome);
    char *manifest = scratch_text(&scratch, "out/manifest.json");
    EXPECT_PARTS(manifest, "{\"path\": \"d.csv\", \"-1\": \"no\", \"+1\": \"yes\"}");
    free(manifest);
    scratch_fini(&scratch);
}

Test(cli, check_says_that_run_would_refuse) {
    struct scratch scratch;
    prepare(&scratch);
    struct outcome outcome = RUN(&scratch, 0, "check", "small.yaml");
    cr_expect(strstr(outcome.out, "refuse") == NULL, "nothing is there:\n%s", outcome.out);
    EXPECT_PARTS(outcome.out, "memory  about ");
    outcome_fini(&outcome);
    outcome = RUN(&scratch, 0, "run", "small.yaml", "-q");
    outcome_fini(&outcome);
    outcome = RUN(&scratch, 0, "check", "small.yaml");
    EXPECT_PARTS(outcome.out, "results would go to results/small\n",
                 "run would refuse: results/small exists; --force replaces it");
    outcome_fini(&outcome);
    scratch_fini(&scratch);
}

/* Of a study of times no loss can be drawn, which is noted, unless nothing but errors is asked for. */
Test(cli, quiet_is_quiet_about_figures_too) {
    struct scratch scratch;
    scratch_init(&scratch);
    scratch_write_text(&scratch, "timing.yaml",
                       "problem: {loss: none}\nstop: {steps: 5}\n"
                       "cluster: {workers: [{count: 2, compute: {type: constant, value: 1s}}]}\n"
                       "schemes: [{type: uncoded}]\n");
    struct outcome outcome = RUN(&scratch, 0, "run", "timing.yaml", "-o", "loud", "--plot");
    EXPECT_PARTS(outcome.err, "warning: no figure loss-time");
    outcome_fini(&outcome);
    outcome = RUN(&scratch, 0, "run", "timing.yaml", "-o", "quiet", "--plot", "-q");
    cr_expect(outcome.out[0] == 0 && outcome.err[0] == 0, "quiet, but\n%s%s", outcome.out, outcome.err);
    outcome_fini(&outcome);
    scratch_fini(&scratch);
}

/* What was asked for by name and is not drawn is a mistake, with its reason; so are points that are not there. */
Test(cli, plot_says_why_it_draws_nothing) {
    struct scratch scratch;
    prepare(&scratch);
    struct outcome outcome = RUN(&scratch, 0, "run", "swept.yaml", "-o", "out", "-q");
    outcome_fini(&outcome);
    outcome = RUN(&scratch, 2, "plot", "out", "--figure", "time-to-target");
    EXPECT_PARTS(outcome.err, "no figure time-to-target: no target loss was set (stop.loss)");
    outcome_fini(&outcome);
    outcome = RUN(&scratch, 1, "plot", "out", "--points", "2:5");
    EXPECT_PARTS(outcome.err, "none of these points is in out/runs.csv, which has points 0 to 1");
    outcome_fini(&outcome);
    scratch_fini(&scratch);
}

/* A run that stalls at once has neither steps nor losses. */
Test(cli, plot_fails_where_no_figure_has_anything_to_show) {
    struct scratch scratch;
    prepare(&scratch);
    scratch_write_text(
        &scratch, "never.yaml",
        "problem: {loss: none}\nstop: {steps: 5}\n"
        "cluster: {workers: [{count: 2, delay: {type: never}}]}\nschemes: [{type: uncoded}]\n");
    struct outcome outcome = RUN(&scratch, 0, "run", "never.yaml", "-o", "out", "-q");
    outcome_fini(&outcome);
    outcome = RUN(&scratch, 1, "plot", "out");
    EXPECT_PARTS(outcome.err, "warning: no figure step-time", "error: no figure was drawn");
    outcome_fini(&outcome);
    scratch_fini(&scratch);
}

Test(cli, run_keeps_what_exists_unless_forced) {
    struct scratch scratch;
    prepare(&scratch);
    struct outcome outcome = RUN(&scratch, 0, "run", "small.yaml", "-o", "out", "-q");
    cr_expect(outcome.out[0] == 0 && outcome.err[0] == 0, "quiet");
    outcome_fini(&outcome);
    char *before = scratch_text(&scratch, "out/steps.csv");
    outcome = RUN(&scratch, 2, "run", "small.yaml", "-o", "out", "--set", "seed=9");
    EXPECT_PARTS(outcome.err, "out exists", "--force");
    outcome_fini(&outcome);
    char *kept = scratch_text(&scratch, "out/steps.csv");
    cr_expect(eq(str, kept, before), "kept");
    outcome = RUN(&scratch, 0, "run", "small.yaml", "-o", "out", "--set", "seed=9", "--force");
    outcome_fini(&outcome);
    char *replaced = scratch_text(&scratch, "out/steps.csv");
    cr_expect(strcmp(replaced, before) != 0, "another seed gives other numbers");
    outcome = RUN(&scratch, 2, "run", "small.yaml", "-o", "small.yaml");
    EXPECT_PARTS(outcome.err, "small.yaml is not a folder");
    outcome_fini(&outcome);
    outcome = RUN(&scratch, 2, "run", "small.yaml", "-o", "small.yaml", "--force");
    outcome_fini(&outcome);
    char *scenario = scratch_text(&scratch, "small.yaml");
    cr_expect(eq(str, scenario, (char *)study), "never replaces what is no results folder");
    free(before);
    free(kept);
    free(replaced);
    free(scenario);
    scratch_fini(&scratch);
}

/* The same numbers on any number of threads, and from the scenario that was written beside them. */
Test(cli, output_depends_on_the_scenario_alone) {
    struct scratch scratch;
    prepare(&scratch);
    struct outcome outcome = RUN(&scratch, 0, "run", "swept.yaml", "-o", "one", "-j", "1");
    outcome_fini(&outcome);
    outcome = RUN(&scratch, 0, "run", "swept.yaml", "-o", "five", "-j", "5");
    outcome_fini(&outcome);
    outcome = RUN(&scratch, 0, "run", "one/scenario.yaml", "-o", "again");
    outcome_fini(&outcome);
    static const char *const files[] = {"scenario.yaml", "steps.csv", "runs.csv", "summary.csv",
                                        "workers.csv"};
    for (size_t q = 0; q < sizeof files / sizeof *files; q++) {
        char name[3][64];
        snprintf(name[0], sizeof name[0], "one/%s", files[q]);
        snprintf(name[1], sizeof name[1], "five/%s", files[q]);
        snprintf(name[2], sizeof name[2], "again/%s", files[q]);
        char *one = scratch_text(&scratch, name[0]);
        for (int other = 1; other < 3; other++) {
            char *text = scratch_text(&scratch, name[other]);
            cr_expect(text && strcmp(text, one) == 0, "%s differs from %s", name[other], name[0]);
            free(text);
        }
        free(one);
    }
    scratch_fini(&scratch);
}

/* With a target, runs that missed it are counted and compared with nothing. */
Test(cli, run_says_how_many_reached_the_target) {
    struct scratch scratch;
    prepare(&scratch);
    struct outcome outcome = RUN(&scratch, 0, "run", "small.yaml", "--set", "stop.loss=1e-6");
    EXPECT_PARTS(outcome.out, "reached", "0 of 2", "–", "final loss 0.");
    outcome_fini(&outcome);
    outcome = RUN(&scratch, 0, "run", "small.yaml", "--force", "--set", "stop.loss=0.69");
    EXPECT_PARTS(outcome.out, "2 of 2", "steps to loss", "1.000", "results/small/summary.csv");
    cr_expect(strstr(outcome.out, "final loss") == NULL, "all reached the target:\n%s", outcome.out);
    outcome_fini(&outcome);
    scratch_fini(&scratch);
}

/* Seven points are compared in one table, six in a table each; schemes that differ from point to point have no
 * columns, and columns that are too wide no line. */
Test(cli, many_points_share_a_table) {
    static const struct {
        const char *sweep, *part;
        bool shared;
    } sweeps[] = {
        {"{seed: [1, 2, 3, 4, 5, 6, 7]}", "values of seed", true},
        {"{seed: [1, 2, 3, 4, 5, 6]}", "point 5: seed = 6", false},
        {"{seed: [1, 2, 3, 4, 5, 6, 7], stop.loss: [1e-9]}", "n/2: n of the runs reached the loss", true},
        {"{schemes: [[{type: uncoded}], [{type: ignore, stragglers: 1}]], seed: [1, 2, 3, 4]}",
         "point 7: schemes = ", false},
        {"{seed: [1, 2, 3, 4, 5, 6, 7], 'schemes[0].label': [a long label that takes more than all the "
         "columns of"
         " the terminal there are]}",
         "point 6: seed = 7", false},
    };
    struct scratch scratch;
    prepare(&scratch);
    for (size_t q = 0; q < sizeof sweeps / sizeof *sweeps; q++) {
        scratch_write_text(&scratch, "long.yaml", study);
        scratch_append(&scratch, "long.yaml", "sweep: %s\n", sweeps[q].sweep);
        struct outcome outcome = RUN(&scratch, 0, "run", "long.yaml", "--force");
        EXPECT_PARTS(outcome.out, sweeps[q].part, "long/summary.csv");
        bool shared = strstr(outcome.out, "point  values") != NULL;
        cr_expect(shared == sweeps[q].shared, "%s:\n%s", sweeps[q].sweep, outcome.out);
        outcome_fini(&outcome);
    }
    scratch_fini(&scratch);
}

/* What workers hold and compute, in partitions: m-sgc (W - 1 + B)(lambda + 1) / (B + (W - 1)(lambda + 1)) = 10/6;
 * partial-fr, of 4 pieces: (4 - 1 + 2 - 1) / 3; bgc with d = n all of them. */
Test(cli, check_counts_loads_in_partitions) {
    static const char *const rows[] = {
        "m-sgc          B=1;W=2;lambda=4;models=1;mu=1            1.667     1.667  ",
        "partial-fr     delay_per=task;pieces=4;stragglers=1      1.333     1.333  ",
        "bgc            decoder=one-step;density=6;stragglers=2       6         6  ",
        "multi-message  copies=2;order=cyclic                         2         2  ",
        "pgc-fr         stragglers=2;warmup=free                      3         1  "};
    struct scratch scratch;
    prepare(&scratch);
    scratch_write_text(&scratch, "loads.yaml",
                       "name: loads\nproblem: {loss: none}\nstop: {steps: 9}\n"
                       "cluster: {workers: [{count: 6, compute: {type: constant, value: 1s}}]}\n"
                       "schemes:\n  - {type: m-sgc, B: 1, W: 2, lambda: 4}\n"
                       "  - {type: partial-fr, stragglers: 1, pieces: 4}\n"
                       "  - {type: bgc, stragglers: 2, density: 6}\n"
                       "  - {type: multi-message, copies: 2}\n  - {type: pgc-fr, stragglers: 2}\n");
    struct outcome check = RUN(&scratch, 0, "check", "loads.yaml");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        cr_expect(strstr(check.out, rows[r]) != NULL, "'%s' is not in\n%s", rows[r], check.out);
    outcome_fini(&check);
    scratch_write_text(&scratch, "one.yaml",
                       "name: one\nproblem: {loss: none}\nstop: {steps: 1}\n"
                       "cluster: {workers: [{count: 1, compute: {type: constant, value: 1s}}]}\n"
                       "schemes: [{type: uncoded}]\n");
    struct outcome one = RUN(&scratch, 0, "check", "one.yaml");
    EXPECT_PARTS(one.out, "simulated; 1 partition\n", "  1 step\n");
    outcome_fini(&one);
    scratch_fini(&scratch);
}
