/* The picture of a run: from an events.csv written by hand. */
#include "figure.h"
#include "sample_results.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static struct scratch scratch;
static struct sentence why;
static struct diag *notes;
static char scripts[512];

static void set_up(void) {
    const char *source = getenv("LAGGARD_SOURCE");
    cr_assert(source != NULL, "LAGGARD_SOURCE names the source tree");
    if (system("command -v gnuplot > /dev/null") != 0)
        cr_skip_test("gnuplot is not installed");
    snprintf(scripts, sizeof scripts, "%s/analysis", source);
    scratch = scratch_new();
    notes = diag_new();
    static const struct sample_scheme one[] = {{"a", 2, 0.7, 0.9, "loss"}};
    sample_results(&scratch, &(struct sample){one, 1, 4, 20, 1, NULL, 0});
}
static void tear_down(void) {
    diag_free(notes);
    scratch_free(&scratch);
}
TestSuite(timeline, .init = set_up, .fini = tear_down, .timeout = 60);

static int draw(const char *events) {
    scratch_write(&scratch, "events.csv", events);
    struct plot_request request = {.folder = scratch.folder, .figure = "timeline", .scripts = scripts};
    return figures_draw(&request, notes, &why);
}

#define HEADER "point,scheme,replication,time_s,event,worker,step,part\n"

/* The second replication and the second scheme are not shown. */
Test(timeline, the_first_run_is_shown) {
    int pictures = draw(HEADER "0,a,0,0,open,,0,\n"
                               "0,a,0,0,start,0,0,0\n"
                               "0,a,0,0,start,1,0,0\n"
                               "0,a,0,1,finish,0,0,0\n"
                               "0,a,0,1.5,heard,0,0,0\n"
                               "0,a,0,1.5,close,,0,\n"
                               "0,a,0,1.5,used,0,0,0\n"
                               "0,a,0,1.5,update,,0,\n"
                               "0,a,0,1.5,down,1,,\n"
                               "0,a,0,2,end,,,\n"
                               "0,a,1,0,start,4,0,0\n"
                               "0,b,0,0,start,5,0,0\n");
    cr_assert(eq(int, pictures, 2), "%s", why.text);
    char *table = scratch_text(&scratch, "figures/timeline.csv");
    cr_expect_str_eq(table, "kind,worker,step,begin_s,end_s,low,high\n"
                            "compute,0,0,0,1,-0.4,0.4\n"
                            "upload,0,0,1,1.5,-0.4,0.4\n"
                            "discarded,1,0,0,1.5,0.6,1.4\n"
                            "down,1,,1.5,2,0.6,1.4\n"
                            "close,,0,1.5,1.5,-0.5,1.5\n");
    free(table);
}

Test(timeline, without_events_it_is_refused) {
    cr_expect(eq(int, draw(""), 0));
    cr_expect_str_eq(why.text, "no figure timeline: no events were recorded (record: {events: true})");
}

Test(timeline, without_time_there_is_nothing_to_draw) {
    cr_expect(eq(int, draw(HEADER "0,a,0,0,open,,0,\n0,a,0,0,end,,,\n"), 0));
    cr_expect_str_eq(
        why.text,
        "no figure timeline: no worker does anything that takes time in the first run of events.csv");
}

Test(timeline, a_file_that_is_none_is_refused) {
    cr_expect(eq(int, draw("point,scheme,replication,time_s,worker,step\n0,a,0,0,,0\n"), -1));
    cr_expect(strstr(why.text, "has no column event") != NULL, "%s", why.text);
}
