/* What a file from a stranger, or a folder prepared by one, must not do: run anything, write outside the chosen folder, or
 * take memory that there is not. */
#include "results.h"
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char timing[] = "name: %s\n"
                             "problem: {loss: none}\n"
                             "stop: {steps: 3}\n"
                             "cluster: {workers: [{count: 3, delay: {type: exponential, mean: 1}}]}\n"
                             "schemes: [{type: uncoded, label: %s}]\n%s";

static void in_folder(const struct scratch *scratch) {
    cr_assert(eq(int, chdir(scratch->path), 0));
}

static void expect_code(const struct scratch *scratch, int code, const char *said,
                        const char *const *arguments) {
    struct outcome outcome = scratch_run(scratch, arguments);
    cr_expect(outcome.exit_code == code && strstr(outcome.err, said), "laggard %s %s: %d, %s", arguments[0],
              arguments[1], outcome.exit_code, outcome.err);
    outcome_fini(&outcome);
}
#define EXPECT(scratch, code, said, ...)                                                                     \
    expect_code(scratch, code, said, (const char *const[]){__VA_ARGS__, NULL})

/* Each would leave the file `hit` behind where it were run, in a shell or in gnuplot. */
static const char *const hostile[] = {
    "'`touch hit`'",
    "'$(touch hit); touch hit'",
    "\"'; system('touch hit'); a = '\"",
    "\"\\\"; system(\\\"touch hit\\\"); a = \\\"\"",
    "\"''\"",
    "'< touch hit'",
    "'|touch hit'",
    "'@run {/Bold x}^2_3 $1 %s %n \\n'",
    "'</title><script>alert(1)</script><!--'",
    "'<img src=x onerror=alert(1)> & ]]>'",
};

/* The file may lie in the folder, in that of the results or in that of the figures. */
static void expect_nothing_run(const struct scratch *scratch, const char *text) {
    static const char *const places[] = {"hit", "out/hit", "out/figures/hit"};
    for (size_t q = 0; q < sizeof places / sizeof *places; q++) {
        char *found = scratch_text(scratch, places[q]);
        cr_expect(found == NULL, "%s was run in %s", text, places[q]);
        free(found);
    }
    char *page = scratch_text(scratch, "out/report.html");
    cr_expect(page && !strstr(page, "<script") && !strstr(page, "<img src=x"), "%s stands bare on the page",
              text);
    free(page);
}

Test(safety, text_is_never_code, .timeout = 300) {
    struct scratch scratch;
    scratch_init(&scratch);
    for (size_t q = 0; q < sizeof hostile / sizeof *hostile; q++) {
        in_folder(&scratch);
        FILE *file = fopen("s.yaml", "w");
        fprintf(file, timing, hostile[q], hostile[q], "");
        fclose(file);
        EXPECT(&scratch, strchr(hostile[q], '/') ? 2 : 0, "", "run", "s.yaml", "-o", "out", "--plot", "-q",
               "--force");
        file = fopen("s.yaml", "w");
        fprintf(file, timing, "plain", hostile[q], "");
        fclose(file);
        EXPECT(&scratch, 0, "", "run", "s.yaml", "-o", "out", "--plot", "-q", "--force");
        EXPECT(&scratch, 0, "", "report", "out", "-q");
        expect_nothing_run(&scratch, hostile[q]);
    }
    scratch_fini(&scratch);
}

/* Names of files and folders, as results, as a trace to fit. */
Test(safety, names_are_never_code, .timeout = 300) {
    static const char *const names[] = {"< touch hit", "`touch hit`", "$(touch hit)",
                                        "a'b\"c",      "|touch hit",  "a\nb"};
    struct scratch scratch;
    scratch_init(&scratch);
    in_folder(&scratch);
    for (size_t q = 0; q < sizeof names / sizeof *names; q++) {
        char trace[64], fitted[64];
        snprintf(trace, sizeof trace, "%s.csv", names[q]);
        snprintf(fitted, sizeof fitted, "%s-fit", names[q]);
        scratch_write_text(&scratch, trace, "round,worker,seconds\n");
        for (int t = 0; t < 40; t++)
            scratch_append(&scratch, trace, "%d,0,%d.5\n%d,1,%d.25\n", t, 1 + t * t % 7, t, 1 + t % 5);
        FILE *file = fopen("s.yaml", "w");
        fprintf(file, timing, "plain", "plain", "");
        fclose(file);
        EXPECT(&scratch, 0, "", "run", "s.yaml", "-o", names[q], "--plot", "-q");
        EXPECT(&scratch, 0, "", "report", names[q], "-q");
        EXPECT(&scratch, 0, "", "fit", trace, "-o", fitted, "--plot");
        cr_expect(access("hit", F_OK) != 0, "%s was run", names[q]);
    }
    scratch_fini(&scratch);
}

