/* `laggard fit` as a user calls it: what it prints is a cluster that runs; what it cannot fit it says. */
#include "fit_call.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct scratch scratch;

static void init(void) {
    scratch_init(&scratch);
}

static void fini(void) {
    scratch_fini(&scratch);
}

TestSuite(fit, .init = init, .fini = fini, .timeout = 60);

/* 0.2 s and an exponential part of mean `mean`. */
static void write_times(const char *name, int rounds, int workers, double mean) {
    scratch_append(&scratch, name, "round,worker,seconds\n");
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < workers; i++)
            scratch_append(&scratch, name, "%d,%d,%.6f\n", r, i, 0.2 - mean * log(1 - share_at(r, i)));
}

#define FIT(...) scratch_run(&scratch, (const char *const[]){"fit", __VA_ARGS__, NULL})

struct refusal {
    const char *name, *text, *says;
    int code;
};

static const struct refusal refusals[] = {
    {"empty", "", "the file is empty", 2},
    {"no rows", HEAD, "there are no rows below the header line", 2},
    {"one row", HEAD "0,0,1\n", "a law needs at least 10 times: column 'seconds' has 1\n", 2},
    {"negative", HEAD "0,0,1\n0,1,-2\n", "a measured time must be at least 0, found -2", 2},
    {"a word", HEAD "0,0,1\n0,1,fast\n", "a finite number is needed, found 'fast'", 2},
    {"given twice", HEAD "0,0,1\n0,0,2\n", "round 0 of worker 0 stands on line 2 already", 2},
    {"other columns", "round,node,seconds\n0,0,1\n",
     "t.csv: error: columns.worker: t.csv has no column 'worker'", 2},
    {"all zero", HEAD "0,0,0\n0,1,0\n1,0,0\n1,1,0\n2,0,0\n2,1,0\n3,0,0\n3,1,0\n4,0,0\n4,1,0\n",
     "all times are 0", 2},
    {"nothing but holes", HEAD "0,0,\n0,1,\n", "column 'seconds' has no times: every cell is empty", 2},
    {"all equal", HEAD "0,0,3\n0,1,3\n1,0,3\n1,1,3\n2,0,3\n2,1,3\n3,0,3\n3,1,3\n4,0,3\n4,1,3\n",
     "two lognormals: not fitted, all times are equal", 0},
    {"all equal, words", HEAD "0,0,3\n0,1,3\n1,0,3\n1,1,3\n2,0,3\n2,1,3\n3,0,3\n3,1,3\n4,0,3\n4,1,3\n",
     "workers: none is slower than another: all times are equal\n"
     "rounds: lag-1 correlation undefined: no worker's times vary\n",
     0},
    {"too many zeros", HEAD "0,0,0\n0,1,3\n1,0,3\n1,1,4\n2,0,0\n2,1,3\n3,0,5\n3,1,3\n4,0,4\n4,1,7\n",
     "a law needs at least 10 times above 0: column 'seconds' has 8, beside 2 of 0\n", 2},
    {"zeros", HEAD "0,0,0\n0,1,3\n1,0,3\n1,1,4\n2,0,2\n2,1,3\n3,0,5\n3,1,3\n4,0,4\n4,1,7\n5,0,3\n5,1,0\n",
     "zeros: 2 of the times are 0, so the law is 0 with probability 0.167; below are the other 10\n", 0},
    {"constant speeds",
     HEAD "0,0,.1\n0,1,.7\n1,0,.1\n1,1,.7\n2,0,.1\n2,1,.7\n3,0,.1\n3,1,.7\n4,0,.1\n4,1,.7\n",
     "workers: 100 % of the variance of the logarithm is between them, so slowness is taken out\n"
     "rounds: lag-1 correlation undefined: no worker's times vary\n",
     0},
    {"alternating",
     HEAD "0,0,1\n1,0,2\n2,0,1\n3,0,2\n4,0,1\n5,0,2\n6,0,1\n7,0,2\n8,0,1\n9,0,2\n10,0,1\n11,0,2\n"
          "12,0,1\n13,0,2\n14,0,1\n15,0,2\n16,0,1\n17,0,2\n18,0,1\n19,0,2\n",
     "correlation within workers -1.00, which the cluster does not have", 0},
    {"CRLF",
     "round,worker,seconds\r\n0,0,1\r\n0,1,2\r\n1,0,1\r\n1,1,3\r\n2,0,1\r\n2,1,2\r\n3,0,4\r\n3,1,2\r\n"
     "4,0,1\r\n4,1,2\r\n",
     "10 times of 2 workers", 0},
    {"one worker", HEAD "0,0,1\n1,0,3\n2,0,2\n3,0,5\n4,0,4\n5,0,2\n6,0,7\n7,0,3\n8,0,4\n9,0,6\n",
     "workers: one, so nothing can be said of slow workers", 0},
    {"one round", HEAD "0,0,1\n0,1,3\n0,2,2\n0,3,5\n0,4,4\n0,5,2\n0,6,7\n0,7,3\n0,8,4\n0,9,6\n",
     "one round, so slow workers cannot be told from slow times", 0},
    {"missing cells",
     HEAD "0,0,1\n0,1,3\n1,0,\n1,1,5\n2,0,4\n2,1,2\n3,0,7\n3,1,\n4,0,4\n4,1,6\n5,0,3\n5,1,2\n",
     "t.csv: warning: 2 of 12 cells are missing: fitted without them\n10 times of 2 workers", 0},
    {"a row that is not there",
     HEAD "0,0,1\n0,1,3\n1,1,5\n2,0,4\n2,1,2\n3,0,7\n3,1,3\n4,0,4\n4,1,6\n5,0,3\n5,1,2\n",
     "t.csv: warning: 1 of 12 cells is missing: fitted without them\n11 times of 2 workers", 0},
    {"a worker without times",
     HEAD "0,a,1\n0,b,\n0,c,3\n1,a,2\n1,b,\n1,c,5\n2,a,4\n2,c,2\n3,a,7\n3,c,3\n4,a,4\n4,c,6\n",
     "t.csv: warning: worker 'b' has no time and is left out: the times are of 2 workers of 3\n"
     "10 times of 2 workers",
     0},
};

