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

static size_t occurrences(const char *text, const char *part) {
    size_t count = 0;
    for (const char *found = text; (found = strstr(found, part)) != NULL; found += strlen(part))
        count++;
    return count;
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
    const char *b = strstr(text, "1,2,200,");
    cr_assert(b != NULL, "%s", text);
    cr_assert(eq(int, sscanf(b, "1,2,200,%lf,%lf", &low, &high), 2), "%s", text);
    cr_expect(epsilon_eq(dbl, low, 200 - 62.1034, 1e-4));
    cr_expect(epsilon_eq(dbl, high, 200 + 62.1034, 1e-4));
    cr_expect(strstr(text, "1,1,100,,,0,a\n") != NULL, "%s", text);
    cr_expect(strstr(text, "1,3,300,,,0,c\n") != NULL, "%s", text);
    free(text);
}

/* Two axes, one of words; b never gets there at (2, y), and is ahead at (2, x). The intervals meet at (1, x) alone. */
#define PLANE                                                                                                \
    "point,rate,cluster.late,scheme,runs,reached,time_to_loss_s_mean,time_to_loss_s_low,time_to_loss_s_"     \
    "high\n"                                                                                                 \
    "0,2,x,a,4,1,9,8,10\n0,2,x,b,4,1,3,2,4\n1,2,y,a,4,1,5,4,6\n1,2,y,b,4,0,,,\n"                             \
    "2,1,x,a,4,1,7,6,8\n2,1,x,b,4,1,8,7.5,8.5\n3,1,y,a,4,0.5,1,0.5,1.5\n3,1,y,b,4,1,1000,900,1100\n"

Test(figure, a_plane_has_its_values_in_order_and_a_cell_for_each_scheme) {
    need_gnuplot();
    scratch_write(&scratch, "summary.csv", PLANE);
    cr_expect(eq(int, draw("heatmap"), 2), "%s", why.text);
    cr_expect(
        scratch_holds(&scratch, "figures/heatmap.csv",
                      "panel,column,row,mean,note,point,scheme\n1,2,1,9,9,0,a\n2,2,1,3,3,0,b\n1,2,2,5,5,1,a\n"
                      "2,2,2,,–,1,b\n1,1,1,7,7,2,a\n2,1,1,8,8,2,b\n1,1,2,1,1,3,a\n2,1,2,1000,1000,3,b\n"));
}

Test(figure, a_scheme_wins_by_the_share_that_gets_there_and_then_by_the_mean) {
    need_gnuplot();
    scratch_write(&scratch, "summary.csv", PLANE);
    cr_expect(eq(int, draw("crossover"), 2), "%s", why.text);
    cr_expect(scratch_holds(&scratch, "figures/crossover.csv",
                            "column,row,first,sure,mean,second_mean,point,scheme,second\n1,1,1,0,7,8,2,a,b\n"
                            "2,1,2,1,3,9,0,b,a\n1,2,2,1,1000,1,3,b,a\n2,2,1,1,5,,1,a,\n"));
}

Test(figure, a_sweep_is_drawn_along_its_numbers) {
    need_gnuplot();
    scratch_write(&scratch, "summary.csv", PLANE);
    cr_expect(eq(int, draw("sweep"), 2), "%s", why.text);
    cr_expect(
        scratch_holds(&scratch, "figures/sweep.csv",
                      "panel,curve,value,mean,low,high,point,scheme\n1,1,1,7,6,8,2,a\n1,2,1,8,7.5,8.5,2,b\n"
                      "2,1,1,1,0.5,1.5,3,a\n2,2,1,1000,900,1100,3,b\n1,1,2,9,8,10,0,a\n1,2,2,3,2,4,0,b\n"
                      "2,1,2,5,4,6,1,a\n"));
}

