#include "figure.h"
#include "panels.h"
#include "plane.h"
#include <math.h>

/* Beyond this ratio of largest to smallest, colours go by the logarithm. */
#define LINEAR_RANGE 20.0

struct cell {
    uint32_t panel, column, row; /* from 1 */
    double mean;
    const char *note;
    uint32_t point;
    const char *scheme;
};
static const struct column column[] = {
    {"panel", COLUMN_COUNT, offsetof(struct cell, panel)},
    {"column", COLUMN_COUNT, offsetof(struct cell, column)},
    {"row", COLUMN_COUNT, offsetof(struct cell, row)},
    {"mean", COLUMN_NUMBER, offsetof(struct cell, mean)},
    {"note", COLUMN_TEXT, offsetof(struct cell, note)},
    {"point", COLUMN_COUNT, offsetof(struct cell, point)},
    {"scheme", COLUMN_TEXT, offsetof(struct cell, scheme)},
};
static const struct columns columns = {column, sizeof column / sizeof *column};

static void set_range(const struct plane *plane, struct chart *chart) {
    double low = (double)INFINITY, high = 0;
    for (size_t b = 0; b < plane->summary->blocks; b++) {
        const struct block *block = &plane->summary->block[b];
        double mean = plane_mean(plane, block);
        if (!plane_shows(plane, block, 2) || plane_scheme(plane, block) >= PANELS || !(mean > 0))
            continue;
        low = fmin(low, mean);
        high = fmax(high, mean);
    }
    chart_number(chart, "low", isfinite(low) ? low : 1);
    chart_number(chart, "high", high > 0 ? high : 1);
    chart_number(chart, "logarithmic", high > LINEAR_RANGE * low ? 1 : 0);
}

static struct cell cell_of(const struct plane *plane, const struct block *block) {
    struct cell cell = {.panel = (uint32_t)plane_scheme(plane, block) + 1,
                        .column = (uint32_t)plane_place(plane, block, 0) + 1,
                        .row = (uint32_t)plane_place(plane, block, 1) + 1,
                        .mean = plane_mean(plane, block),
                        .point = block->point,
                        .scheme = block->scheme};
    cell.note = isnan(cell.mean)
                    ? "–"
                    : arena_format(plane->summary->arena, cell.mean < 1000 ? "%.3g" : "%.0f", cell.mean);
    return cell;
}

static void describe(const struct plane *plane, struct chart *chart) {
    const char *title[PANELS];
    size_t panels = plane->schemes < PANELS ? plane->schemes : PANELS;
    for (size_t s = 0; s < panels; s++) {
        char label[4 * CHART_LABEL + 1];
        chart_label(label, plane->scheme[s], CHART_TITLE);
        title[s] = arena_format(plane->summary->arena, "%s", label);
    }
    chart_texts(chart, "panels", title, panels);
    chart_text(chart, "measure", plane->measure.title);
    plane_chart(plane, chart);
    set_range(plane, chart);
    const char *caption[] = {
        "Mean over the runs that came to it; –: none did.", plane_fixed(plane, 2),
        plane->schemes > PANELS
            ? arena_format(plane->summary->arena, "The first %d of %zu schemes.", PANELS, plane->schemes)
            : ""};
    chart_lines(chart, caption, sizeof caption / sizeof *caption);
}

static int fill(const struct plane *plane, struct chart *chart, struct sentence *why) {
    if (plane->axes < 2) {
        sentence_set(why, "the sweep has fewer than two axes");
        return 0;
    }
    sheet_init(&chart->table, &columns, NULL, 0);
    sheet_header(&chart->table);
    for (size_t b = 0; b < plane->summary->blocks; b++) {
        const struct block *block = &plane->summary->block[b];
        if (!plane_shows(plane, block, 2) || plane_scheme(plane, block) >= PANELS)
            continue;
        struct cell cell = cell_of(plane, block);
        sheet_row(&chart->table, &cell);
    }
    describe(plane, chart);
    return 1;
}

static int tabulate(const struct plot_request *request, struct chart *chart, struct sentence *why) {
    return plane_tabulate(request, chart, fill, why);
}

const struct figure figure_heatmap = {
    .head = {.name = "heatmap",
             .summary =
                 "time to the target loss, or of a step, over two axes of a sweep: a panel per scheme"},
    .title = "Time over two axes of the sweep",
    .file = "summary.csv",
    .rare = true,
    .tabulate = tabulate,
};