Test(fit, odd_files) {
    for (size_t q = 0; q < sizeof refusals / sizeof *refusals; q++) {
        scratch_write_text(&scratch, "t.csv", refusals[q].text);
        struct outcome outcome = FIT("t.csv");
        fit_expect(&outcome, refusals[q].name, refusals[q].code, refusals[q].says);
        outcome_fini(&outcome);
    }
}

static const struct {
    const char *arguments[5];
    const char *says;
} words[] = {
    {{"no.csv"}, "no.csv"},
    {{"t.csv", "--columns", ""}, "option '--columns' takes round=NAME"},
    {{"t.csv", "--columns", "round=a,worker=b"}, "--columns: error: columns.round: t.csv has no column 'a'"},
    {{"t.csv", "--layout", "wde"}, "unknown layout 'wde' (did you mean 'wide'?)"},
    {{"t.csv", "--layout", "wide", "--columns", "worker=a"}, "'--columns' names the round alone"},
    {{"t.csv", "--layout", "wide", "--columns", "round=a"}, "t.csv has no column 'a'"},
    {{"t.csv", "--seed", "-1"}, "option '--seed' must be a whole number in [0, 2^53], found '-1'"},
    {{"t.csv", "--seed", "1.5"}, "found '1.5'"},
    {{"t.csv", "--plot", "-o", ""}, "option '--output' must name a folder"},
    {{"t.csv:1"}, "one load shows no growth: give a file for each of two loads at least"},
    {{"t.csv", "-o", "x"}, "option '--output' is the folder of '--plot'"},
    {{"t.csv:1", "t.csv:2", "--own"}, "option '--own' is for one file"},
    {{"t.csv", "--columns", "rond=a"}, "did you mean 'round'?"},
    {{"t.csv", "--columns", "round=round"}, "must name both round and worker, or neither"},
    {{"t.csv", "--columns", "value=ms"}, "has no column 'ms'"},
    {{"t.csv", "--scale", "1 parsec"}, "option '--scale' is how long a value of 1 is"},
    {{"t.csv", "--scale", "0"}, "option '--scale' is how long a value of 1 is"},
    {{"t.csv", "t.csv"}, "a load of at least 0 is needed"},
    {{"t.csv", "t.csv", "--loads", "1"}, "a number for each of the 2 files"},
    {{"t.csv", "t.csv", "--loads", "1,2,3"}, "a number for each of the 2 files"},
    {{"t.csv:1", "t.csv:1"}, "several files must differ in their loads"},
    {{"t.csv:1", "t.csv:2"}, "times do not grow with the load"},
};