/* On a logarithmic axis, too, a panel in which no run came to the target stays empty. */
Test(figure, a_sweep_has_room_for_a_panel_without_points) {
    need_gnuplot();
    scratch_write(&scratch, "summary.csv",
                  "point,rate,cluster.late,scheme,runs,reached,time_to_loss_s_mean,time_to_loss_s_low,"
                  "time_to_loss_s_high\n0,0.1,x,a,4,1,9,8,10\n1,0.1,y,a,4,0,,,\n2,1,x,a,4,1,3,2,4\n"
                  "3,1,y,a,4,0,,,\n4,10,x,a,4,1,5,4,6\n5,10,y,a,4,0,,,\n");
    cr_expect(eq(int, draw("sweep"), 2), "%s", why.text);
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
    {"hostile labels in a sweep", {hostile, 4, 3, 10, 2, "a_b^c.d'`e`"}, 10},
    {"one run of one step", {constant, 1, 1, 1, 1, NULL}, 6},
    {"only row 0", {constant, 1, 2, 0, 1, NULL}, 6},
    {"constant loss", {constant, 1, 3, 9, 1, NULL}, 8},
    {"negative loss", {negative, 2, 3, 9, 1, NULL}, 8},
    {"loss 0", {zero, 1, 3, 9, 1, NULL}, 8},
    {"no time passes", {instant, 1, 3, 9, 1, NULL}, 8},
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
        cr_expect(eq(int, draw(NULL), 4), "%s: %s", passed_over[i].name, why.text);
        char *text = notes_text();
        cr_expect(strstr(text, passed_over[i].note) != NULL, "%s: %s", passed_over[i].name, text);
        free(text);
        cr_expect(eq(int, draw("loss-time"), 0), "%s: what was asked for must be drawn", passed_over[i].name);
        cr_expect(strstr(why.text, passed_over[i].note) != NULL, "%s: %s", passed_over[i].name, why.text);
    }
}

Test(figure, nothing_is_left_where_nothing_is_drawn) {
    scratch_write(&scratch, "runs.csv", "point,scheme,replication\n0,a,0\n");
    cr_expect(eq(int, draw("heatmap"), 0), "%s", why.text);
    cr_expect(strstr(why.text, "no figure heatmap") != NULL, "%s", why.text);
    cr_expect(not(scratch_has(&scratch, "figures")));
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

/* A figure's script must hold the setting. */
static void expect_setting(const char *figure, const char *name, const char *setting) {
    char path[64];
    cr_expect(eq(int, draw(figure), 2), "%s: %s", name, why.text);
    snprintf(path, sizeof path, "figures/%s.gp", figure);
    char *script = scratch_text(&scratch, path);
    cr_assert(script != NULL, "%s", name);
    char *body = strstr(script, "\n# ");
    cr_expect(strstr(script, setting) != NULL, "%s: '%s' is not in\n%.*s", name, setting,
              (int)(body == NULL ? 0 : body - script), script);
    free(script);
}

static const struct sample_scheme diverging[] = {{"good", 1, 0.7, 0.9, "loss"},
                                                 {"bad", 9, 0.7, 1.5, "diverged"}};
static const struct {
    const char *name, *figure;
    struct sample sample;
    const char *setting;
} settings[] = {
    {"panels are named by the swept key",
     "loss-time",
     {two, 2, 2, 3, 8, "schemes.stragglers"},
     "array panels[6] = ['stragglers = 1', 'stragglers = 2',"},
    {"and limited",
     "loss-time",
     {two, 2, 2, 3, 8, "schemes.stragglers"},
     "The first 6 of 8 points; laggard plot --points draws others."},
    {"how many runs reached it",
     "time-to-target",
     {two, 2, 5, 4, 1, NULL},
     "['20.0 s   (2 of 5 runs)', '10.0 s   (2 of 5 runs)']"},
    {"the target is drawn", "loss-time", {two, 2, 4, 20, 1, NULL, 0.08}, "array targets[1] = [0.08]"},
    {"and said", "loss-time", {two, 2, 4, 20, 1, NULL, 0.08}, "Dotted: the target loss, 0.08."},
    {"and named below the bars",
     "time-to-target",
     {two, 2, 4, 20, 1, NULL, 0.08},
     "target = 'a training loss of 0.08'"},
    {"old results do not say it", "time-to-target", {two, 2, 4, 20, 1, NULL}, "target = 'the target loss'"},
    {"without a target the key says the last loss",
     "loss-steps",
     {two, 2, 1, 1, 1, NULL},
     "schemes[2] = ['Uncoded: 0.6300', 'GC-FR: 0.5600']"},
    {"what diverges does not stretch x",
     "loss-time",
     {diverging, 2, 1, 20, 1, NULL},
     "array x_high[1] = [25]"},
    {"and the cut is said",
     "loss-time",
     {diverging, 2, 1, 20, 1, NULL},
     "Curves that go on beyond the right edge are cut off."},
    {"and on top",
     "loss-steps",
     {diverging, 2, 1, 20, 1, NULL},
     "Losses above 3 times the first are cut off."},
    {"a long number in the key", "loss-steps", {diverging, 2, 1, 20, 1, NULL}, "'bad: 2328 (diverged)'"},
    {"marks of two schemes stand apart",
     "loss-steps",
     {two, 2, 4, 20, 1, NULL},
     "array first_mark[2] = [0, 23]"},
    {"one bar has no whiskers to explain", "step-time", {two, 1, 1, 5, 1, NULL}, "array caption[1] = ['']"},
    {"100 % is the first scheme's, by name", "step-time", {two, 2, 3, 5, 1, NULL}, "reference = 'Uncoded'"},
};

Test(figure, says_what_a_reader_must_know) {
    need_gnuplot();
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        sample_results(&scratch, &settings[i].sample);
        expect_setting(settings[i].figure, settings[i].name, settings[i].setting);
    }
}

