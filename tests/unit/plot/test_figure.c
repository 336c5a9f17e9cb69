#include "figure.h"
#include "gnuplot.h"
#include "sample_results.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct scratch scratch;
static struct sentence why;
static struct diag *notes;
static char scripts[512];

static void set_up(void) {
    const char *source = getenv("LAGGARD_SOURCE");
    cr_assert(source != NULL, "LAGGARD_SOURCE names the source tree");
    snprintf(scripts, sizeof scripts, "%s/analysis", source);
    scratch = scratch_new();
    notes = diag_new();
    why.text[0] = '\0';
}
static void tear_down(void) {
    diag_free(notes);
    scratch_free(&scratch);
}
TestSuite(figure, .init = set_up, .fini = tear_down);

static void need_gnuplot(void) {
    if (system("command -v gnuplot > /dev/null") != 0)
        cr_skip_test("gnuplot is not installed");
}

static int draw(const char *figure) {
    return figures_draw(
        &(struct plot_request){.folder = scratch.folder, .figure = figure, .scripts = scripts}, notes, &why);
}

/* The notes as text, heap. */
static char *notes_text(void) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    diag_print(notes, out);
    fclose(out);
    return text;
}

static const struct sample_scheme two[] = {{"Uncoded", 2, 0.7, 0.9, "loss"}, {"GC-FR", 1, 0.7, 0.8, "loss"}};

Test(figure, every_figure_leaves_table_script_and_pictures) {
    need_gnuplot();
    static const char *const names[] = {"loss-time", "loss-steps", "step-time", "time-to-target"};
    static const char *const kinds[] = {"csv", "gp", "svg", "png"};
    sample_results(&scratch, &(struct sample){two, 2, 4, 20, 1, NULL});
    cr_expect(eq(int, draw(NULL), 8), "%s", why.text);
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++) {
            char name[64];
            snprintf(name, sizeof name, "figures/%s.%s", names[i], kinds[k]);
            char *text = scratch_text(&scratch, name);
            cr_expect(text != NULL && strlen(text) > 0, "%s", name);
            free(text);
        }
    char *text = notes_text();
    cr_expect(eq(str, text, (char *)""));
    free(text);
}

Test(figure, the_script_beside_the_picture_draws_it_again) {
    need_gnuplot();
    sample_results(&scratch, &(struct sample){two, 2, 4, 20, 3, "schemes.stragglers"});
    cr_assert(eq(int, draw("loss-time"), 2), "%s", why.text);
    char *first = scratch_text(&scratch, "figures/loss-time.svg");
    cr_assert(unlink(scratch_path(&scratch, "figures/loss-time.svg")) == 0);
    struct gnuplot_job again = {scratch_path(&scratch, "figures"), "loss-time.gp", "", 100};
    cr_assert(gnuplot_run(&again, &why), "%s", why.text);
    cr_expect(scratch_holds(&scratch, "figures/loss-time.svg", first));
    free(first);
}

Test(figure, loss_table_holds_the_median_and_its_band) {
    need_gnuplot();
    static const struct sample_scheme one[] = {{"A, \"b\"", 1, 8, 0.5, "steps"}};
    sample_results(&scratch, &(struct sample){one, 1, 1, 2, 1, NULL});
    cr_expect(eq(int, draw("loss-steps"), 2), "%s", why.text);
    cr_expect(scratch_holds(&scratch, "figures/loss-steps.csv",
                            "panel,curve,step,loss_median,loss_p10,loss_p90,runs,point,scheme\n"
                            "1,1,0,8,,,1,0,\"A, \"\"b\"\"\"\n"
                            "1,1,1,4,,,1,0,\"A, \"\"b\"\"\"\n"
                            "1,1,2,2,,,1,0,\"A, \"\"b\"\"\"\n"));
}

Test(figure, step_time_is_the_ratio_of_means_with_a_paired_interval) {
    need_gnuplot();
    scratch_write(&scratch, "runs.csv",
                  "point,scheme,replication,status,step_mean_s\n"
                  "0,a,0,steps,1\n0,a,1,steps,2\n0,a,2,steps,3\n"
                  "0,b,0,steps,2.5\n0,b,1,steps,4\n0,b,2,steps,5.5\n"
                  "0,c,0,stalled,\n0,c,1,steps,6\n0,c,2,stalled,\n");
    cr_expect(eq(int, draw("step-time"), 2), "%s", why.text);
    /* b: ratio 2, residuals 0.5, 0, -0.5: s^2 = 0.25, half width t(0.975; 2) 0.5 / (sqrt(3) 2) = 4.302653 0.144338 =
     * 0.621034. c: its one replication against the same one of a, 6/2. Numbers to 6 digits of the t quantile. */
    char *text = scratch_text(&scratch, "figures/step-time.csv");
    cr_assert(text != NULL);
    double low = 0, high = 0;
    const char *b = strstr(text, "1,2,2,200,");
    cr_assert(b != NULL, "%s", text);
    cr_assert(eq(int, sscanf(b, "1,2,2,200,%lf,%lf", &low, &high), 2), "%s", text);
    cr_expect(epsilon_eq(dbl, low, 200 - 62.1034, 1e-4));
    cr_expect(epsilon_eq(dbl, high, 200 + 62.1034, 1e-4));
    cr_expect(strstr(text, "1,1,1,100,,,0,a\n") != NULL, "%s", text);
    cr_expect(strstr(text, "1,3,3,300,,,0,c\n") != NULL, "%s", text);
    free(text);
}

