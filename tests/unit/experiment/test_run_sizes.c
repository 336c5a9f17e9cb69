/* What a run keeps, told before it: vectors counted by hand, n = k = 4 workers, 16 features: 8 bytes each, and a key of 32. */
#include "run_sizes.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>

enum { VECTOR_BYTES = 16 * 8 + 32 };

static const struct {
    const char *plain, *more; /* schemes; the second with what follows */
    const char *further;      /* keys of the scenario of the second alone */
    double vectors;           /* that the second takes beyond the first */
} cases[] = {
    /* gradients of 4 partitions, w, x and the step between */
    {"local, local_steps: 1, label: a", "local, local_steps: 1, label: a", "", 0},
    {"uncoded", "local, local_steps: 1", "", 7},
    /* the sum and the full gradient at an opening */
    {"uncoded", "uncoded", "record: {audit: true}", 2},
    {"local, local_steps: 1", "local, local_steps: 1", "record: {audit: true}", 2},
    /* those, a mean, and full gradients of twice the c = 2 versions in use and the present one */
    {"pgc-fr, stragglers: 1", "pgc-fr, stragglers: 1", "record: {audit: true}", 2 + 1 + 5},
    {"gc-deadline, stragglers: 1, mu: 1", "gc-deadline, stragglers: 1, mu: 1", "record: {audit: true}", 2},
    /* T + 1 = 2 models; audits decode, which takes gradients of 4 partitions in twice as many rounds as are held, B + 1 = 2 */
    {"sr-sgc, B: 1, W: 2, lambda: 1, mu: 1, models: all", "sr-sgc, B: 1, W: 2, lambda: 1, mu: 1, models: all",
     "record: {audit: true}", 2 * (2 + 2 * 2 * 4)},
};

static double bytes_of(const char *scheme, const char *further) {
    struct plan plan;
    struct diag *diag = diag_new();
    char *text = memory_format("problem: {loss: linear, data: {type: synthetic, samples: 40, features: 16}}\n"
                               "stop: {steps: 10}\noptimizer: {learning_rate: 0.1}\n"
                               "cluster: {workers: [{count: 4}]}\nschemes: [{type: %s}]\n%s\n",
                               scheme, further);
    bool good = plan_read(&plan, diag, &(struct plan_request){.file = "text", .text = text});
    if (!good)
        diag_print(diag, stderr);
    cr_assert(good, "%s", scheme);
    double bytes = run_bytes(plan.point[0].scenario, plan.point[0].scenario->scheme);
    free(text);
    diag_free(diag);
    plan_fini(&plan);
    return bytes;
}

Test(run_sizes, walks_and_audits_count) {
    for (size_t q = 0; q < sizeof cases / sizeof *cases; q++) {
        double vectors =
            (bytes_of(cases[q].more, cases[q].further) - bytes_of(cases[q].plain, "")) / VECTOR_BYTES;
        cr_expect(le(dbl, fabs(vectors - cases[q].vectors), 1e-9), "row %zu, %s, %s: %.12g vectors", q,
                  cases[q].more, cases[q].further, vectors);
    }
}
