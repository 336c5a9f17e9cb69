#include "figure.h"
#include "lines.h"
#include "plane.h"
#include <math.h>

static const struct column column[] = {MEAN_COLUMNS("value")};
static const struct columns columns = {column, sizeof column / sizeof *column};

/* The axis shown is the first; the panels are the values of the second, where there is one. */
static void add_block(struct lines *lines, const struct plane *plane, const struct block *block) {
    const struct results *summary = plane->summary;
    size_t panel = plane->axes > 1 ? plane_place(plane, block, 1) : 0;
    double mean = plane_mean(plane, block);
    if (panel >= lines->panels->count || isnan(mean))
        return;
    lines_add(lines, (struct line_point){.panel = (uint32_t)panel + 1,
                                         .x = plane->axis[0].number[plane_place(plane, block, 0)],
                                         .y = mean,
                                         .low = results_number(summary, block->first, plane->measure.low),
                                         .high = results_number(summary, block->first, plane->measure.high),
                                         .point = block->point,
                                         .scheme = block->scheme});
}

/* Points of a curve by the value. */
static void add_all(struct lines *lines, const struct plane *plane) {
    for (size_t v = 0; v < plane->axis[0].values; v++)
        for (size_t b = 0; b < plane->summary->blocks; b++) {
            const struct block *block = &plane->summary->block[b];
            if (plane_shows(plane, block, 2) && plane_place(plane, block, 0) == v)
                add_block(lines, plane, block);
        }
}

static struct panels panels_of(const struct plane *plane) {
    struct arena *arena = plane->summary->arena;
    size_t count = plane->axes > 1 ? plane->axis[1].values : 1;
    struct panels panels = {.arena = arena, .points = count, .common = ""};
    panels.count = count < PANELS ? count : PANELS;
    for (size_t p = 0; p < panels.count; p++)
        panels.label[p] =
            plane->axes > 1 ? arena_format(arena, "%s = %s", plane->axis[1].key, plane->axis[1].word[p]) : "";
    return panels;
}

static void describe(const struct plane *plane, const struct panels *panels, struct chart *chart) {
    const struct plane_axis *axis = &plane->axis[0];
    chart_text(chart, "x_key", axis->key);
    chart_text(chart, "measure", plane->measure.title);
    chart_number(chart, "x_low", axis->number[0]);
    chart_number(chart, "x_logarithmic",
                 axis->number[0] > 0 && axis->number[axis->values - 1] > 20 * axis->number[0]);
    const char *caption[] = {"Means over the runs that came to it; whiskers: their 95 % intervals.",
                             plane_fixed(plane, 2),
                             panels->count < panels->points
                                 ? arena_format(plane->summary->arena, "The first %d of %zu values of %s.",
                                                PANELS, panels->points, plane->axis[1].key)
                                 : ""};
    chart_lines(chart, caption, sizeof caption / sizeof *caption);
}

/* An axis of numbers comes first. */
static bool numbers_first(struct plane *plane) {
    for (size_t a = 0; a < plane->axes; a++) {
        if (!plane->axis[a].numeric)
            continue;
        struct plane_axis axis = plane->axis[a];
        const char *const *word = plane->word[a];
        plane->axis[a] = plane->axis[0];
        plane->word[a] = plane->word[0];
        plane->axis[0] = axis;
        plane->word[0] = word;
        return true;
    }
    return false;
}

static int fill(const struct plane *whole, struct chart *chart, struct sentence *why) {
    struct plane plane = *whole;
    if (!numbers_first(&plane)) {
        sentence_set(why, "no swept key has several numbers");
        return 0;
    }
    struct panels panels = panels_of(&plane);
    struct lines lines = {.arena = plane.summary->arena, .panels = &panels};
    add_all(&lines, &plane);
    if (lines.count == 0) {
        sentence_set(why, "no run came to a step");
        return 0;
    }
    lines_chart(&lines, &columns, chart);
    describe(&plane, &panels, chart);
    return 1;
}

static int tabulate(const struct plot_request *request, struct chart *chart, struct sentence *why) {
    return plane_tabulate(request, chart, fill, why);
}

const struct figure figure_sweep = {
    .head = {.name = "sweep",
             .summary = "time to the target loss, or of a step, against a swept number, with intervals"},
    .title = "Time by a swept key",
    .file = "summary.csv",
    .rare = true,
    .tabulate = tabulate,
};
