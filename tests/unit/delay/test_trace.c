/* Replay of measured times: ranks, layouts, what follows the last round, missing cells, mistakes, real files. */
#include "../base/sketch.h"
#include "given_law.h"
#include "measured.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_CELLS = 8 };

/* What `members` workers meet in the first steps: cell [t * members + i]. */
struct replayed {
    const char *name, *file, *law;
    uint32_t members, steps;
    double seconds[MOST_CELLS];
};

static const struct replayed replays[] = {
    {"rounds and workers are ranks, in whatever order rows come",
     "seconds,worker,note,round\n4,20,x,7\n1,-3,y,0.5\n2,20,,0.5\n3,-3,z,7\n",
     "{type: trace, path: t.csv}",
     2,
     2,
     {1, 2, 3, 4}},
    {"words rank in alphabetical order",
     "round,worker,seconds\n2026-02-01,node-b,4\n2026-01-31,node-b,2\n2026-02-01,node-a,3\n2026-01-31,node-a,"
     "1\n",
     "{type: trace, path: t.csv}",
     2,
     2,
     {1, 2, 3, 4}},
    {"columns by name, scaled",
     ",worker,gpu,time,ms\n0,0,25,1,476\n1,1,25,1,509\n2,0,25,11,1\n3,1,25,11,2\n",
     "{type: trace, path: t.csv, columns: {round: time, value: ms}, scale: 1ms}",
     2,
     2,
     {0.476, 0.509, 0.001, 0.002}},
    {"a group from the second worker on",
     "round,worker,seconds\n0,0,1\n0,1,2\n0,2,3\n",
     "{type: trace, path: t.csv, first: 1}",
     2,
     1,
     {2, 3}},
    {"wrap", "round,worker,seconds\n0,0,1\n1,0,2\n", "{type: trace, path: t.csv}", 1, 5, {1, 2, 1, 2, 1}},
    {"wide", "a,b\n1,2\n3,4\n", "{type: trace, path: t.csv, layout: wide}", 2, 2, {1, 2, 3, 4}},
    {"wide with a round column",
     "a,round,b\n3,9,4\n1,8,2\n",
     "{type: trace, path: t.csv, layout: wide}",
     2,
     2,
     {1, 2, 3, 4}},
    {"skip, of a row that is absent and of an empty value",
     "round,worker,seconds\n0,0,1\n1,0,\n1,1,4\n",
     "{type: trace, path: t.csv, missing: skip}",
     2,
     2,
     {1, NAN, NAN, 4}},
    {"median of the worker's own values",
     "round,worker,seconds\n0,0,1\n1,0,\n2,0,4\n3,0,2\n0,1,7\n1,1,\n2,1,8\n3,1,100\n",
     "{type: trace, path: t.csv, missing: median, first: 1}",
     1,
     4,
     {7, 8, 8, 100}},
    {"median of an even number of values",
     "a\n1\n4\n\"\"\n2\n9\n",
     "{type: trace, path: t.csv, layout: wide, missing: median}",
     1,
     5,
     {1, 4, 3, 2, 9}},
    {"holes of workers outside the group do not matter",
     "round,worker,seconds\n0,0,1\n0,1,2\n1,0,3\n",
     "{type: trace, path: t.csv}",
     1,
     2,
     {1, 3}},
    {"a trace as part of a mixture",
     "round,worker,seconds\n0,0,1\n1,0,2\n",
     "{type: mixture, parts: [{weight: 1, type: trace, path: t.csv}]}",
     1,
     3,
     {1, 2, 1}},
};

/* Up to the rounding of the scale and of the product. */
static bool nearly(double found, double expected) {
    return fabs(found - expected) <= 4e-16 * expected;
}