/* Words of data files: labels, workers, and files that a sweep names. */
static const char *const words[] = {"`touch hit`",  "'; system('touch hit'); '",
                                    "< touch hit",  "<script x>",
                                    "$(touch hit)", "\x1b[2J",
                                    "@hit",         "\302\2332J"}; /* U+009B: CSI in one character */

static void write_data(const struct scratch *scratch, const char *word) {
    scratch_write_text(scratch, "d.csv", "a,y\n");
    scratch_write_text(scratch, "t.csv", "round,worker,seconds\n");
    for (int t = 0; t < 40; t++) {
        scratch_append(scratch, "d.csv", "%d,\"%s\"\n", t * t % 7, t % 2 == 0 ? word : "no");
        scratch_append(scratch, "t.csv", "%d,\"%s\",%d.5\n%d,b,%d.25\n", t, word, 1 + t * t % 7, t,
                       1 + t % 5);
    }
}

static void expect_tame(const struct scratch *scratch, const char *word, const char *const *arguments) {
    struct outcome outcome = scratch_run(scratch, arguments);
    cr_expect(eq(int, outcome.exit_code, 0), "%s of %s: %s", arguments[0], word, outcome.err);
    bool speaks = strchr(outcome.out, '\x1b') || strchr(outcome.err, '\x1b') ||
                  strstr(outcome.out, "\xc2\x9b") || strstr(outcome.err, "\xc2\x9b");
    cr_expect(not(speaks), "%s of %s: %s", arguments[0], word, outcome.out);
    cr_expect(access("hit", F_OK) != 0, "%s was run by %s", word, arguments[0]);
    outcome_fini(&outcome);
}
#define EXPECT_TAME(scratch, word, ...) expect_tame(scratch, word, (const char *const[]){__VA_ARGS__, NULL})

Test(safety, words_of_data_are_never_code, .timeout = 300) {
    struct scratch scratch;
    scratch_init(&scratch);
    in_folder(&scratch);
    scratch_write_text(&scratch, "s.yaml",
                       "problem: {loss: logistic, data: {type: csv, path: d.csv}}\n"
                       "optimizer: {learning_rate: 0.1}\nstop: {steps: 3}\n"
                       "cluster: {workers: [{count: 2, delay: {type: trace, path: t.csv}}]}\n"
                       "schemes: [{type: uncoded}, {type: ignore, stragglers: 1}]\n");
    for (size_t q = 0; q < sizeof words / sizeof *words; q++) {
        char file[64], axis[160];
        write_data(&scratch, words[q]);
        EXPECT_TAME(&scratch, words[q], "check", "s.yaml");
        EXPECT_TAME(&scratch, words[q], "run", "s.yaml", "-o", "out", "--plot", "--force");
        EXPECT_TAME(&scratch, words[q], "report", "out");
        expect_nothing_run(&scratch, words[q]);
        EXPECT_TAME(&scratch, words[q], "fit", "t.csv", "-o", "fitted", "--plot", "--force");
        if (words[q][0] < ' ') /* of names of files, refused */
            continue;
        snprintf(file, sizeof file, "%s.csv", words[q]);
        cr_assert(rename("t.csv", file) == 0 && symlink(file, "x.csv") == 0);
        snprintf(axis, sizeof axis, "cluster.workers[0].delay.path=\"%s\",x.csv", file);
        EXPECT_TAME(&scratch, words[q], "run", "s.yaml", "--set", "cluster.workers[0].delay.path=x.csv",
                    "--sweep", axis, "-o", "out", "--plot", "--force");
        EXPECT_TAME(&scratch, words[q], "report", "out");
        expect_nothing_run(&scratch, words[q]);
        cr_assert(unlink("x.csv") == 0);
    }
    scratch_fini(&scratch);
}