static const struct {
    const char *name, *runs, *setting;
} times[] = {
    {"a first scheme without steps is not passed over silently",
     "0,a,0,stalled,\n0,b,0,steps,2\n0,c,0,steps,4\n",
     "'a has no steps: 100 % is the first scheme that has.'"},
    {"and 100 % is who has it", "0,a,0,stalled,\n0,b,0,steps,2\n0,c,0,steps,4\n", "reference = 'b'"},
    {"steps that take no time are equal to such", "0,a,0,steps,0\n0,b,0,steps,0\n",
     "notes[2] = ['100 %   0 s', '100 %   0 s']"},
    {"but have no ratio to others", "0,a,0,steps,0\n0,b,0,steps,3\n",
     "notes[2] = ['100 %   0 s', '3.00 s, against 0 s']"},
};

Test(figure, step_time_copes_with_odd_references) {
    need_gnuplot();
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char text[256];
        snprintf(text, sizeof text, "point,scheme,replication,status,step_mean_s\n%s", times[i].runs);
        scratch_write(&scratch, "runs.csv", text);
        expect_setting("step-time", times[i].name, times[i].setting);
    }
}

/* The interval's lower end is below 0, which a logarithmic axis does not have: the table keeps it, the script cuts it. */
Test(figure, a_whisker_below_zero_is_cut_and_said) {
    need_gnuplot();
    sample_results(&scratch, &(struct sample){two, 2, 4, 20, 1, NULL});
    scratch_write(&scratch, "summary.csv",
                  "point,scheme,runs,reached,time_to_loss_s_mean,time_to_loss_s_low,time_to_loss_s_high\n"
                  "0,slow,3,1,100,-50,250\n0,fast,3,1,1,0.9,1.1\n");
    expect_setting("time-to-target", "the axis", "logarithmic = 1");
    expect_setting("time-to-target", "the label stands at the upper end", "array ends[2] = [250, 1.1]");
    expect_setting("time-to-target", "the caption", "Whiskers that go below 0 are cut off at the left edge.");
    char *script = scratch_text(&scratch, "figures/time-to-target.gp");
    cr_expect(strstr(script, "low(column(\"time_to_loss_s_low\"))") != NULL);
    free(script);
    cr_expect(scratch_holds(&scratch, "figures/time-to-target.csv",
                            "panel,row,time_to_loss_s,time_to_loss_s_low,time_to_loss_s_high,point,scheme\n"
                            "1,1,100,-50,250,0,slow\n1,2,1,0.9,1.1,0,fast\n"));
}

