#include "../record/scratch.h"
#include "gnuplot.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static struct scratch scratch;
static struct sentence why;

static void set_up(void) {
    scratch = scratch_new();
}
static void tear_down(void) {
    scratch_free(&scratch);
}
TestSuite(gnuplot, .init = set_up, .fini = tear_down);

static void need_gnuplot(void) {
    if (system("command -v gnuplot > /dev/null") != 0)
        cr_skip_test("gnuplot is not installed");
}

static bool run(const char *script, double limit_s) {
    scratch_write(&scratch, "a.gp", script);
    struct gnuplot_job job = {scratch.folder, "a.gp", "x = 1", limit_s};
    return gnuplot_run(&job, &why);
}

Test(gnuplot, runs_a_script_in_its_folder) {
    need_gnuplot();
    cr_expect(run("set print 'said.txt'\nprint x + 1\n", 50), "%s", why.text);
    cr_expect(scratch_holds(&scratch, "said.txt", "2\n"));
}

static const struct {
    const char *script, *complaint;
} broken[] = {
    {"a = 1\nplot 'nothing.csv'\n", "line 2"},
    {"set terminal nonesuch\n", "line 1"},
    {"plot x +\n", "line 1"},
    {"exit status 7\n", "could not draw"},
};

Test(gnuplot, tells_what_is_wrong_with_a_script) {
    need_gnuplot();
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        cr_expect(not(run(broken[i].script, 50)), "%s", broken[i].script);
        cr_expect(strstr(why.text, broken[i].complaint) != NULL, "%s: %s", broken[i].script, why.text);
        cr_expect(strchr(why.text, '\n') == NULL, "%s", why.text);
    }
}

Test(gnuplot, is_not_held_up_by_a_talkative_script) {
    need_gnuplot();
    /* More than a pipe holds. */
    cr_expect(run("do for [i = 1:20000] { print 'a line of some length' }\n", 50), "%s", why.text);
}

Test(gnuplot, ends_a_script_that_takes_too_long) {
    need_gnuplot();
    cr_expect(not(run("while (1) { y = 1 }\n", 0.3)));
    cr_expect(strstr(why.text, "took longer than 0.3 s") != NULL, "%s", why.text);
}

Test(gnuplot, tells_that_it_is_not_installed) {
    setenv("PATH", scratch.folder, 1);
    cr_expect(not(run("", 50)));
    cr_expect(strstr(why.text, "is it installed?") != NULL, "%s", why.text);
}
