/* A full disk, as a limit on the size of files tells it: a sentence, and no half of a file under the name of a whole one. */
#include "runs.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const char scenario[] = "name: s\nproblem: {loss: none}\nstop: {steps: 60}\nreplications: 4\n"
                               "cluster: {workers: [{count: 3, delay: {type: exponential, mean: 1}}]}\n"
                               "schemes: [{type: uncoded}, {type: ignore, stragglers: 1}]\n";

/* Each writes more than `bytes`, in a folder that holds results `whole`, the shard `half` of them, and the file `old`. */
static const struct {
    rlim_t bytes;
    const char *arguments[10];
    const char *said, *absent;
} rows[] = {
    {400, {"run", "scenario.yaml", "-o", "new", "-q"}, "cannot write new.partial/", "new"},
    {3000,
     {"run", "scenario.yaml", "-o", "newer", "-q"},
     "steps.csv: File too large; what is finished is kept, and --resume",
     "newer"},
    {400,
     {"merge", "half", "rest", "-o", "merged", "-q"},
     "File too large; --force merges them anew",
     "merged"},
    {400, {"plot", "whole"}, "cannot write whole/figures/", "whole/figures/step-time.csv.partial"},
    {9000,
     {"plot", "whole", "--figure", "step-time"},
     "unfinished: is the disk full?",
     "whole/figures/step-time.svg"},
    {400, {"report", "whole", "-q"}, "cannot write whole/report.html", "whole/report.html"},
    {400, {"trace", "scenario.yaml", "-o", "new.txt"}, "cannot write new.txt: File too large", "new.txt"},
    {400,
     {"trace", "scenario.yaml", "-o", "old", "--force"},
     "cannot write old: File too large",
     "old.partial"},
    {100,
     {"advise", "loss.yaml", "-o", "best.yaml", "--once"},
     "cannot write best.yaml: File too large",
     "best.yaml"},
    {4000,
     {"fit", "times.csv", "-o", "fitted", "--plot"},
     "cannot write fitted.partial/fit.csv",
     "fitted.partial"},
};

static void prepare(const struct scratch *scratch) {
    run_scenario(scratch, "whole", "1", "%s", scenario);
    static const char *const shards[2][8] = {{"run", "scenario.yaml", "--shard", "0/2", "-o", "half", "-q"},
                                             {"run", "scenario.yaml", "--shard", "1/2", "-o", "rest", "-q"}};
    for (size_t s = 0; s < 2; s++) {
        struct outcome outcome = scratch_run(scratch, shards[s]);
        cr_assert(eq(int, outcome.exit_code, 0));
        outcome_fini(&outcome);
    }
    scratch_write_text(scratch, "old", "kept");
    scratch_write_text(scratch, "loss.yaml", scenario);
    scratch_write_text(scratch, "times.csv", "round,worker,seconds\n");
    for (int t = 0; t < 200; t++)
        scratch_append(scratch, "times.csv", "%d,0,%d.5\n%d,1,%d.25\n", t, 1 + t * t % 7, t, 1 + t % 5);
}

/* As a shell starts it, by which a file too large ends a program that does not ask to be told. */
static void as_in_a_shell(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    signal(SIGXFSZ, SIG_DFL);
}

static struct outcome limited(const struct scratch *scratch, rlim_t bytes, const char *const *arguments) {
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){bytes, limit.rlim_max});
    struct outcome outcome = scratch_run(scratch, arguments);
    setrlimit(RLIMIT_FSIZE, &limit);
    return outcome;
}

Test(limits, full_disks_are_told, .timeout = 300) {
    struct scratch scratch;
    bool draws = system("command -v gnuplot >/dev/null") == 0;
    scratch_init(&scratch);
    prepare(&scratch);
    as_in_a_shell();
    for (size_t q = 0; q < sizeof rows / sizeof *rows; q++) {
        if (strcmp(rows[q].arguments[0], "plot") == 0 && !draws)
            continue;
        struct outcome outcome = limited(&scratch, rows[q].bytes, rows[q].arguments);
        char *left = scratch_text(&scratch, rows[q].absent);
        cr_expect(outcome.exit_code == 1 && strstr(outcome.err, rows[q].said), "%s, %zu: %d, %s",
                  rows[q].arguments[0], q, outcome.exit_code, outcome.err);
        cr_expect(left == NULL, "%s, %zu, leaves %s", rows[q].arguments[0], q, rows[q].absent);
        free(left);
        outcome_fini(&outcome);
    }
    char *old = scratch_text(&scratch, "old");
    cr_expect(eq(str, old, (char *)"kept"));
    free(old);
    scratch_fini(&scratch);
}