/* Whether a step stands already, which then is what it has; what is not there has no order. */
static bool stands(const struct replayed *one, struct given_law *given, uint32_t step) {
    struct occasion occasion = occasion_at(0, step);
    struct stored_row row;
    double least = (double)INFINITY, most = 0;
    if (!law_stored(&given->law, &occasion.draw, one->members, &row))
        return false;
    for (uint32_t m = 0; m < one->members; m++) {
        double sample = given_sample(given, m, step);
        cr_expect(row.seconds[m] == sample || (isnan(row.seconds[m]) && isnan(sample)), "%s", one->name);
        least = fmin(least, sample);
        most = fmax(most, sample);
    }
    cr_expect(eq(dbl, row.least_s, least), "%s", one->name);
    cr_expect(eq(dbl, row.most_s, most), "%s", one->name);
    return true;
}

Test(trace, rows_that_are_not_scaled_stand_already) {
    for (size_t k = 0; k < sizeof replays / sizeof *replays; k++) {
        const struct replayed *one = &replays[k];
        struct measured measured = measured_new(one->file);
        struct given_law given = given_law(one->law, one->members, measured.folder);
        bool plain = !strstr(one->law, "scale") && !strstr(one->law, "mixture");
        for (uint32_t t = 0; t < one->steps; t++)
            cr_expect(eq(int, stands(one, &given, t), plain), "%s", one->name);
        given_law_fini(&given);
        measured_free(&measured);
    }
}

Test(trace, replays) {
    for (size_t k = 0; k < sizeof replays / sizeof *replays; k++) {
        const struct replayed *one = &replays[k];
        struct measured measured = measured_new(one->file);
        struct given_law given = given_law(one->law, one->members, measured.folder);
        char *told = messages(given.diag);
        cr_assert(given.accepted, "%s: %s", one->name, told);
        for (uint32_t c = 0; c < one->members * one->steps; c++) {
            double found = given_sample(&given, c % one->members, c / one->members);
            bool same = isnan(one->seconds[c]) ? isnan(found) : nearly(found, one->seconds[c]);
            cr_expect(same, "%s: worker %u, step %u: %g", one->name, c % one->members, c / one->members,
                      found);
        }
        free(told);
        given_law_fini(&given);
        measured_free(&measured);
    }
}

Test(trace, stop_says_how_many_rounds_there_are) {
    struct measured measured = measured_new("round,worker,seconds\n0,0,1\n1,0,2\n2,0,3\n");
    struct given_law given = given_law("{type: trace, path: t.csv, beyond: stop}", 1, measured.folder);
    cr_expect(eq(u32, law_rounds(&given.law), 3));
    cr_expect(eq(dbl, given_sample(&given, 0, 2), 3));
    given_law_again(&given, "{type: trace, path: t.csv}", 1, measured.folder);
    cr_expect(eq(u32, law_rounds(&given.law), UINT32_MAX));
    given_law_again(&given,
                    "{type: mixture, parts: [{weight: 1, type: never}, "
                    "{weight: 1, type: trace, path: t.csv, beyond: stop}]}",
                    1, measured.folder);
    cr_expect(eq(u32, law_rounds(&given.law), 3), "a mixture ends with its shortest part");
    given_law_again(&given, "{type: never}", 1, measured.folder);
    cr_expect(eq(u32, law_rounds(&given.law), UINT32_MAX));
    given_law_fini(&given);
    measured_free(&measured);
}

/* Worker w of round r has 10 r + w: one round for all workers and all purposes, and all rounds in turn. */
Test(trace, bootstrap_replays_whole_rounds) {
    enum { ROUNDS = 4, STEPS = 4000 };
    struct measured measured = measured_new("a,b,c\n0,1,2\n10,11,12\n20,21,22\n30,31,32\n");
    struct given_law given =
        given_law("{type: trace, path: t.csv, layout: wide, beyond: bootstrap}", 3, measured.folder);
    int seen[ROUNDS] = {0};
    for (uint32_t t = 0; t < STEPS; t++) {
        double first = given_sample(&given, 0, t);
        cr_assert(eq(dbl, given_sample(&given, 1, t), first + 1), "step %u", t);
        struct occasion computing = occasion_at(2, t);
        computing.draw.stream.purpose = PURPOSE_COMPUTE;
        computing.draw.draw = LAW_DRAWS;
        cr_assert(eq(dbl, law_sample(&given.law, computing), first + 2), "step %u", t);
        seen[(int)first / 10]++;
    }
    /* Five standard errors of a binomial count with probability 1/4. */
    for (int r = 0; r < ROUNDS; r++)
        cr_expect(abs(seen[r] - STEPS / ROUNDS) < 5 * sqrt(STEPS * 3.0 / 16), "round %d: %d times", r,
                  seen[r]);
    given_law_fini(&given);
    measured_free(&measured);
}

