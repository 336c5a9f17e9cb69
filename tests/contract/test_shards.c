/* A study run in parts, one after the other or under GNU parallel, and merged: the same bytes as in one go. */
#include "folders.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* 3 schemes x 4 points x 3 replications = 36 runs; at points 1 to 3 uncoded and pgc-cr repeat point 0, and so does gc-cr at point 2. */
#define SCENARIO                                                                                             \
    "name: parts\nseed: 3\nreplications: 3\n"                                                                \
    "problem: {loss: logistic, l2: 0.01, data: {type: csv, path: d.csv, label: y}}\n"                        \
    "optimizer: {learning_rate: 0.1}\nstop: {steps: 30, loss: 0.6}\n"                                        \
    "cluster: {workers: [{count: 6, compute: {type: constant, value: 0.5s}, "                                \
    "delay: {type: exponential, mean: 1s}}]}\n"                                                              \
    "schemes: [{type: uncoded, label: \"a,b \\\"c\\\"\"}, {type: gc-cr, stragglers: 1}, "                    \
    "{type: pgc-cr, stragglers: 1}]\n"                                                                       \
    "record: {audit: true, events: true}\nsweep: {\"schemes[1]\": [{type: gc-cr, stragglers: 1}, "           \
    "{type: gc-cr, stragglers: 2}, {type: gc-cr, stragglers: 1, label: again}, {type: gc-cr, stragglers: "   \
    "3}]}\n"

static struct scratch scratch;

static void set_up(void) {
    scratch_init(&scratch);
    scratch_write_text(&scratch, "scenario.yaml", SCENARIO);
    scratch_write_text(&scratch, "d.csv", "x,y\n1,0\n2,1\n3,0\n4,1\n5,1\n6,0\n7,1\n8,1\n");
    run_well(&scratch, "run scenario.yaml -o whole -q");
}
static void tear_down(void) {
    scratch_fini(&scratch);
}
TestSuite(shards, .init = set_up, .fini = tear_down, .timeout = 120);

static void run_shard(int index, int count) {
    char words[128];
    snprintf(words, sizeof words, "run scenario.yaml --shard %d/%d -o of%d/%d -q", index, count, count,
             index);
    run_well(&scratch, words);
}

/* `merge` of the shards, in an order that is not theirs. */
static void merge_words(char *words, size_t room, int count) {
    size_t length = (size_t)snprintf(words, room, "merge");
    for (int index = count; index-- > 0;)
        length += (size_t)snprintf(words + length, room - length, " of%d/%d", count, index);
    snprintf(words + length, room - length, " -o merged%d -q", count);
}

/* With fewer files open at a time than the shards have together. */
static void merge_with_few_files(const char *words) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){64, limit.rlim_max});
    run_well(&scratch, words);
    setrlimit(RLIMIT_NOFILE, &limit);
}

static const int counts[] = {2, 3, 5, 7, 13, 23};

Test(shards, merged_as_in_one_go) {
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        char words[512], merged[16];
        for (int index = 0; index < counts[c]; index++)
            run_shard(index, counts[c]);
        merge_words(words, sizeof words, counts[c]);
        merge_with_few_files(words);
        snprintf(merged, sizeof merged, "merged%d", counts[c]);
        expect_same_folders(&scratch, "whole", merged, merged);
    }
}

/* The merged folder prints what the whole run does. */
Test(shards, merged_prints_the_same) {
    struct outcome whole = run_words(&scratch, "run scenario.yaml -o again"), merged;
    run_shard(0, 2);
    run_shard(1, 2);
    merged = run_words(&scratch, "merge of2/1 of2/0 -o again --force");
    cr_expect_str_eq(merged.out, whole.out);
    cr_expect_str_eq(merged.err, whole.err);
    outcome_fini(&whole);
    outcome_fini(&merged);
}

