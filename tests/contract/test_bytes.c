/* Same input, same bytes: for any number of threads, for a scheme alone and beside others, for the first replications of
 * more. */
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAME                                                                                                \
    "name: bytes\n"                                                                                          \
    "seed: 5\n"                                                                                              \
    "replications: %d\n"                                                                                     \
    "problem: {loss: logistic, l2: 0.01, batch: 5, data: {type: synthetic, samples: 157, features: 9}}\n"    \
    "optimizer: {learning_rate: 0.3}\n"                                                                      \
    "stop: {steps: 40}\n"                                                                                    \
    "cluster: {workers: [{count: 5, delay: {type: gamma, shape: 2, scale: 1}},\n"                            \
    "                    {count: 7, speed: 0.5, compute: {type: weibull, shape: 2, scale: 1}}]}\n"           \
    "schemes:\n"

static const char *const entries[] = {
    "  - {type: uncoded, label: a}\n",
    "  - {type: ignore, stragglers: 2, late: latest, label: b}\n",
    "  - {type: gc-cr, stragglers: 2, decode: real, label: c}\n",
    "  - {type: isgc-cr, stragglers: 4, late: cancel, label: d}\n",
    "  - {type: pgc-cr, stragglers: 3, late: cancel, label: e}\n",
    "  - {type: pgc-fr, stragglers: 2, warmup: timed, label: f}\n",
};
#define ENTRIES (sizeof entries / sizeof *entries)
static const char *const files[] = {"steps.csv", "runs.csv", "workers.csv"};

static char *result_text(const struct scratch *scratch, const char *folder, const char *file) {
    char name[64];
    snprintf(name, sizeof name, "%s/%s", folder, file);
    char *text = scratch_text(scratch, name);
    cr_assert_not_null(text, "%s", name);
    return text;
}

static void expect_same_file(const struct scratch *scratch, const char *one, const char *other,
                             const char *file) {
    char *a = result_text(scratch, one, file), *b = result_text(scratch, other, file);
    cr_expect(strcmp(a, b) == 0, "%s of %s and %s", file, one, other);
    free(a);
    free(b);
}

Test(bytes, any_number_of_threads, .timeout = 60) {
    struct scratch scratch;
    static const char *const all[] = {"steps.csv", "runs.csv", "workers.csv", "summary.csv", "scenario.yaml"};
    scratch_init(&scratch);
    for (int threads = 1; threads <= 5; threads += 2) {
        char number[8], folder[8];
        snprintf(number, sizeof number, "%d", threads);
        snprintf(folder, sizeof folder, "j%d", threads);
        run_scenario(&scratch, folder, number, FRAME "%s%s%s%s%s%s", 4, entries[0], entries[1], entries[2],
                     entries[3], entries[4], entries[5]);
        for (size_t f = 0; f < sizeof all / sizeof *all; f++)
            expect_same_file(&scratch, "j1", folder, all[f]);
    }
    scratch_fini(&scratch);
}

/* The lines of `whole` that hold the scheme (second field) and a replication (of the third field) below `replications`,
 * after the header, in their order. */
static char *lines_of(const char *whole, const char *scheme, int replications, int replication_field) {
    char *kept = calloc(strlen(whole) + 1, 1), *end = kept;
    for (const char *line = whole; *line; line = strchr(line, '\n') + 1) {
        size_t length = strcspn(line, "\n") + 1;
        const char *field = line;
        for (int f = 0; f < replication_field; f++)
            field = strchr(field, ',') + 1;
        int header = line == whole, ours = strncmp(strchr(line, ',') + 1, scheme, strlen(scheme)) == 0;
        if (header || (ours && atoi(field) < replications)) {
            memcpy(end, line, length);
            end += length;
        }
    }
    return kept;
}

