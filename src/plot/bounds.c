#include "band.h"
#include "chart.h"
#include "figure.h"
#include "panels.h"
#include <math.h>
#include <string.h>

/* Decades below the highest point that are shown at most: further down is rounding. */
#define DECADES 12
/* Share of the axis left free above and below the curves, and beyond the last step. */
#define MARGIN 0.05

/* One place of a scheme's curves: a row of the figure's CSV. */
struct bound_point {
    uint32_t panel, curve; /* from 1 */
    double step, median, low, high, bound;
    uint32_t runs, point;
    const char *scheme;
};
static const struct column column[] = {
    {"panel", COLUMN_COUNT, offsetof(struct bound_point, panel)},
    {"curve", COLUMN_COUNT, offsetof(struct bound_point, curve)},
    {"step", COLUMN_NUMBER, offsetof(struct bound_point, step)},
    {"excess_loss_median", COLUMN_NUMBER, offsetof(struct bound_point, median)},
    {"excess_loss_p10", COLUMN_NUMBER, offsetof(struct bound_point, low)},
    {"excess_loss_p90", COLUMN_NUMBER, offsetof(struct bound_point, high)},
    {"bound_median", COLUMN_NUMBER, offsetof(struct bound_point, bound)},
    {"runs", COLUMN_COUNT, offsetof(struct bound_point, runs)},
    {"point", COLUMN_COUNT, offsetof(struct bound_point, point)},
    {"scheme", COLUMN_TEXT, offsetof(struct bound_point, scheme)},
};
static const struct columns columns = {column, sizeof column / sizeof *column};

struct bounds {
    struct arena *arena;
    struct chart *chart;
    struct results results, theorems; /* bounds.csv, theorems.csv */
    struct panels panels;
    size_t points; /* of a curve at most */
    size_t entries;
    const char **scheme;                    /* [entries] */
    double *first_row, *last_row;           /* [panel * entries + entry]: in the table; 0, -1: none */
    double x_high[PANELS], lowest, highest; /* of what is above 0 */
    size_t rows, most_runs;
    bool unbounded; /* some curve has no bound */
};

static size_t entry_of(struct bounds *bounds, const char *scheme) {
    size_t i = 0;
    while (i < bounds->entries && strcmp(bounds->scheme[i], scheme) != 0)
        i++;
    return i;
}

static void list_schemes(struct bounds *bounds) {
    bounds->scheme = arena_zeroed(bounds->arena, bounds->results.blocks, sizeof *bounds->scheme);
    for (size_t b = 0; b < bounds->results.blocks; b++) {
        const struct block *block = &bounds->results.block[b];
        bool shown = panels_find(&bounds->panels, block->point) < bounds->panels.count;
        if (shown && entry_of(bounds, block->scheme) == bounds->entries)
            bounds->scheme[bounds->entries++] = block->scheme;
    }
    size_t count = bounds->panels.count * bounds->entries;
    bounds->first_row = arena_zeroed(bounds->arena, count, sizeof *bounds->first_row);
    bounds->last_row = arena_zeroed(bounds->arena, count, sizeof *bounds->last_row);
    for (size_t c = 0; c < count; c++)
        bounds->last_row[c] = -1;
}

/* The block's rows that have the measure `y`, run by run. `course` has room for as many as rows. */
static size_t split_runs(const struct bounds *bounds, const struct block *block, const char *y,
                         struct course *course) {
    const struct results *results = &bounds->results;
    double *x = arena_zeroed(bounds->arena, 2 * block->rows, sizeof *x), *value = x + block->rows;
    double previous = (double)NAN;
    size_t runs = 0, kept = 0;
    for (size_t r = block->first; r < block->first + block->rows; r++) {
        double replication = results_number(results, r, "replication");
        x[kept] = results_number(results, r, "step");
        value[kept] = results_number(results, r, y);
        if (isnan(value[kept]))
            continue;
        if (runs == 0 || replication != previous)
            course[runs++] = (struct course){.x = x + kept, .y = value + kept};
        course[runs - 1].points++;
        previous = replication;
        kept++;
    }
    return runs;
}