Test(trace, files_are_read_once) {
    struct measured measured = measured_new("round,worker,seconds\n0,0,1\n0,1,2\n");
    struct given_law given = given_law("{type: trace, path: t.csv}", 2, measured.folder);
    given_law_again(&given, "{type: empirical, path: t.csv}", 2, measured.folder);
    measured_remove_file(&measured);
    given_law_again(&given, "{type: trace, path: t.csv, scale: 1ms}", 2, measured.folder);
    cr_expect(given.accepted, "another scale");
    cr_expect(eq(dbl, given_sample(&given, 1, 0), 0.002));
    given_law_again(&given, "{type: trace, path: t.csv, first: 1, missing: skip}", 1, measured.folder);
    cr_expect(given.accepted, "another cut");
    cr_expect(eq(dbl, given_sample(&given, 0, 0), 2));
    given_law_again(&given, "{type: empirical, path: t.csv, scale: 2s}", 2, measured.folder);
    cr_expect(given.accepted, "the same column");
    given_law_fini(&given);
    measured_free(&measured);
}

/* A step function of four values: the ceil(4 p)-th smallest. */
Test(empirical, is_a_step_function) {
    struct measured measured = measured_new("name,ms\na,40\nb,10\nc,30\nd,20\n");
    struct given_law given =
        given_law("{type: empirical, path: t.csv, column: ms, scale: 1ms}", 1, measured.folder);
    static const struct {
        double p, seconds;
    } steps[] = {{1e-9, 0.01}, {0.25, 0.01}, {0.26, 0.02}, {0.5, 0.02},
                 {0.51, 0.03}, {0.75, 0.03}, {0.76, 0.04}};
    cr_assert(given.accepted);
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        cr_expect(eq(dbl, law_quantile(&given.law, steps[k].p), steps[k].seconds), "p = %g", steps[k].p);
    cr_expect(eq(dbl, law_cdf(&given.law, 0.025), 0.5));
    cr_expect(eq(dbl, law_cdf(&given.law, 0.03), 0.75));
    given_law_fini(&given);
    measured_free(&measured);
}

struct mistaken {
    const char *file, *law;
    uint32_t members;
    const char *place, *sentence;
};

#define TRACE "{type: trace, path: t.csv}"
#define WIDE  "{type: trace, path: t.csv, layout: wide}"
#define ECDF  "{type: empirical, path: t.csv}"