static void expect_part(const struct scratch *scratch, const char *whole, const char *part,
                        const char *scheme) {
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        char *a = result_text(scratch, whole, files[f]), *b = result_text(scratch, part, files[f]);
        char *lines = lines_of(a, scheme, 3, strcmp(files[f], "runs.csv") == 0 ? 3 : 2);
        cr_expect(strcmp(lines, b) == 0, "%s, scheme %s", files[f], scheme);
        free(lines);
        free(a);
        free(b);
    }
}

/* Seven replications of six schemes hold, line for line, the three of each scheme alone. */
Test(bytes, alone_and_beside_others_and_the_first_of_more, .timeout = 60) {
    struct scratch scratch;
    scratch_init(&scratch);
    run_scenario(&scratch, "whole", "2", FRAME "%s%s%s%s%s%s", 7, entries[0], entries[1], entries[2],
                 entries[3], entries[4], entries[5]);
    for (size_t e = 0; e < ENTRIES; e++) {
        char folder[16], scheme[4] = {(char)('a' + e), ','};
        snprintf(folder, sizeof folder, "alone%zu", e);
        run_scenario(&scratch, folder, "1", FRAME "%s", 3, entries[e]);
        expect_part(&scratch, "whole", folder, scheme);
    }
    scratch_fini(&scratch);
}

/* scenario.yaml of a results folder runs as it stands, from anywhere, into the same results. */
Test(bytes, written_scenario_gives_the_same_results, .timeout = 60) {
    struct scratch scratch;
    scratch_init(&scratch);
    run_scenario(&scratch, "first", "2", "# Which?\n#\n# More.\n" FRAME "%s%s%s", 2, entries[1], entries[3],
                 entries[5]);
    const char *const arguments[] = {"run", "first/scenario.yaml", "-o", "second", "-q", NULL};
    struct outcome outcome = scratch_run(&scratch, arguments);
    cr_assert(outcome.exit_code == 0, "%s", outcome.err);
    outcome_fini(&outcome);
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        expect_same_file(&scratch, "first", "second", files[f]);
    expect_same_file(&scratch, "first", "second", "scenario.yaml");
    scratch_fini(&scratch);
}

/* So does that of a sweep, whatever it sweeps. */
static const char *const sweeps[] = {
    "sweep: {schemes.stragglers: [1, 2]}\n",
    "sweep: {optimizer.type: [sgd, adam], seed: [1, 2]}\n",
    "sweep: {\"schemes[1].type\": [gc-cr, isgc-fr]}\n",
    "sweep: {schemes: [[{type: uncoded}, {type: gc-cr, stragglers: 1}], [{type: ignore, stragglers: 1}]]}\n",
    "sweep: {\"schemes[2]\": [{type: pgc-cr, stragglers: 1}, {type: uncoded, decode: real}]}\n",
    "sweep: {cluster.late: [latest, cancel]}\n",
};

Test(bytes, written_sweeps_give_the_same_results, .timeout = 60) {
    for (size_t w = 0; w < sizeof sweeps / sizeof *sweeps; w++) {
        struct scratch scratch;
        scratch_init(&scratch);
        run_scenario(
            &scratch, "first", "2",
            FRAME
            "  - {type: uncoded}\n  - {type: ignore, stragglers: 1}\n  - {type: ignore, stragglers: 2, wait: "
            "{type: all}}\n%s",
            2, sweeps[w]);
        const char *const arguments[] = {"run", "first/scenario.yaml", "-o", "second", "-q", NULL};
        struct outcome outcome = scratch_run(&scratch, arguments);
        cr_assert(outcome.exit_code == 0, "%s%s", sweeps[w], outcome.err);
        outcome_fini(&outcome);
        for (size_t f = 0; f < sizeof files / sizeof *files; f++)
            expect_same_file(&scratch, "first", "second", files[f]);
        scratch_fini(&scratch);
    }
}