/* Rows in which a label has lines of its own, each a command of gnuplot's; what comes of it may be no picture. */
Test(safety, rows_of_a_stranger_are_never_code, .timeout = 300) {
    static const char *const files[] = {"runs.csv", "steps.csv", "summary.csv", "workers.csv"};
    struct scratch scratch;
    scratch_init(&scratch);
    in_folder(&scratch);
    run_scenario(&scratch, "out", "1", timing, "plain", "LABEL", "");
    for (size_t q = 0; q < sizeof files / sizeof *files; q++) {
        char path[32];
        snprintf(path, sizeof path, "out/%s", files[q]);
        char *text = scratch_text(&scratch, path);
        scratch_write_text(&scratch, path, "");
        for (char *at = text, *label; at; at = label ? label + 5 : NULL) {
            label = strstr(at, "LABEL");
            scratch_append(&scratch, path, "%.*s%s", label ? (int)(label - at) : (int)strlen(at), at,
                           label ? "\"a\n! touch hit\nsystem('touch hit')\n\"" : "");
        }
        free(text);
    }
    static const char *const calls[][3] = {{"plot", "out"}, {"report", "out"}};
    for (size_t q = 0; q < 2; q++) {
        struct outcome outcome = scratch_run(&scratch, calls[q]);
        cr_expect(outcome.exit_code >= 0, "%s: %s", calls[q][0], outcome.err);
        outcome_fini(&outcome);
    }
    expect_nothing_run(&scratch, "a label of several lines");
    scratch_fini(&scratch);
}

/* A folder that a stranger prepared does not lead a picture or a page elsewhere. */
Test(safety, links_are_not_followed, .timeout = 300) {
    struct scratch scratch;
    scratch_init(&scratch);
    in_folder(&scratch);
    run_scenario(&scratch, "out", "1", timing, "plain", "plain", "");
    scratch_write_text(&scratch, "precious", "kept");
    cr_assert(mkdir("away", 0777) == 0 && symlink("../away", "out/figures") == 0);
    EXPECT(&scratch, 1, "cannot make out/figures", "plot", "out");
    cr_assert(unlink("out/figures") == 0 && rmdir("away") == 0 && mkdir("out/figures", 0777) == 0);
    static const char *const ends[] = {"partial.svg", "partial.png", "svg", "png", "gp", "csv"};
    for (size_t q = 0; q < sizeof ends / sizeof *ends; q++) {
        char link[64];
        snprintf(link, sizeof link, "out/figures/step-time.%s", ends[q]);
        cr_assert(symlink("../../precious", link) == 0);
    }
    cr_assert(symlink("../precious", "out/report.html") == 0);
    EXPECT(&scratch, 0, "", "plot", "out");
    EXPECT(&scratch, 0, "", "report", "out", "-q");
    char *precious = scratch_text(&scratch, "precious");
    cr_expect(eq(str, precious, (char *)"kept"));
    free(precious);
    cr_assert(symlink("out", "linked") == 0);
    EXPECT(&scratch, 2, "not a folder", "run", "scenario.yaml", "-o", "linked", "--force");
    cr_assert(mkdir("mine", 0777) == 0);
    scratch_write_text(&scratch, "mine/notes", "kept");
    EXPECT(&scratch, 2, "mine is not replaced: it holds notes", "run", "scenario.yaml", "-o", "mine",
           "--force");
    scratch_fini(&scratch);
}

/* The address sanitizer takes more address space than the limit below leaves. */
#if defined(__SANITIZE_ADDRESS__)
#define SHADOWED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SHADOWED 1
#endif
#endif
#ifndef SHADOWED
#define SHADOWED 0
#endif

