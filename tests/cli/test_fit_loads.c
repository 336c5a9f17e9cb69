/* `laggard fit` on files of several loads: the line they lie on, or why the times are not of that kind. */
#include "fit_call.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct scratch scratch;

static void init(void) {
    scratch_init(&scratch);
}

static void fini(void) {
    scratch_fini(&scratch);
}

TestSuite(fit_loads, .init = init, .fini = fini, .timeout = 60);

#define FIT(...) scratch_run(&scratch, (const char *const[]){"fit", __VA_ARGS__, NULL})

/* Three loads of 1.5 s each beside what does not grow: b is 1.5 s within four standard errors, 0.058 s. */
Test(fit_loads, loads) {
    static const char *const names[] = {"a.csv", "b.csv", "c.csv"};
    for (int load = 1; load <= 3; load++) {
        scratch_append(&scratch, names[load - 1], "round,worker,seconds\n");
        for (int r = 0; r < 40; r++)
            for (int i = 0; i < 5; i++)
                scratch_append(&scratch, names[load - 1], "%d,%d,%.6f\n", r, i,
                               1.5 * load + 0.5 + share_at(100 * load + r, i));
    }
    struct outcome outcome = FIT("a.csv:1", "b.csv:2", "c.csv:3");
    fit_expect(&outcome, "loads", 0, "load: time = a + b load");
    cr_expect(ne(ptr, strstr(outcome.out, "compute: {type: constant, value: 1."), NULL), "%s", outcome.out);
    cr_expect(ne(ptr, strstr(outcome.out, "delay: {type: uniform, low: 0."), NULL), "%s", outcome.out);
    double b = atof(strstr(outcome.out, "value: ") + 7);
    cr_expect(le(dbl, fabs(b - 1.5), 0.058), "b = %g", b);
    struct outcome listed = FIT("a.csv", "b.csv", "c.csv", "--loads", "1,2,3");
    cr_expect(eq(str, listed.out, outcome.out));
    fit_expect_runs(&scratch, outcome.out);
    outcome_fini(&outcome);
    outcome_fini(&listed);
}

struct loaded {
    const char *name;
    double per_load_s, square_s; /* of the load, of its square */
    double short_s;              /* one time of load 4; 0: none */
    int code;
    const char *says[3];
};
static const struct loaded lines[] = {
    {"a line",
     1.5,
     0,
     0,
     0,
     {"the mean times lie on this line within chance", "600 times in 3 files of 5 workers each"}},
    {"one short time",
     1.5,
     0,
     5.5,
     0,
     {"load: 1 of 600 times is left out: shorter than b load, by up to ",
      "599 times in 3 files of 5 workers each"}},
    {"a bent line",
     1.5,
     0.05,
     0,
     0,
     {"the mean times do not lie on this line (chi-squared ", "p < 0.001): at load ",
      "where that is too much, fit each file alone"}},
    {"no line",
     0.1,
     1,
     0,
     2,
     {"the times are not b load, always, and a delay of at least 0, as load: additive plays them: ",
      "fit each file alone"}},
};

Test(fit_loads, lines) {
    static const char *const names[] = {"a.csv", "b.csv", "c.csv"};
    for (size_t q = 0; q < sizeof lines / sizeof *lines; q++) {
        for (int f = 0; f < 3; f++) {
            scratch_write_text(&scratch, names[f], HEAD);
            double load = 1 << f;
            for (int r = 0; r < 40; r++)
                for (int i = 0; i < 5; i++)
                    scratch_append(&scratch, names[f], "%d,%d,%.6f\n", r, i,
                                   lines[q].short_s > 0 && f == 2 && r == 0 && i == 0
                                       ? lines[q].short_s
                                       : lines[q].per_load_s * load + lines[q].square_s * load * load + 0.5 +
                                             share_at(100 * f + r, i));
        }
        struct outcome outcome = FIT("a.csv:1", "b.csv:2", "c.csv:4");
        for (int s = 0; s < 3 && lines[q].says[s]; s++)
            fit_expect(&outcome, lines[q].name, lines[q].code, lines[q].says[s]);
        cr_expect(eq(ptr, strstr(outcome.err, "--help"), NULL), "%s: no word on usage", lines[q].name);
        outcome_fini(&outcome);
    }
}

/* A partition's own seconds vary: T = L (0.1 + exponential), drawn once for a task, or the sum of L draws. */
Test(fit_loads, loads_of_other_kinds) {
    static const char *const names[] = {"a.csv", "b.csv", "c.csv"};
    static const char *const says[] = {"as load: multiplicative plays it: fit the file of load 1 alone",
                                       "as load: independent plays it: fit the file of load 1 alone"};
    for (int kind = 0; kind < 2; kind++) {
        for (int f = 0; f < 3; f++) {
            int load = 1 << f;
            scratch_write_text(&scratch, names[f], HEAD);
            for (int r = 0; r < 80; r++)
                for (int i = 0; i < 5; i++) {
                    double time_s = load * (0.1 - log(1 - share_at(1000 * f + r, i)));
                    for (int q = 0; kind == 1 && q < load; q++)
                        time_s = (q > 0 ? time_s : 0) + 0.1 - log(1 - share_at(1000 * f + r, i + 10 * q));
                    scratch_append(&scratch, names[f], "%d,%d,%.6f\n", r, i, time_s);
                }
        }
        struct outcome outcome = FIT("a.csv:1", "b.csv:2", "c.csv:4");
        fit_expect(&outcome, "other loads", 2, says[kind]);
        fit_expect(&outcome, "other loads", 2, "the mean times lie on this line within chance");
        outcome_fini(&outcome);
    }
}
