/* What a study keeps of a finished run: little, and a number that is known. */
#include "folders.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define SCENARIO                                                                                             \
    "name: memory\nproblem: {loss: none}\nstop: {steps: 5}\nrecord: {every: summary}\n"                      \
    "cluster: {workers: [{count: 6, delay: {type: exponential, mean: 1}}]}\n"                                \
    "schemes: [{type: uncoded}, {type: ignore, stragglers: 1}, {type: gc-cr, stragglers: 1}, "               \
    "{type: pgc-cr, stragglers: 1}, {type: isgc-cr, stragglers: 1}]\n"
enum { SCHEMES = 5, FEW = 2000, MANY = 12000 };

/* Of the 5 measures that vary (the end, the mean and three quantiles of the steps) doubles are kept: of the first scheme and
 * one other while replications are given, and one of them once more while it is summed: 5 * 8 * 2 + 8 = 88 bytes a
 * replication of 5 runs. Where they are decided on the way those of all schemes, 5 * 8 = 40 bytes a run and a difference, and the place of each
 * ten runs, 120 bytes in a list that is at most twice as long. A page or two come by chance. */
static const struct kind {
    const char *name, *before, *after; /* what is set, around the number of replications */
    double bytes;                      /* a run, at most */
} kinds[] = {
    {"given", "replications=", "", 88.0 / SCHEMES + 4},
    {"decided", "replications={half_width: 0.000001, max: ", "}", 40 + 8.0 / SCHEMES + 24 + 4},
};

/* The largest memory of a run of so many replications. */
static double largest_bytes(const struct scratch *scratch, const struct kind *kind, int replications) {
    char set[96];
    struct rusage usage;
    int status;
    snprintf(set, sizeof set, "%s%d%s", kind->before, replications, kind->after);
    const char *const words[] = {"run", "scenario.yaml", "-q",    "-j", "1", "-o",
                                 "out", "--force",       "--set", set,  NULL};
    cr_assert(eq(int, wait4(scratch_start(scratch, words), &status, 0, &usage) > 0, 1));
    bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    cr_assert(good, "%s", set);
    return 1024 * (double)usage.ru_maxrss;
}

Test(memory, grows_little_with_finished_runs, .timeout = 300) {
#if defined(__SANITIZE_ADDRESS__)
    cr_skip_test("what is freed is kept aside by the sanitizer");
#endif
    struct scratch scratch;
    scratch_init(&scratch);
    scratch_write_text(&scratch, "scenario.yaml", SCENARIO);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        double few = largest_bytes(&scratch, &kinds[k], FEW), many = largest_bytes(&scratch, &kinds[k], MANY);
        double bytes = (many - few) / ((double)SCHEMES * (MANY - FEW));
        cr_expect(bytes <= kinds[k].bytes, "%s: %.1f bytes a run, not %.1f", kinds[k].name, bytes,
                  kinds[k].bytes);
    }
    scratch_fini(&scratch);
}