Test(figure, a_label_that_no_font_has_is_noted_once) {
    need_gnuplot();
    static const struct sample_scheme japanese[] = {{"日本語 🚀", 1, 1, 0.5, "loss"}};
    sample_results(&scratch, &(struct sample){japanese, 1, 2, 5, 1, NULL});
    cr_expect(eq(int, draw(NULL), 8), "%s", why.text);
    char *text = notes_text();
    cr_expect(eq(sz, occurrences(text, "are drawn as □"), 1), "%s", text);
    free(text);
    char *script = scratch_text(&scratch, "figures/loss-time.gp"),
         *table = scratch_text(&scratch, "figures/loss-time.csv");
    cr_expect(strstr(script, "日") == NULL && strstr(script, "□□□ □") != NULL);
    cr_expect(strstr(table, "日本語 🚀") != NULL, "the table keeps the label");
    free(script);
    free(table);
}

Test(figure, is_called_like_its_scenario) {
    need_gnuplot();
    sample_results(&scratch, &(struct sample){two, 1, 1, 5, 1, NULL});
    scratch_write(&scratch, "manifest.json", "{\n  \"name\": \"a study\",\n  \"complete\": true\n}\n");
    expect_setting("step-time", "the name", "subject = 'a study'");
}

Test(figure, draws_the_points_asked_for) {
    need_gnuplot();
    static const struct span span = {3, 4}, beyond = {8, 9};
    sample_results(&scratch, &(struct sample){two, 2, 2, 3, 8, "schemes.stragglers"});
    struct plot_request request = {
        .folder = scratch.folder, .figure = "step-time", .scripts = scripts, .points = {&span, 1}};
    cr_expect(eq(int, figures_draw(&request, notes, &why), 2), "%s", why.text);
    char *script = scratch_text(&scratch, "figures/step-time.gp");
    cr_expect(strstr(script, "panels[2] = ['stragglers = 4', 'stragglers = 5']") != NULL, "%s", script);
    free(script);
    request.points.span = &beyond;
    request.figure = NULL;
    cr_expect(eq(int, figures_draw(&request, notes, &why), -1));
    cr_expect(strstr(why.text, "which has points 0 to 7") != NULL, "%s", why.text);
}

/* Two runs of one scheme: their median and band, the median of their bounds, one of which does not exist; the key says in
 * how many runs the conditions hold. */
Test(figure, bounds_stand_beside_what_was_measured) {
    need_gnuplot();
    scratch_write(&scratch, "runs.csv", "point,scheme,replication\n0,a,0\n0,a,1\n");
    scratch_write(&scratch, "theorems.csv", "point,scheme,replication,holds\n0,a,0,yes\n0,a,1,no\n");
    scratch_write(&scratch, "bounds.csv",
                  "point,scheme,replication,step,excess_loss,bound\n"
                  "0,a,0,0,8,8\n0,a,0,1,2,4\n0,a,1,0,8,\n0,a,1,1,4,\n");
    cr_expect(eq(int, draw("bounds"), 2), "%s", why.text);
    cr_expect(
        scratch_holds(&scratch, "figures/bounds.csv",
                      "panel,curve,step,excess_loss_median,excess_loss_p10,excess_loss_p90,bound_median,"
                      "runs,point,scheme\n"
                      "1,1,0,8,8,8,8,2,0,a\n"
                      "1,1,1,3,2.2,3.8,4,2,0,a\n"));
    char *script = scratch_text(&scratch, "figures/bounds.gp");
    cr_expect(strstr(script, "'a (conditions hold in 1 of 2 runs)'") != NULL);
    free(script);
}

Test(figure, bounds_need_a_known_minimum) {
    scratch_write(&scratch, "runs.csv", "point,scheme,replication\n0,a,0\n");
    scratch_write(&scratch, "theorems.csv", "point,scheme,replication,holds\n0,a,0,no\n");
    scratch_write(&scratch, "bounds.csv", "point,scheme,replication,step,excess_loss,bound\n0,a,0,0,,\n");
    cr_expect(eq(int, draw("bounds"), 0));
    cr_expect(strstr(why.text, "no run in ") != NULL, "%s", why.text);
}