static void note_height(struct bounds *bounds, double y) {
    if (y > 0) {
        bounds->lowest = fmin(bounds->lowest, y);
        bounds->highest = fmax(bounds->highest, y);
    }
}

static void put_point(struct bounds *bounds, const struct bound_point *point) {
    sheet_row(&bounds->chart->table, point);
    note_height(bounds, point->median);
    note_height(bounds, point->low);
    note_height(bounds, point->high);
    note_height(bounds, point->bound);
    bounds->rows++;
}

/* The curves of a block: measured, and the bound where there is one. */
static void put_block(struct bounds *bounds, const struct block *block, size_t panel) {
    struct course *course = arena_zeroed(bounds->arena, block->rows, sizeof *course);
    struct course *bound = arena_zeroed(bounds->arena, block->rows, sizeof *bound);
    size_t runs = split_runs(bounds, block, "excess_loss", course);
    size_t bounded = split_runs(bounds, block, "bound", bound), entry = entry_of(bounds, block->scheme);
    if (runs == 0)
        return;
    struct grid grid = grid_of(course, runs, AXIS_STEPS, bounds->points);
    struct band *measured = arena_zeroed(bounds->arena, 2 * grid.points, sizeof *measured);
    struct band *above = measured + grid.points;
    band_over(course, runs, &grid, measured);
    if (bounded > 0)
        band_over(bound, bounded, &grid, above);
    bounds->first_row[panel * bounds->entries + entry] = (double)bounds->rows;
    for (size_t g = 0; g < grid.points; g++)
        put_point(bounds, &(struct bound_point){.panel = (uint32_t)panel + 1,
                                                .curve = (uint32_t)entry + 1,
                                                .step = grid_place(&grid, g),
                                                .median = measured[g].median,
                                                .low = measured[g].low,
                                                .high = measured[g].high,
                                                .bound = bounded > 0 ? above[g].median : (double)NAN,
                                                .runs = (uint32_t)runs,
                                                .point = block->point,
                                                .scheme = block->scheme});
    bounds->last_row[panel * bounds->entries + entry] = (double)bounds->rows - 1;
    bounds->x_high[panel] = fmax(bounds->x_high[panel], grid.last);
    bounds->most_runs = runs > bounds->most_runs ? runs : bounds->most_runs;
    bounds->unbounded = bounds->unbounded || bounded == 0;
}

/* In how many of the runs shown the theorem's conditions hold. */
static const char *holding_text(struct bounds *bounds, const char *scheme) {
    size_t runs = 0, holding = 0;
    const char **holds = results_words(&bounds->theorems, csv_column(bounds->theorems.csv, "holds"));
    for (size_t b = 0; holds != NULL && b < bounds->theorems.blocks; b++) {
        const struct block *block = &bounds->theorems.block[b];
        bool shown = panels_find(&bounds->panels, block->point) < bounds->panels.count;
        for (size_t r = block->first; shown && r < block->first + block->rows; r++)
            if (strcmp(block->scheme, scheme) == 0) {
                runs++;
                holding += strcmp(holds[r], "yes") == 0 ? 1 : 0;
            }
    }
    if (holding == runs)
        return " (conditions hold)";
    return holding == 0 ? " (conditions fail)"
                        : arena_format(bounds->arena, " (conditions hold in %zu of %zu runs)", holding, runs);
}

static void set_key(struct bounds *bounds) {
    const char **title = arena_zeroed(bounds->arena, bounds->entries, sizeof *title);
    size_t longest = 0;
    for (size_t i = 0; i < bounds->entries; i++) {
        char label[4 * CHART_LABEL + 1];
        const char *note = holding_text(bounds, bounds->scheme[i]);
        size_t characters = chart_label(label, bounds->scheme[i], CHART_LABEL) + strlen(note);
        title[i] = arena_format(bounds->arena, "%s%s", label, note);
        longest = characters > longest ? characters : longest;
    }
    chart_texts(bounds->chart, "schemes", title, bounds->entries);
    chart_number(bounds->chart, "longest", (double)longest);
}