/* A point of a sweep whose settings equal an earlier one's repeats its rows. */
Test(bytes, equal_points_repeat_their_rows, .timeout = 60) {
    struct scratch scratch;
    scratch_init(&scratch);
    run_scenario(&scratch, "out", "2", FRAME "%s%ssweep: {schemes.stragglers: [1, 2]}\n", 3, entries[0],
                 entries[2]);
    struct results runs;
    results_init(&runs, &scratch, "out/runs.csv");
    cr_assert(eq(sz, runs.rows, 12));
    for (size_t r = 0; r < 3; r++) {
        cr_expect_str_eq(results_cell(&runs, r, "time_s"), results_cell(&runs, 6 + r, "time_s"));
        cr_expect_str_eq(results_cell(&runs, r, "final_loss"), results_cell(&runs, 6 + r, "final_loss"));
        cr_expect_str_neq(results_cell(&runs, 3 + r, "time_s"), results_cell(&runs, 9 + r, "time_s"));
        cr_expect_str_eq(results_cell(&runs, 6 + r, "point"), "1");
        cr_expect_str_eq(results_cell(&runs, 6 + r, "schemes.stragglers"), "2");
    }
    results_fini(&runs);
    scratch_fini(&scratch);
}

/* Where the scenario allows it, combinations that cannot run are left out, said so, and the others are as ever. */
Test(bytes, invalid_points_are_skipped_and_told, .timeout = 60) {
    struct scratch scratch;
    struct results runs;
    scratch_init(&scratch);
    scratch_write_text(&scratch, "scenario.yaml",
                       "name: skip\nskip_invalid: true\nproblem: {loss: none}\nstop: {steps: 3}\n"
                       "cluster: {workers: [{count: 12}]}\nschemes: [{type: gc-fr, stragglers: 1}]\n"
                       "sweep: {schemes.stragglers: [3, 4, 12, 5]}\n");
    const char *const arguments[] = {"run", "scenario.yaml", "-o", "out", NULL};
    struct outcome outcome = scratch_run(&scratch, arguments);
    cr_assert(eq(int, outcome.exit_code, 0), "%s", outcome.err);
    cr_expect(strstr(outcome.err, "skipped schemes.stragglers = 4: ") != NULL, "%s", outcome.err);
    cr_expect(strstr(outcome.err, "skipped schemes.stragglers = 12: ") != NULL, "%s", outcome.err);
    outcome_fini(&outcome);
    results_init(&runs, &scratch, "out/runs.csv");
    cr_assert(eq(sz, runs.rows, 2));
    cr_expect_str_eq(results_cell(&runs, 0, "schemes.stragglers"), "3");
    cr_expect_str_eq(results_cell(&runs, 1, "schemes.stragglers"), "5");
    cr_expect_str_eq(results_cell(&runs, 1, "point"), "1");
    results_fini(&runs);
    scratch_fini(&scratch);
}

/* Replications that are decided on the way are computed in blocks for all schemes in turn; the rows stand as if their number had
 * been known, and so do the summaries. */
Test(bytes, decided_replications_as_if_they_were_fixed, .timeout = 60) {
    static const char *const all[] = {"steps.csv", "runs.csv", "workers.csv", "summary.csv"};
    struct scratch scratch;
    scratch_init(&scratch);
    for (int decided = 0; decided < 2; decided++) {
        char set[64], folder[8];
        snprintf(set, sizeof set, decided ? "replications={half_width: 1e-9, max: 23}" : "replications=23");
        snprintf(folder, sizeof folder, "%d", decided);
        const char *const arguments[] = {"run", "scenario.yaml", "-o", folder, "-q", "--set", set, NULL};
        char text[2048];
        snprintf(text, sizeof text, FRAME "%s%ssweep: {schemes.stragglers: [1, 2]}\n", 3, entries[0],
                 entries[2]);
        scratch_write_text(&scratch, "scenario.yaml", text);
        struct outcome outcome = scratch_run(&scratch, arguments);
        cr_assert(eq(int, outcome.exit_code, 0), "%s", outcome.err);
        outcome_fini(&outcome);
    }
    for (size_t f = 0; f < sizeof all / sizeof *all; f++)
        expect_same_file(&scratch, "0", "1", all[f]);
    scratch_fini(&scratch);
}