/* Ages over both replications, in percent of all; ages that nothing had are there with 0. */
Test(figure, staleness_is_a_share_of_the_gradients_used) {
    need_gnuplot();
    scratch_write(&scratch, "runs.csv", "point,scheme,replication\n0,a,0\n0,a,1\n0,b,0\n");
    scratch_write(&scratch, "staleness.csv",
                  "point,scheme,replication,staleness,count\n0,a,0,0,1\n0,a,0,2,5\n0,a,1,2,2\n0,b,0,0,3\n");
    cr_expect(eq(int, draw("staleness"), 2), "%s", why.text);
    cr_expect(scratch_holds(&scratch, "figures/staleness.csv",
                            "panel,curve,staleness,used_percent,point,scheme\n"
                            "1,1,0,12.5,0,a\n1,1,1,0,0,a\n1,1,2,87.5,0,a\n1,2,0,100,0,b\n"));
}

/* A panel per scheme of the first point; shares over the replications, which weigh by their seconds and steps. */
Test(figure, workers_are_shares_of_seconds_and_steps) {
    need_gnuplot();
    scratch_write(&scratch, "runs.csv", "point,scheme,replication,steps\n0,a,0,10\n0,a,1,30\n1,a,0,10\n");
    scratch_write(&scratch, "workers.csv",
                  "point,scheme,replication,worker,busy_s,idle_s,down_s,used,late\n"
                  "0,a,0,0,4,4,2,10,0\n0,a,0,1,10,0,0,5,5\n0,a,1,0,16,14,0,20,10\n0,a,1,1,30,0,0,25,5\n"
                  "1,a,0,0,1,1,1,1,1\n");
    cr_expect(eq(int, draw("workers"), 2), "%s", why.text);
    cr_expect(scratch_holds(&scratch, "figures/workers.csv",
                            "panel,worker,last_worker,busy_percent,idle_percent,down_percent,used_percent,"
                            "late_percent,point,scheme\n"
                            "1,0,0,50,45,5,75,25,0,a\n1,1,1,100,0,0,75,25,0,a\n"));
}

/* The first point of every number of workers, ascending. */
Test(figure, scaling_needs_two_numbers_of_workers) {
    need_gnuplot();
    scratch_write(
        &scratch, "summary.csv",
        "point,scheme,time_to_loss_s_mean,time_to_loss_s_low,time_to_loss_s_high,steps_to_loss_mean,"
        "steps_to_loss_low,steps_to_loss_high\n"
        "0,a,5,4,6,50,40,60\n1,a,3,,,30,,\n2,a,9,,,90,,\n");
    scratch_write(&scratch, "workers.csv", "point,scheme,replication,worker\n0,a,0,0\n0,a,0,1\n");
    cr_expect(eq(int, draw("scaling"), 0));
    cr_expect(strstr(why.text, "equally many workers") != NULL, "%s", why.text);
    scratch_write(&scratch, "workers.csv",
                  "point,scheme,replication,worker\n0,a,0,0\n0,a,0,1\n1,a,0,0\n2,a,0,0\n2,a,0,1\n");
    cr_expect(eq(int, draw("scaling"), 2), "%s", why.text);
    cr_expect(scratch_holds(&scratch, "figures/scaling.csv",
                            "panel,curve,workers,mean,low,high,point,scheme\n"
                            "1,1,1,3,,,1,a\n2,1,1,30,,,1,a\n1,1,2,5,4,6,0,a\n2,1,2,50,40,60,0,a\n"));
}

/* Schemes without a spread are not in the key, and where there is none at all the figure is not missed. */
Test(figure, loss_spread_is_of_those_that_have_one) {
    need_gnuplot();
    scratch_write(&scratch, "runs.csv", "point,scheme,replication\n0,a,0\n0,b,0\n");
    scratch_write(&scratch, "partitions.csv", "point\n0\n");
    scratch_write(&scratch, "steps.csv",
                  "point,scheme,replication,step,loss,loss_spread\n0,a,0,0,3,\n0,a,0,1,2,\n"
                  "0,b,0,0,3,\n0,b,0,1,2,0.5\n0,b,0,2,2,0.25\n");
    cr_expect(eq(int, draw("loss-spread"), 2), "%s", why.text);
    cr_expect(scratch_holds(
        &scratch, "figures/loss-spread.csv",
        "panel,curve,step,loss_spread_median,loss_spread_p10,loss_spread_p90,runs,point,scheme\n"
        "1,1,1,0.5,,,1,0,b\n1,1,2,0.25,,,1,0,b\n"));
}
