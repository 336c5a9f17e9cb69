#include "../record/scratch.h"
#include "panels.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

/* A sweep's runs.csv, and what the panels are called. */
static const struct {
    const char *name, *runs;
    struct span chosen;
    const char *settings;
} named[] = {
    {"no sweep", "point,scheme\n0,a\n0,b\n", {0, 9}, "panels[1] = ['']"},
    {"one key",
     "point,schemes.stragglers,scheme\n0,1,a\n1,2,a\n",
     {0, 9},
     "panels[2] = ['stragglers = 1', 'stragglers = 2']"},
    {"a parameter says of what",
     "point,optimizer.schedule.decay,scheme\n0,1,a\n1,2,a\n",
     {0, 9},
     "panels[2] = ['schedule.decay = 1', 'schedule.decay = 2']"},
    {"an index is kept",
     "point,schemes[1].stragglers,scheme\n0,1,a\n1,2,a\n",
     {0, 9},
     "panels[2] = ['schemes[1].stragglers = 1', 'schemes[1].stragglers = 2']"},
    {"as much as tells them apart",
     "point,w[0].delay.mean,w[1].delay.mean,scheme\n0,1,1,a\n1,2,2,a\n",
     {0, 9},
     "panels[2] = ['w[0].delay.mean = 1, w[1].delay.mean = 1', 'w[0].delay.mean = 2, w[1].delay.mean = 2']"},
    {"what is alike in all is said once",
     "point,a.x,a.y,scheme\n0,1,5,a\n1,2,5,a\n",
     {0, 9},
     "common = 'y = 5'"},
    {"one panel needs no name of its own",
     "point,a.x,a.y,scheme\n0,1,5,a\n1,2,5,a\n",
     {1, 1},
     "common = 'x = 2, y = 5'"},
    {"a long name has two lines",
     "point,c.w[0].regime,scheme\n0,\"{p_slow: 0.25, p_recover: 0.1, slowdown: 5}\",a\n1,x,a\n",
     {0, 9},
     "panels_below[2] = ['p_recover: 0.1, slowdown: 5', '']"},
    {"of mappings only what differs",
     "point,c.w[0].regime,scheme\n0,\"{p_slow: 0.25, slowdown: 5, law: {type: pareto, alpha: 2}}\",a\n"
     "1,\"{p_slow: 0.5, slowdown: 5, law: {type: pareto, alpha: 3}}\",a\n",
     {0, 9},
     "panels[2] = ['w[0].regime = p_slow: 0.25,', 'w[0].regime = p_slow: 0.5,']"},
    {"where one title has two lines, all have",
     "point,o.learning_rate,c.load,scheme\n0,0.3,multiplicative,a\n1,2,additive,a\n",
     {0, 9},
     "panels[2] = ['learning_rate = 0.3,', 'learning_rate = 2,']"},
};

static bool choose(struct panels *panels, struct results *results, const char *runs, struct span span,
                   struct sentence *why) {
    static const char *const numbers[] = {"point", NULL};
    struct scratch scratch = scratch_new();
    scratch_write(&scratch, "runs.csv", runs);
    struct results_request request = {scratch.folder, "runs.csv", numbers};
    cr_assert(eq(int, results_read(results, arena_new(), &request, why), 1), "%s", why->text);
    scratch_free(&scratch);
    return panels_choose(panels, results, &(struct points){&span, 1}, why);
}

static void finish(struct results *results) {
    struct arena *arena = results->arena;
    results_close(results);
    arena_free(arena);
}

Test(panels, are_named_by_what_tells_them_apart) {
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        struct panels panels;
        struct results results;
        struct sentence why = {""};
        struct chart chart;
        cr_assert(choose(&panels, &results, named[i].runs, named[i].chosen, &why), "%s", named[i].name);
        chart_init(&chart);
        panels_chart(&panels, &chart);
        chart_close(&chart);
        cr_expect(strstr(chart.text, named[i].settings) != NULL, "%s:\n%s", named[i].name, chart.text);
        chart_fini(&chart);
        finish(&results);
    }
}

static const char nine[] =
    "point,k.x,scheme\n0,1,a\n1,2,a\n2,3,a\n4,5,a\n5,6,a\n6,7,a\n7,8,a\n8,9,a\n9,0,a\n";
static const struct {
    struct span span;
    size_t count;
    uint32_t first;
    const char *shown;
} choices[] = {
    {{1, 2}, 2, 1, ""},
    {{3, 4}, 1, 4, ""},
    {{1, 7}, 6, 1, ""},
    {{1, 8}, 6, 1, "The first 6 of 7 points asked for."},
};

Test(panels, are_the_points_asked_for) {
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        struct panels panels;
        struct results results;
        struct sentence why = {""};
        cr_assert(choose(&panels, &results, nine, choices[i].span, &why));
        cr_expect(eq(sz, panels.count, choices[i].count), "row %zu", i);
        cr_expect(eq(u32, panels.point[0], choices[i].first), "row %zu", i);
        cr_expect(eq(str, (char *)panels_shown(&panels), (char *)choices[i].shown), "row %zu", i);
        finish(&results);
    }
}

Test(panels, points_that_are_not_there_are_refused) {
    struct panels panels;
    struct results results;
    struct sentence why = {""};
    cr_expect(not(choose(&panels, &results, nine, (struct span){10, 20}, &why)));
    cr_expect(strstr(why.text, "which has points 0 to 9") != NULL, "%s", why.text);
    finish(&results);
}

Test(panels, share_an_axis_unless_one_were_pressed_flat) {
    struct panels three = {.count = 3};
    double near[] = {10, 20, 30}, far[] = {10, 20, 31}, none[] = {0, 0, 0}, some[] = {0, 10, 100};
    panels_share_axis(&three, near);
    cr_expect(near[0] == 30 && near[1] == 30 && near[2] == 30);
    panels_share_axis(&three, far);
    cr_expect(far[0] == 10 && far[1] == 20 && far[2] == 31);
    panels_share_axis(&three, none);
    cr_expect(none[0] == 1 && none[2] == 1);
    panels_share_axis(&three, some);
    cr_expect(some[0] == 100 && some[1] == 10);
}