Test(figure, time_to_target_says_how_many_runs_reached_it) {
    need_gnuplot();
    sample_results(&scratch, &(struct sample){two, 2, 5, 4, 1, NULL});
    cr_expect(eq(int, draw("time-to-target"), 2), "%s", why.text);
    char *script = scratch_text(&scratch, "figures/time-to-target.gp");
    cr_expect(strstr(script, "['20.0 s   (2 of 5 runs)', '10.0 s   (2 of 5 runs)']") != NULL, "%s", script);
    cr_expect(strstr(script, "logarithmic = 0\n") != NULL, "%s", script);
    free(script);
}

Test(figure, panels_are_named_by_the_swept_key_and_limited) {
    need_gnuplot();
    sample_results(&scratch, &(struct sample){two, 2, 2, 3, 8, "schemes.stragglers"});
    cr_expect(eq(int, draw("loss-time"), 2), "%s", why.text);
    char *script = scratch_text(&scratch, "figures/loss-time.gp");
    cr_expect(strstr(script, "array panels[6] = ['stragglers = 1', 'stragglers = 2',") != NULL, "%s", script);
    cr_expect(strstr(script, "The first 6 of 8 points.") != NULL, "%s", script);
    free(script);
}

Test(figure, curves_are_thinned) {
    need_gnuplot();
    sample_results(&scratch, &(struct sample){two, 1, 1, 5000, 1, NULL});
    cr_expect(eq(int, draw("loss-time"), 2), "%s", why.text);
    char *table = scratch_text(&scratch, "figures/loss-time.csv");
    size_t lines = 0;
    for (const char *byte = table; *byte != '\0'; byte++)
        lines += *byte == '\n';
    cr_expect(eq(sz, lines, FIGURE_POINTS + 1));
    free(table);
}

/* Results that must be drawn, or passed over, but never fail. */
static const struct sample_scheme hostile[] = {
    {"it's \"quoted\", `touch x` & <b>", 1, 1, 0.9, "loss"},
    {"under_score^sup{x}@y %d \\n $1", 2, 1, 0.9, "loss"},
    {"λ ≤ 2 — naïve", 3, 1, 0.9, "stalled"},
    {"< echo", 3, 1, 1.5, "diverged"},
};
static const struct sample_scheme constant[] = {{"constant", 1, 0.5, 1, "steps"}};
static const struct sample_scheme negative[] = {{"negative", 1, -3, 0.5, "steps"},
                                                {"positive", 1, 3, 0.5, "steps"}};
static const struct sample_scheme zero[] = {{"zero", 1, 0, 1, "steps"}};
static const struct sample_scheme instant[] = {{"instant", 0, 1, 0.5, "steps"}};
static const struct sample_scheme numbered[] = {{"1", 1, 1, 0.5, "steps"}, {"2", 1, 1, 0.4, "steps"}};
static const struct sample_scheme apart[] = {{"slow", 1000, 1, 0.5, "steps"}, {"fast", 1, 1, 1e-3, "steps"}};
static const struct {
    const char *name;
    struct sample sample;
    int pictures;
} odd[] = {
    {"hostile labels", {hostile, 4, 3, 10, 1, NULL}, 8},
    {"hostile labels in a sweep", {hostile, 4, 3, 10, 2, "a_b^c.d'`e`"}, 8},
    {"one run of one step", {constant, 1, 1, 1, 1, NULL}, 6},
    {"only row 0", {constant, 1, 2, 0, 1, NULL}, 6},
    {"constant loss", {constant, 1, 3, 9, 1, NULL}, 8},
    {"negative loss", {negative, 2, 3, 9, 1, NULL}, 8},
    {"loss 0", {zero, 1, 3, 9, 1, NULL}, 8},
    {"no time passes", {instant, 1, 3, 9, 1, NULL}, 6},
    {"labels that are numbers", {numbered, 2, 3, 9, 1, NULL}, 8},
    {"far apart", {apart, 2, 3, 9, 1, NULL}, 8},
};

Test(figure, draws_odd_results) {
    need_gnuplot();
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        struct scratch outer = scratch;
        scratch = scratch_new();
        sample_results(&scratch, &odd[i].sample);
        cr_expect(eq(int, draw(NULL), odd[i].pictures), "%s: %s", odd[i].name, why.text);
        cr_expect(not(scratch_has(&scratch, "figures/x")), "%s: a label was run as a command", odd[i].name);
        scratch_free(&scratch);
        scratch = outer;
    }
}

static const struct sample_scheme shallow[] = {{"shallow", 1, 1, 0.9, "steps"}};
static const struct sample_scheme deep[] = {{"deep", 1, 1, 0.5, "steps"}};
static const struct sample_scheme growing[] = {{"shallow", 1, 1, 0.99, "steps"},
                                               {"growing", 1, 1, 2, "diverged"}};