Test(fit, wrong_words) {
    write_times("t.csv", 10, 4, 1);
    for (size_t q = 0; q < sizeof words / sizeof *words; q++) {
        const char *arguments[8] = {"fit"};
        for (size_t a = 0; a < 5 && words[q].arguments[a]; a++)
            arguments[1 + a] = words[q].arguments[a];
        struct outcome outcome = scratch_run(&scratch, arguments);
        fit_expect(&outcome, words[q].says, 2, words[q].says);
        cr_expect(zero(sz, strlen(outcome.out)), "%s: a refusal prints no cluster", words[q].says);
        outcome_fini(&outcome);
    }
}

/* The shift is the least time, 0.2 s and the 1/n-th of a mean at most. */
Test(fit, prints_a_cluster_that_runs) {
    write_times("t.csv", 50, 8, 1.5);
    struct outcome outcome = FIT("t.csv");
    fit_expect(&outcome, "fit", 0, "400 times of 8 workers");
    cr_expect(ne(ptr, strstr(outcome.out, "count: 8"), NULL), "%s", outcome.out);
    cr_expect(ne(ptr, strstr(outcome.out, "{type: shifted-exponential, shift: 0.20"), NULL), "%s",
              outcome.out);
    fit_expect_runs(&scratch, outcome.out);
    outcome_fini(&outcome);
}

Test(fit, gzip_and_columns_alone) {
    write_times("t.csv", 50, 8, 1.5);
    struct outcome plain = FIT("t.csv");
    char command[256];
    snprintf(command, sizeof command, "gzip -k %s/t.csv", scratch.path);
    cr_assert(zero(int, system(command)));
    struct outcome zipped = FIT("t.csv.gz");
    cr_expect(eq(str, zipped.out, plain.out));
    struct outcome alone = FIT("t.csv", "--columns", "value=seconds", "--scale", "1ms");
    fit_expect(&alone, "alone", 0, "400 times of 1 worker");
    cr_expect(ne(ptr, strstr(alone.out, "shift: 0.00020"), NULL), "%s", alone.out);
    outcome_fini(&plain);
    outcome_fini(&zipped);
    outcome_fini(&alone);
}

Test(fit, draws_and_keeps_what_is_there) {
    write_times("t.csv", 30, 4, 1);
    struct outcome drawn = FIT("t.csv", "--plot");
    fit_expect(&drawn, "plot", 0, "2 pictures in fit-t/figures");
    cr_expect(eq(int, strncmp(drawn.out, "cluster:", 8), 0), "stdout is a scenario's alone: %s", drawn.out);
    char *picture = scratch_text(&scratch, "fit-t/figures/fit.svg");
    cr_expect(ne(ptr, picture, NULL));
    free(picture);
    char *manifest = scratch_text(&scratch, "fit-t/manifest.json");
    cr_expect(ne(ptr, strstr(manifest, "t.csv"), NULL), "%s", manifest);
    cr_expect(eq(ptr, strstr(manifest, "\"files\": []"), NULL), "%s", manifest);
    free(manifest);
    struct outcome again = FIT("t.csv", "--plot");
    fit_expect(&again, "again", 2, "fit-t exists already; --force replaces it");
    cr_expect(eq(ptr, strstr(again.err, "workers"), NULL), "refused before the work: %s", again.err);
    struct outcome forced = FIT("t.csv", "--plot", "--force");
    fit_expect(&forced, "forced", 0, "2 pictures");
    outcome_fini(&drawn);
    outcome_fini(&again);
    outcome_fini(&forced);
}

