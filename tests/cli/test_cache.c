/* Large data files and the binary images beside them, as a user meets them: results are the same bytes with and without. */
#include "scratch.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *sparse_rows(void) {
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    for (long r = 0; r < 12000; r++) {
        fprintf(stream, "%d", r % 2 ? 1 : -1);
        for (long j = r % 3; j < 20; j += 2)
            fprintf(stream, " %ld:%.9g", j + 1, (double)((r * 7919 + j * 104729) % 1000003) / 1000003);
        fputc('\n', stream);
    }
    fclose(stream);
    return text;
}

static char *dense_rows(void) {
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    fputs("x,y,z,outcome\n", stream);
    for (long r = 0; r < 80000; r++)
        fprintf(stream, "%.9g,%.9g,%.9g,%s\n", (r * 7919 % 100003) / 1e5, (r * 104729 % 99991) / 1e5,
                (r * 31 % 997) / 1e3, r % 5 < 2 ? "yes" : "no");
    fclose(stream);
    return text;
}

static const struct {
    const char *name, *file, *data;
    char *(*rows)(void);
} sources[] = {
    {"libsvm", "d.svm", "{type: libsvm, path: d.svm, intercept: true}", sparse_rows},
    {"csv", "d.csv", "{type: csv, path: d.csv, label: outcome, standardize: true}", dense_rows},
};

/* steps.csv of a run; `option`: one more, or NULL. Heap. */
static char *steps_of_run(const struct scratch *scratch, const char *option) {
    const char *const arguments[] = {"run", "s.yaml", "-o", "out", "--force", "-q", option, NULL};
    struct outcome outcome = scratch_run(scratch, arguments);
    cr_assert(eq(int, outcome.exit_code, 0), "%s", outcome.err);
    outcome_fini(&outcome);
    return scratch_text(scratch, "out/steps.csv");
}

static void expect_same(const struct scratch *scratch, const char *option, const char *steps,
                        const char *what) {
    char *again = steps_of_run(scratch, option);
    cr_expect(eq(str, again, (char *)steps), "%s", what);
    free(again);
}

static void expect_images(size_t source) {
    struct scratch scratch;
    char image[32], *rows = sources[source].rows();
    snprintf(image, sizeof image, "%s.laggard-cache", sources[source].file);
    scratch_init(&scratch);
    scratch_write_text(&scratch, sources[source].file, rows);
    scratch_append(
        &scratch, "s.yaml",
        "problem: {loss: logistic, data: %s}\noptimizer: {learning_rate: 0.1}\nstop: {steps: 3}\n"
        "cluster: {workers: [{count: 4, delay: {type: exponential, mean: 1}}]}\nschemes: [{type: uncoded}]\n",
        sources[source].data);
    char *steps = steps_of_run(&scratch, "--no-cache"), *names = scratch_names(&scratch);
    cr_expect(eq(ptr, strstr(names, "laggard-cache"), NULL), "%s", sources[source].name);
    expect_same(&scratch, NULL, steps, "first read");
    free(names);
    names = scratch_names(&scratch);
    cr_expect(ne(ptr, strstr(names, image), NULL), "%s leaves no image", sources[source].name);
    expect_same(&scratch, NULL, steps, "from the image");
    scratch_write(&scratch, image, "laggard\n", 8);
    expect_same(&scratch, NULL, steps, "past a damaged image");
    expect_same(&scratch, "--no-cache", steps, "without it");
    free(names);
    free(steps);
    free(rows);
    scratch_fini(&scratch);
}

Test(cache, changes_nothing_but_time) {
    for (size_t source = 0; source < sizeof sources / sizeof *sources; source++)
        expect_images(source);
}