static void set_axes(struct bounds *bounds) {
    size_t count = bounds->panels.count * bounds->entries;
    double low = fmax(bounds->lowest, bounds->highest * pow(10, -DECADES));
    double margin = pow(fmax(bounds->highest / low, 2), MARGIN);
    panels_share_axis(&bounds->panels, bounds->x_high);
    chart_numbers(bounds->chart, "x_high", bounds->x_high, bounds->panels.count);
    chart_numbers(bounds->chart, "first_row", bounds->first_row, count);
    chart_numbers(bounds->chart, "last_row", bounds->last_row, count);
    chart_number(bounds->chart, "y_low", low / margin);
    chart_number(bounds->chart, "y_high", bounds->highest * margin);
}

static void set_caption(struct bounds *bounds) {
    const char *lines[] = {
        "Solid: F minus its minimum, measured. Dashed: the scheme's theorem, with the smoothness, convexity,",
        "spread and staleness measured; where its conditions fail it promises nothing.",
        bounds->most_runs > 1
            ? arena_format(bounds->arena, "Medians of %zu runs, band from the 10th to the 90th percentile.",
                           bounds->most_runs)
            : "One run per scheme.",
        bounds->unbounded ? "No dashed curve: F is not strongly convex, or gradients are too stale." : "",
        panels_shown(&bounds->panels)};
    chart_lines(bounds->chart, lines, sizeof lines / sizeof *lines);
}

static int fill(struct bounds *bounds, struct sentence *why) {
    list_schemes(bounds);
    sheet_init(&bounds->chart->table, &columns, NULL, 0);
    sheet_header(&bounds->chart->table);
    bounds->lowest = (double)INFINITY;
    for (size_t b = 0; b < bounds->results.blocks; b++) {
        size_t panel = panels_find(&bounds->panels, bounds->results.block[b].point);
        if (panel < bounds->panels.count)
            put_block(bounds, &bounds->results.block[b], panel);
    }
    if (!(bounds->highest > 0)) {
        sentence_set(why, "no run in %s has a loss above a known minimum", bounds->results.csv->file);
        return 0;
    }
    panels_chart(&bounds->panels, bounds->chart);
    set_axes(bounds);
    set_key(bounds);
    set_caption(bounds);
    return 1;
}

static int read_rest(struct bounds *bounds, const char *folder, struct sentence *why) {
    static const char *const theorem[] = {"point", "replication", NULL};
    static const char *const bound[] = {"point", "replication", "step", "excess_loss", "bound", NULL};
    struct results_request theorems = {folder, "theorems.csv", theorem}, rows = {folder, "bounds.csv", bound};
    int found = results_read(&bounds->theorems, bounds->arena, &theorems, why);
    if (found != 1)
        return found;
    found = results_read(&bounds->results, bounds->arena, &rows, why);
    if (found == 1) {
        found = fill(bounds, why);
        results_close(&bounds->results);
    }
    results_close(&bounds->theorems);
    return found;
}

static int tabulate(const struct plot_request *request, struct chart *chart, struct sentence *why) {
    static const char *const numbers[] = {"point", NULL};
    struct bounds bounds = {.arena = arena_new(), .chart = chart, .points = figure_points(request)};
    struct results runs;
    int found = results_read(&runs, bounds.arena,
                             &(struct results_request){request->folder, "runs.csv", numbers}, why);
    if (found == 1) {
        bool chosen = panels_choose(&bounds.panels, &runs, &request->points, why);
        found = chosen ? read_rest(&bounds, request->folder, why) : -1;
        results_close(&runs);
    }
    arena_free(bounds.arena);
    return found;
}

const struct figure figure_bounds = {
    .head = {.name = "bounds", .summary = "measured excess loss beside what the scheme's theorem promises"},
    .title = "Excess loss and its bound",
    .file = "bounds.csv",
    .tabulate = tabulate,
};