static const struct mistaken mistakes[] = {
    {"", TRACE, 1, "t.csv: error", "empty"},
    {"round,worker,seconds\n", TRACE, 1, "t.csv: error", "no rows"},
    {"round,worker,second\n0,0,1\n", TRACE, 1, "sketch:1:", "no column 'seconds' (did you mean 'second'?)"},
    {"a,b\n0,1\n", TRACE, 1, "sketch:1:", "columns.worker: "},
    {"a,b\n0,1\n", TRACE, 1, "sketch:1:", "no column 'round': its columns are 'a', 'b'"},
    {"round,worker,seconds\n0,0,fast\n", TRACE, 1, "t.csv:2:", "fast"},
    {"round,worker,seconds\n0,0,1\n0,x,1\n", TRACE, 1, "t.csv:3:3: error",
     "holds a number in other rows, here 'x'"},
    {"round,worker,seconds\n0,0,nan\n", TRACE, 1, "t.csv:2:", "nan"},
    {"round,worker,seconds\n0,0,inf\n", TRACE, 1, "t.csv:2:", "inf"},
    {"round,worker,seconds\n0,0,1\n0,1,-2\n", TRACE, 2, "t.csv:3:5: error", "must be at least 0, found -2"},
    {"round,worker,seconds\n0,0,1\n,1,2\n", TRACE, 1, "t.csv:3:1: error", "does not say its round"},
    {"round,worker,seconds\n0,0,1\n0,,2\n", TRACE, 1, "t.csv:3:3: error", "does not say its worker"},
    {"round,worker,seconds\n5,0,1\n6,0,1\n5,0,3\n", TRACE, 1, "t.csv:4:5: error",
     "round 5 of worker 0 stands on line 2 already"},
    {"note,round,worker,seconds\n\"a, b\nc\",0,0,1\n\n\"\xc3\xa4,\", 1 ,0, -2\n", TRACE, 1,
     "t.csv:5:13: error", "must be at least 0, found -2"},
    {"round,a\n1,4\n1,5\n", WIDE, 1, "t.csv:3:3: error", "stands on line 2 already"},
    {"round\n1\n2\n", WIDE, 1, "t.csv: error", "no column of a worker"},
    {"a,b\n1,2\n3\n", WIDE, 2, "t.csv:3", ""},
    {"a,b\n1,2\n3,\n", WIDE, 2,
     "sketch:1:1: error: missing: ", "has no value for round 1 of worker 'b' (on line 3): write missing"},
    {"round,worker,seconds\n0,0,1\n0,1,2\n7,1,2\n", TRACE, 2,
     "missing: ", "t.csv has no value for round 7 of worker 0 (near line 3): write"},
    {"round,worker,seconds\nb,x,1\nb,y,2\na,y,2\n", TRACE, 2,
     "missing: ", "t.csv has no value for round 'a' of worker 'x' (near line 4): write"},
    {"round,worker,seconds\nb,x,1\nb,x,2\n", TRACE, 2, "t.csv:3:5: error",
     "round 'b' of worker 'x' stands on line 2 already"},
    {"round,worker,seconds\n0,x,\n0,y,2\n", "{type: trace, path: t.csv, missing: median}", 2, "t.csv: error",
     "worker 'x' has no value at all"},
    {"a,b\n1,\n3,\n", WIDE, 2, "(on line 2)", "and 1 more like it"},
    {"a,b\n1,\n3,\n", "{type: trace, path: t.csv, layout: wide, missing: median}", 2, "t.csv: error",
     "worker 'b' has no value at all"},
    {"a,b\n1,\n3,\n", "{type: trace, path: t.csv, layout: wide, missing: skip, first: 1}", 1, "t.csv: error",
     "no value for any worker of the group"},
    {"a,b\n1,2\n", WIDE, 3, "sketch:1:1: error",
     "the trace has 2 workers, but the group needs 3 from number 0 on"},
    {"a,b\n1,2\n", "{type: trace, path: t.csv, layout: wide, first: 4294967290}", 2, "sketch:1:1: error",
     "has 2 workers"},
    {"a\n1e300\n", "{type: trace, path: t.csv, layout: wide, scale: 1e10}", 1,
     "sketch:1:", "too large for a time"},
    {"a\n1\n", "{type: trace, path: none.csv}", 1, "none.csv", ""},
    {"a\n1\n", "{type: trace, path: t.csv, beyond: warp}", 1, "sketch:1:", "wrap"},
    {"a\n1\n", "{type: trace, path: t.csv, columns: {rounds: a}}", 1, "sketch:1:", "did you mean 'round'?"},
    {"second\n1\n", ECDF, 1, "sketch:1:", "no column 'seconds' (did you mean 'second'?)"},
    {"seconds\n1\n-1\n", ECDF, 1, "t.csv:3:1: error", "must be at least 0, found -1"},
    {"seconds,b\n1,1\n,1\n", ECDF, 1, "t.csv:3:", "empty"},
    {"seconds\n1e300\n", "{type: empirical, path: t.csv, scale: 1e10}", 1,
     "sketch:1:", "too large for a time"},
};