/* Under a limit far below what is asked for, there is a sentence, not an end. */
Test(safety, memory_is_asked_about_first, .timeout = 300) {
    static const struct {
        const char *file, *text, *said;
    } rows[] = {
        {"data.yaml",
         "problem: {loss: linear, data: {type: synthetic, samples: 400000000, features: 9000}}\n"
         "optimizer: {type: sgd, learning_rate: 1}\nstop: {steps: 3}\n"
         "cluster: {workers: [{count: 3}]}\nschemes: [{type: uncoded}]\n",
         "data.yaml:1:58: error: problem.data.samples: 400000000 samples of 9000 features are about"},
        {"run.yaml",
         "problem: {loss: none}\nstop: {steps: 3}\ncluster: {workers: [{count: 900000}]}\n"
         "schemes: [{type: gc-cr, stragglers: 899999, decode: real}]\n",
         "run.yaml:4:"},
        {"beside.yaml",
         "problem: {loss: linear, batch: 1, data: {type: synthetic, samples: 400000, features: 100}}\n"
         "optimizer: {type: sgd, learning_rate: 1}\nstop: {steps: 3}\n"
         "cluster: {workers: [{count: 200000}]}\nschemes: [{type: ignore, stragglers: 1}]\n",
         "beside.yaml:5:18: error: schemes[0].type: a run of ignore with these parameters would keep about"},
        {"queue.yaml",
         "problem: {loss: none}\nstop: {steps: 1000000000}\ncluster: {workers: [{count: 1000000}]}\n"
         "schemes: [{type: dsag, fresh: 1000000}, {type: m-sgc, B: 999999, W: 1000000, lambda: 1000000}]\n",
         "queue.yaml:4:"},
        {"events.yaml",
         "problem: {loss: none}\nstop: {steps: 1000000000}\ncluster: {workers: [{count: 1000000}]}\n"
         "schemes: [{type: uncoded}]\nrecord: {events: true}\n",
         "events.yaml:5:18: error: record.events: about"},
    };
    if (SHADOWED)
        cr_skip_test("the address sanitizer needs more address space than the test allows");
    struct scratch scratch;
    struct rlimit before, low;
    scratch_init(&scratch);
    getrlimit(RLIMIT_AS, &before);
    low = before;
    low.rlim_cur = (rlim_t)512 << 20;
    for (size_t q = 0; q < sizeof rows / sizeof *rows; q++) {
        scratch_write_text(&scratch, rows[q].file, rows[q].text);
        setrlimit(RLIMIT_AS, &low);
        EXPECT(&scratch, 2, rows[q].said, "check", rows[q].file);
        setrlimit(RLIMIT_AS, &before);
    }
    in_folder(&scratch);
    scratch_write_text(&scratch, "huge.csv", "1");
    cr_assert(truncate("huge.csv", (off_t)1 << 42) == 0);
    EXPECT(&scratch, 2, "huge.csv: error: is larger than the", "fit", "huge.csv");
    scratch_fini(&scratch);
}

/* A named pipe that nobody writes to, wherever a file or folder is asked for, is told at once. */
Test(safety, nothing_is_waited_for, .timeout = 60) {
    static const char *const calls[][5] = {
        {"check", "pipe"},
        {"run", "pipe"},
        {"trace", "pipe"},
        {"advise", "pipe"},
        {"fit", "pipe"},
        {"check", "data.yaml"},
        {"check", "law.yaml"},
        {"plot", "pipe"},
        {"report", "pipe"},
        {"merge", "pipe", "-o", "x"},
        {"run", "law.yaml", "-o", "pipe", "--force"},
    };
    struct scratch scratch;
    scratch_init(&scratch);
    in_folder(&scratch);
    cr_assert(mkfifo("pipe", 0666) == 0);
    scratch_write_text(&scratch, "data.yaml",
                       "problem: {loss: linear, data: {type: csv, path: pipe}}\n"
                       "optimizer: {learning_rate: 1}\nstop: {steps: 3}\n"
                       "cluster: {workers: [{count: 3}]}\nschemes: [{type: uncoded}]\n");
    scratch_write_text(
        &scratch, "law.yaml",
        "problem: {loss: none}\nstop: {steps: 3}\n"
        "cluster: {workers: [{delay: {type: trace, path: pipe}}]}\nschemes: [{type: uncoded}]\n");
    for (size_t q = 0; q < sizeof calls / sizeof *calls; q++) {
        const char *arguments[6] = {NULL};
        memcpy(arguments, calls[q], sizeof calls[q]);
        expect_code(&scratch, 2, "pipe", arguments);
    }
    scratch_fini(&scratch);
}

/* A swept key that is the name of a column beside. */
Test(safety, swept_keys_have_columns_of_their_own, .timeout = 300) {
    struct scratch scratch;
    struct results runs;
    scratch_init(&scratch);
    run_scenario(&scratch, "out", "1", timing, "plain", "plain", "sweep: {seed: [4, 5]}\n");
    results_init(&runs, &scratch, "out/runs.csv");
    cr_expect(eq(str, (char *)results_cell(&runs, 1, "sweep.seed"), (char *)"5"));
    cr_expect(eq(str, (char *)results_cell(&runs, 1, "seed"), (char *)"5"));
    results_fini(&runs);
    EXPECT(&scratch, 0, "", "plot", "out");
    EXPECT(&scratch, 0, "", "report", "out", "-q");
    scratch_fini(&scratch);
}