struct mistake {
    const char *arguments;
    int exit_code;
    const char *sentence;
};
static const struct mistake mistakes[] = {
    {"merge of3/0 of3/2 -o m", 2, "shard 1 of 3 is missing"},
    {"merge of3/0 of3/1 -o m", 2, "shard 2 of 3 is missing"},
    {"merge of3/0 of3/1 of3/1 of3/2 -o m", 2, "of3/1 and of3/1 are the same shard, 1 of 3"},
    {"merge of3/0 of2/1 of3/2 -o m", 2, "of2/1 is one of 2 shards, of3/0 one of 3"},
    {"merge of3/0 other of3/2 -o m", 2, "other belongs to another study"},
    {"merge whole -o m", 2, "whole is not a shard of a study"},
    {"merge of3/0 nowhere -o m", 2, "nowhere is not a shard of a study"},
    {"merge of3/0 cut of3/2 -o m", 2, "cut is incomplete or was changed: not all runs of shard 1"},
    {"merge of3/0 bent of3/2 -o m", 2, "bent is incomplete or was changed: not all runs of shard 1"},
    {"merge of3/0 of3/1 of3/2 -o m -q", 0, ""},
    {"merge of3/0 of3/1 of3/2 -o whole", 2, "whole exists"},
    {"merge nowhere -o m", 2, "nowhere/scenario.yaml"},
    {"merge", 2, "usage: laggard merge"},
    {"run scenario.yaml --shard 3/3", 2, "'--shard' must be I/N"},
    {"run scenario.yaml --shard 1", 2, "'--shard' must be I/N"},
    {"run scenario.yaml --shard 1/2/3", 2, "'--shard' must be I/N"},
    {"run scenario.yaml --shard -1/2", 2, "'--shard' must be I/N"},
    {"run scenario.yaml --shard 0/0", 2, "'--shard' must be I/N"},
    {"run scenario.yaml --shard 0/2 --plot", 2, "--plot draws a whole study"},
    {"run until.yaml --shard 0/2", 2, "--shard needs a fixed number of replications"},
};

static void cut_off(const char *name, size_t bytes) {
    char *text = scratch_text(&scratch, name);
    scratch_write(&scratch, name, text, strlen(text) - bytes);
    free(text);
}

Test(shards, mistakes_are_told) {
    char command[512];
    for (int index = 0; index < 3; index++)
        run_shard(index, 3);
    run_shard(1, 2);
    run_well(&scratch, "run scenario.yaml --shard 1/3 -o other -q --set stop.steps=31");
    snprintf(command, sizeof command, "cd %s && cp -r of3/1 cut && cp -r of3/1 bent", scratch.path);
    cr_assert(eq(int, system(command), 0));
    cut_off("cut/runs.journal", 30);
    char *runs = scratch_text(&scratch, "bent/runs.csv");
    runs[strlen(runs) - 3] ^= 1;
    scratch_write_text(&scratch, "bent/runs.csv", runs);
    free(runs);
    scratch_write_text(
        &scratch, "until.yaml",
        "name: until\nreplications: {half_width: 0.1}\nproblem: {loss: none}\nstop: {steps: 3}\n"
        "cluster: {workers: [{count: 2}]}\nschemes: [{type: uncoded}]\n");
    for (size_t m = 0; m < sizeof mistakes / sizeof *mistakes; m++) {
        struct outcome outcome = run_words(&scratch, mistakes[m].arguments);
        cr_expect(eq(int, outcome.exit_code, mistakes[m].exit_code), "%s", mistakes[m].arguments);
        cr_expect(strstr(outcome.err, mistakes[m].sentence) != NULL, "%s: %s", mistakes[m].arguments,
                  outcome.err);
        outcome_fini(&outcome);
    }
}

static int run_script(const char *arguments) {
    char command[1024];
    snprintf(command, sizeof command,
             "cd %s && LAGGARD=$LAGGARD_BIN JOBS=2 HOME=%s sh $LAGGARD_SOURCE/analysis/%s >printed 2>&1 "
             "</dev/null",
             scratch.path, scratch.path, arguments);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(shards, scripts_tell_a_wrong_number) {
    static const char *const calls[] = {
        "shards-parallel scenario.yaml 0 out", "shards-parallel scenario.yaml -3 out",
        "shards-parallel scenario.yaml 2x out", "shards-slurm scenario.yaml 0 out",
        "shards-slurm scenario.yaml '' out"};
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        cr_expect(eq(int, run_script(calls[c]), 2), "%s", calls[c]);
        char *printed = scratch_text(&scratch, "printed");
        cr_expect(strstr(printed, "SHARDS must be a whole number from 1 on") != NULL, "%s", printed);
        free(printed);
        char *names = scratch_names(&scratch);
        cr_expect(strstr(names, "out.shards") == NULL, "%s left %s", calls[c], names);
        free(names);
    }
}

Test(shards, under_gnu_parallel) {
    if (system("command -v parallel >/dev/null 2>&1") != 0)
        cr_skip_test("GNU parallel is not installed");
    int status = run_script("shards-parallel scenario.yaml 5 out --set stop.steps=30");
    char *printed = scratch_text(&scratch, "printed");
    cr_assert(eq(int, status, 0), "%s", printed);
    free(printed);
    expect_same_folders(&scratch, "whole", "out", "parallel");
}