Test(trace, mistakes_are_told_at_their_place) {
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
        const struct mistaken *one = &mistakes[k];
        struct measured measured = measured_new(one->file);
        struct given_law given = given_law(one->law, one->members, measured.folder);
        char *told = messages(given.diag);
        cr_expect(diag_errors(given.diag) > 0 && !given.accepted, "%zu: %s", k, one->file);
        cr_expect(strstr(told, one->place) && strstr(told, one->sentence), "%zu: '%s' at '%s' in: %s", k,
                  one->sentence, one->place, told);
        free(told);
        given_law_fini(&given);
        measured_free(&measured);
    }
}

/* A round number in the worker's place: as many rounds as rows, of as many workers. */
Test(trace, a_matrix_of_holes_is_refused) {
    char *text = memory_format("round,worker,seconds\n");
    for (int row = 0; row < 3000; row++) {
        char *longer = memory_format("%s%d,%d,1\n", text, row, row);
        free(text);
        text = longer;
    }
    struct measured measured = measured_new(text);
    struct given_law given = given_law("{type: trace, path: t.csv, missing: skip}", 1, measured.folder);
    char *told = messages(given.diag);
    cr_expect(given.accepted == false);
    cr_expect(strstr(told, "3000 rows make 3000 rounds of 3000 workers") != NULL, "%s", told);
    free(told);
    free(text);
    given_law_fini(&given);
    measured_free(&measured);
}

/* Files measured by others, where they are at hand: LAGGARD_SHARED, else beside the source folder. */
struct measured_file {
    const char *name, *law;
    uint32_t members, rounds, worker, step; /* of one cell */
    double seconds;
};

#define PAI_COLUMNS "columns: {round: time, worker: worker, value: batch_time_norm}, scale: 1ms, beyond: stop"

static const struct measured_file measured_files[] = {
    {"pai-job1.csv", "{type: trace, path: pai-job1.csv, " PAI_COLUMNS "}", 10, 300, 1, 0, 0.509},
    {"pai-job4.csv", "{type: trace, path: pai-job4.csv, missing: median, " PAI_COLUMNS "}", 10, 2183, 1, 0,
     0.059},
    {"lambda-cnn-load000.csv", "{type: trace, path: lambda-cnn-load000.csv, beyond: stop}", 256, 30, 1, 0,
     0.6371898},
};

static const char *traces_folder(struct arena *arena) {
    const char *shared = getenv("LAGGARD_SHARED"), *source = getenv("LAGGARD_SOURCE");
    const char *folder = shared ? arena_format(arena, "%s/data/traces", shared)
                                : arena_format(arena, "%s/../shared/data/traces", source ? source : ".");
    return access(folder, R_OK) == 0 ? folder : NULL;
}

Test(trace, measured_files) {
    struct arena *arena = arena_new();
    const char *folder = traces_folder(arena);
    if (!folder) {
        arena_free(arena);
        cr_skip_test("no measured traces here: set LAGGARD_SHARED to the folder that holds data/traces");
    }
    for (size_t k = 0; k < sizeof measured_files / sizeof *measured_files; k++) {
        const struct measured_file *one = &measured_files[k];
        struct given_law given = given_law(one->law, one->members, folder);
        char *told = messages(given.diag);
        cr_assert(given.accepted, "%s: %s", one->name, told);
        cr_expect(eq(u32, law_rounds(&given.law), one->rounds), "%s", one->name);
        cr_expect(nearly(given_sample(&given, one->worker, one->step), one->seconds), "%s", one->name);
        free(told);
        given_law_fini(&given);
    }
    arena_free(arena);
}

Test(trace, the_missing_cell_of_a_measured_file) {
    struct arena *arena = arena_new();
    const char *folder = traces_folder(arena);
    if (!folder) {
        arena_free(arena);
        cr_skip_test("no measured traces here: set LAGGARD_SHARED to the folder that holds data/traces");
    }
    struct given_law given = given_law("{type: trace, path: pai-job4.csv, " PAI_COLUMNS "}", 10, folder);
    char *told = messages(given.diag);
    cr_expect(given.accepted == false);
    cr_expect(strstr(told, "pai-job4.csv has no value for round 21821 of worker 9 (near line ") != NULL, "%s",
              told);
    free(told);
    given_law_fini(&given);
    arena_free(arena);
}