/* The folder holds what its figure is made of, and nothing of a study. */
Test(fit, its_folder_is_drawn_again) {
    write_times("t.csv", 30, 4, 1);
    struct outcome drawn = FIT("t.csv", "--plot");
    struct outcome plotted =
        scratch_run(&scratch, (const char *const[]){"plot", "fit-t", "--format", "svg", NULL});
    cr_expect(zero(int, plotted.exit_code), "%s", plotted.err);
    cr_expect(eq(str, plotted.out, (char *)"1 picture in fit-t/figures\n"));
    cr_expect(eq(str, plotted.err, (char *)""), "figures of a study are not missed");
    struct outcome other =
        scratch_run(&scratch, (const char *const[]){"plot", "fit-t", "--figure", "timeline", NULL});
    cr_expect(eq(int, other.exit_code, 2), "%s", other.err);
    outcome_fini(&drawn);
    outcome_fini(&plotted);
    outcome_fini(&other);
}

/* No gnuplot, or nothing to draw: the cluster is printed, no folder is left, and an old one stays. */
Test(fit, what_cannot_be_drawn_leaves_nothing) {
    write_times("t.csv", 30, 4, 1);
    scratch_append(&scratch, "same.csv", "seconds\n2\n2\n2\n2\n2\n2\n2\n2\n2\n2\n");
    struct outcome first = FIT("t.csv", "--plot");
    struct outcome same = FIT("same.csv", "--columns", "value=seconds", "--plot");
    fit_expect(&same, "nothing to draw", 1, "all times are equal");
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    struct outcome other = FIT("t.csv", "--plot", "-o", "other"), forced = FIT("t.csv", "--plot", "--force");
    setenv("PATH", path, 1);
    free(path);
    fit_expect(&other, "no gnuplot", 1, "cannot start gnuplot");
    cr_expect(eq(int, strncmp(other.out, "cluster:", 8), 0), "%s", other.out);
    fit_expect(&forced, "no gnuplot, --force", 1, "cannot start gnuplot");
    char *names = scratch_names(&scratch);
    cr_expect(eq(str, names, (char *)"fit-t same.csv t.csv "));
    free(names);
    outcome_fini(&first);
    outcome_fini(&same);
    outcome_fini(&other);
    outcome_fini(&forced);
}

/* Workers of (i + 1) s: six factors about their geometric mean, 720^(1/6) s, and nothing else. */
Test(fit, constant_speeds) {
    scratch_append(&scratch, "t.csv", HEAD);
    for (int r = 0; r < 10; r++)
        for (int i = 0; i < 6; i++)
            scratch_append(&scratch, "t.csv", "%d,%d,%d\n", r, i, i + 1);
    struct outcome law = FIT("t.csv"), own = FIT("t.csv", "--own");
    cr_expect(ne(ptr, strstr(law.out, "compute: {type: constant, value: 2.99379516552"), NULL), "%s",
              law.out);
    cr_expect(ne(ptr, strstr(law.out, "slowness: {type: lognormal, mu: 0, sigma: 0.66"), NULL), "%s",
              law.out);
    double mean = atof(strstr(own.out, "value: ") + 7);
    const char *at = own.out;
    for (int i = 0; i < 6; i++) {
        at = strstr(strstr(at, "slowness: "), "value: ") + 7;
        cr_expect(le(dbl, fabs(mean * atof(at) - (i + 1)), 1e-6), "worker %d: %g s", i, mean * atof(at));
    }
    fit_expect_runs(&scratch, law.out);
    fit_expect_runs(&scratch, own.out);
    outcome_fini(&law);
    outcome_fini(&own);
}