static const struct {
    const char *name;
    struct sample sample;
    const char *settings;
} axes[] = {
    {"less than a decade", {shallow, 1, 1, 9, 1, NULL}, "logarithmic = 0\n"},
    {"two decades", {deep, 1, 1, 9, 1, NULL}, "logarithmic = 1\n"},
    {"negative", {negative, 2, 1, 9, 1, NULL}, "logarithmic = 0\n"},
    {"zero", {zero, 1, 1, 9, 1, NULL}, "logarithmic = 0\ny_low = 0\ny_high = 0.001\n"},
    {"cut at 10 times the first loss", {growing, 2, 1, 9, 1, NULL}, "y_high = 12\n"},
};

Test(figure, the_loss_axis_fits_the_losses) {
    need_gnuplot();
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        sample_results(&scratch, &axes[i].sample);
        cr_expect(eq(int, draw("loss-steps"), 2), "%s: %s", axes[i].name, why.text);
        char *script = scratch_text(&scratch, "figures/loss-steps.gp");
        cr_expect(strstr(script, axes[i].settings) != NULL, "%s: %s", axes[i].name, script);
        free(script);
    }
}

static const struct {
    const char *name, *steps, *note;
} passed_over[] = {
    {"no rows", "point,scheme,replication,step,time_s,loss\n", "no figure loss-time: "},
    {"no loss", "point,scheme,replication,step,time_s,loss\n0,a,0,0,0,\n", "no loss was recorded"},
    {"no file", NULL, "steps.csv has no rows"},
};

Test(figure, notes_why_a_figure_is_not_drawn) {
    need_gnuplot();
    for (size_t i = 0; i < sizeof passed_over / sizeof *passed_over; i++) {
        sample_results(&scratch, &(struct sample){two, 1, 2, 3, 1, NULL});
        unlink(scratch_path(&scratch, "steps.csv"));
        if (passed_over[i].steps != NULL)
            scratch_write(&scratch, "steps.csv", passed_over[i].steps);
        cr_expect(eq(int, draw("loss-time"), 0), "%s: %s", passed_over[i].name, why.text);
        char *text = notes_text();
        cr_expect(strstr(text, passed_over[i].note) != NULL, "%s: %s", passed_over[i].name, text);
        free(text);
    }
}

Test(figure, notes_an_incomplete_folder) {
    need_gnuplot();
    sample_results(&scratch, &(struct sample){two, 1, 2, 3, 1, NULL});
    scratch_write(&scratch, "manifest.json", "{\n  \"complete\": false\n}\n");
    cr_expect(eq(int, draw("step-time"), 2), "%s", why.text);
    char *text = notes_text();
    cr_expect(strstr(text, "not complete") != NULL, "%s", text);
    free(text);
}

Test(figure, refuses_what_it_cannot_draw) {
    cr_expect(eq(int, draw(NULL), -1));
    cr_expect(strstr(why.text, "is not a results folder") != NULL, "%s", why.text);
    sample_results(&scratch, &(struct sample){two, 1, 2, 3, 1, NULL});
    cr_expect(eq(int, draw("pie"), -1));
    cr_expect(strstr(why.text, "no figure called pie") != NULL, "%s", why.text);
    struct plot_request gif = {.folder = scratch.folder, .formats = {"gif"}, .scripts = scripts};
    cr_expect(eq(int, figures_draw(&gif, notes, &why), -1));
    cr_expect(strstr(why.text, "gif is not a format") != NULL, "%s", why.text);
    scratch_write(&scratch, "runs.csv", "point,scheme,replication,status,step_mean_s\n0,a,0,steps,fast\n");
    cr_expect(eq(int, draw("step-time"), -1));
    cr_expect(strstr(why.text, "runs.csv:2") != NULL, "%s", why.text);
    scratch_write(&scratch, "runs.csv", "point,scheme\n0,a\n");
    cr_expect(eq(int, draw("step-time"), -1));
    cr_expect(strstr(why.text, "no column replication") != NULL, "%s", why.text);
    snprintf(scripts, sizeof scripts, "%s", scratch.folder);
    sample_results(&scratch, &(struct sample){two, 1, 2, 3, 1, NULL});
    cr_expect(eq(int, draw("step-time"), -1));
    cr_expect(strstr(why.text, "cannot read the script") != NULL, "%s", why.text);
}

Test(figure, a_broken_script_leaves_no_picture) {
    need_gnuplot();
    sample_results(&scratch, &(struct sample){two, 1, 2, 3, 1, NULL});
    scratch_write(&scratch, "step-time.gp", "set terminal svg\nset output out.'.svg'\nplot x\nnonsense\n");
    snprintf(scripts, sizeof scripts, "%s", scratch.folder);
    cr_expect(eq(int, draw("step-time"), -1));
    cr_expect(strstr(why.text, "step-time.gp") != NULL, "%s", why.text);
    cr_expect(not(scratch_has(&scratch, "figures/step-time.svg")));
    cr_expect(not(scratch_has(&scratch, "figures/step-time.partial.svg")));
}