/* A part of the law is 0, and it plays. */
Test(fit, zeros_are_a_part) {
    scratch_append(&scratch, "t.csv", HEAD);
    for (int r = 0; r < 50; r++)
        for (int i = 0; i < 4; i++)
            scratch_append(&scratch, "t.csv", "%d,%d,%.6f\n", r, i, (r * 4 + i) % 8 ? 1 + share_at(r, i) : 0);
    struct outcome outcome = FIT("t.csv");
    fit_expect(&outcome, "zeros", 0, "zeros: 25 of the times are 0, so the law is 0 with probability 0.125");
    fit_expect(&outcome, "uneven", 0,
               "zeros: they are spread over the workers less evenly than by chance; in the cluster all");
    cr_expect(ne(ptr, strstr(outcome.out, "{type: constant, value: 0, weight: 0.125}"), NULL), "%s",
              outcome.out);
    cr_expect(ne(ptr, strstr(outcome.out, "weight: 0.875"), NULL), "%s", outcome.out);
    fit_expect_runs(&scratch, outcome.out);
    outcome_fini(&outcome);
}

/* A row per round; the same times as in a long file. */
Test(fit, wide) {
    write_times("long.csv", 30, 3, 1);
    scratch_append(&scratch, "wide.csv", "step,a,b,c\n");
    for (int r = 0; r < 30; r++)
        scratch_append(&scratch, "wide.csv", "%d,%.6f,%.6f,%.6f\n", r, 0.2 - log(1 - share_at(r, 0)),
                       0.2 - log(1 - share_at(r, 1)), 0.2 - log(1 - share_at(r, 2)));
    struct outcome straight = FIT("long.csv"),
                   wide = FIT("wide.csv", "--layout", "wide", "--columns", "round=step");
    cr_expect(eq(str, wide.out, straight.out));
    cr_expect(eq(str, wide.err, straight.err));
    outcome_fini(&straight);
    outcome_fini(&wide);
}

/* The bootstrap's numbers are others, the fit is not. */
Test(fit, seed) {
    write_times("t.csv", 30, 3, 1);
    struct outcome first = FIT("t.csv"), same = FIT("t.csv", "--seed", "1"),
                   other = FIT("t.csv", "--seed", "2");
    cr_expect(eq(str, first.err, same.err));
    cr_expect(ne(str, first.err, other.err));
    cr_expect(eq(str, first.out, other.out));
    outcome_fini(&first);
    outcome_fini(&same);
    outcome_fini(&other);
}

/* What a spell leaves of a constant time differs by rounding alone. */
Test(fit, a_constant_with_spells) {
    scratch_append(&scratch, "t.csv", HEAD);
    for (int i = 0; i < 10; i++)
        for (int r = 0, slow = 0; r < 300; r++) {
            slow = share_at(r, i) < (slow ? 0.8 : 0.05);
            scratch_append(&scratch, "t.csv", "%d,%d,%s\n", r, i, slow ? "2.5" : "0.5");
        }
    struct outcome outcome = FIT("t.csv");
    cr_expect(ne(ptr, strstr(outcome.out, "compute: {type: constant, value: 0.5}"), NULL), "%s", outcome.out);
    cr_expect(ne(ptr, strstr(outcome.out, "slowdown: 5}"), NULL), "%s", outcome.out);
    fit_expect_runs(&scratch, outcome.out);
    outcome_fini(&outcome);
}

/* Three clumps of times are no law's: each is rejected, the best too. The name of a parameter and its number stand on one
 * line. */
Test(fit, a_law_that_is_rejected) {
    scratch_append(&scratch, "t.csv", HEAD);
    for (int r = 0; r < 500; r++)
        for (int i = 0; i < 5; i++)
            scratch_append(&scratch, "t.csv", "%d,%d,%.6f\n", r, i,
                           (r * 5 + i) % 3 * 2 + 1 + 0.1 * share_at(r, i));
    struct outcome outcome = FIT("t.csv");
    fit_expect(&outcome, "rejected", 0, ", the best, is rejected itself");
    fit_expect(&outcome, "floor", 0, "≤ 0.01");
    fit_expect(&outcome, "p", 0,
               "as 2000 of the times, drawn at random, do; the K-S distance is that of all times");
    for (const char *line = outcome.err; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        size_t blanks = strspn(line, " ");
        cr_expect(not(blanks > 40 && strspn(line + blanks, "-0123456789") > 0), "a number alone: %.120s",
                  line);
    }
    outcome_fini(&outcome);
}
