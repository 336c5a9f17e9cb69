#include "curves_inside.h"
#include "figure.h"
#include <math.h>
#include <string.h>

/* Of the x axis, times where the last curve ends: the scripts leave a little room. */
#define VIEW_WIDTH 1.02

const char *curves_y(const struct curves *curves) {
    return curves->request->y ? curves->request->y : "loss";
}

bool curves_of_loss(const struct curves *curves) {
    return !curves->request->y;
}

static size_t entry_index(const struct curves *curves, const char *scheme) {
    size_t i = 0;
    while (i < curves->entries && strcmp(curves->scheme[i], scheme) != 0)
        i++;
    return i;
}

static bool has_numbers(const struct curves *curves, const struct block *block) {
    for (size_t r = block->first; r < block->first + block->rows; r++)
        if (!isnan(results_number(&curves->steps, r, curves_y(curves))))
            return true;
    return false;
}

static void list_schemes(struct curves *curves) {
    curves->scheme = arena_zeroed(curves->arena, curves->steps.blocks, sizeof *curves->scheme);
    for (size_t b = 0; b < curves->steps.blocks; b++) {
        const struct block *block = &curves->steps.block[b];
        if (panels_find(&curves->panels, block->point) == curves->panels.count ||
            (!curves_of_loss(curves) && !has_numbers(curves, block)))
            continue;
        size_t i = entry_index(curves, block->scheme);
        if (i == curves->entries)
            curves->scheme[curves->entries++] = block->scheme;
    }
}

/* The block's rows with a loss, run by run: `course` has room for as many as rows. */
static size_t split_runs(const struct curves *curves, const struct block *block, struct course *course) {
    const struct results *steps = &curves->steps;
    double *x = arena_zeroed(curves->arena, 2 * block->rows, sizeof *x), *y = x + block->rows;
    size_t runs = 0, kept = 0;
    double previous = (double)NAN;
    for (size_t r = block->first; r < block->first + block->rows; r++) {
        double replication = results_number(steps, r, "replication");
        x[kept] = results_number(steps, r, curves->request->x);
        y[kept] = results_number(steps, r, curves_y(curves));
        if (isnan(x[kept]) || isnan(y[kept]))
            continue;
        if (runs == 0 || replication != previous)
            course[runs++] = (struct course){.x = x + kept, .y = y + kept};
        course[runs - 1].points++;
        previous = replication;
        kept++;
    }
    return runs;
}

static size_t points_limit(const struct curves *curves) {
    size_t most = figure_points(curves->request->plot);
    return curves->panels.count == 1 ? most : most / 2;
}

static void find_curves(struct curves *curves) {
    curves->curve =
        arena_zeroed(curves->arena, curves->panels.count * curves->entries, sizeof *curves->curve);
    for (size_t b = 0; b < curves->steps.blocks; b++) {
        const struct block *block = &curves->steps.block[b];
        size_t panel = panels_find(&curves->panels, block->point);
        size_t entry = entry_index(curves, block->scheme);
        if (panel == curves->panels.count || entry == curves->entries)
            continue;
        struct curve *curve = &curves->curve[panel * curves->entries + entry];
        /* Rows of one curve that stand apart are nobody's doing; the first ones count. */
        if (curve->runs > 0)
            continue;
        curve->block = block;
        curve->course = arena_zeroed(curves->arena, block->rows, sizeof *curve->course);
        curve->runs = split_runs(curves, block, curve->course);
        if (curve->runs == 0)
            continue;
        curve->grid = grid_of(curve->course, curve->runs, curves->request->axis, points_limit(curves));
        curve->reached = curves_ended(curves, block, "loss") == curve->runs;
        curves->replications = curve->runs > curves->replications ? curve->runs : curves->replications;
    }
}

/* The rows of what is shown of the curve at `place`. */
static void add_rows(struct curves *curves, size_t place) {
    struct curve *curve = &curves->curve[place];
    size_t panel = place / curves->entries;
    struct grid grid = grid_until(&curve->grid, VIEW_WIDTH * curves->x_high[panel], points_limit(curves));
    struct band *band = arena_zeroed(curves->arena, grid.points, sizeof *band);
    band_over(curve->course, curve->runs, &grid, band);
    curve->first = curves->rows;
    curve->rows = grid.points;
    for (size_t g = 0; g < grid.points; g++)
        curves->row[curves->rows++] = (struct curve_row){.panel = (uint32_t)panel + 1,
                                                         .curve = (uint32_t)(place % curves->entries) + 1,
                                                         .x = grid_place(&grid, g),
                                                         .median = band[g].median,
                                                         .low = band[g].low,
                                                         .high = band[g].high,
                                                         .runs = (uint32_t)curve->runs,
                                                         .point = curve->block->point,
                                                         .scheme = curve->block->scheme};
}

static void add_curves(struct curves *curves) {
    size_t count = curves->panels.count * curves->entries;
    curves->row = arena_zeroed(curves->arena, count * points_limit(curves), sizeof *curves->row);
    for (size_t place = 0; place < count; place++)
        if (curves->curve[place].runs > 0)
            add_rows(curves, place);
}

static void put_table(struct curves *curves) {
    sheet_init(&curves->chart->table, curves->request->columns, NULL, 0);
    sheet_header(&curves->chart->table);
    for (size_t r = 0; r < curves->rows; r++)
        sheet_row(&curves->chart->table, &curves->row[r]);
}

static void set_x(struct curves *curves) {
    struct curve_end *end = arena_zeroed(curves->arena, curves->entries, sizeof *end);
    for (size_t p = 0; p < curves->panels.count; p++) {
        size_t count = 0;
        for (size_t i = 0; i < curves->entries; i++) {
            const struct curve *curve = &curves->curve[p * curves->entries + i];
            if (curve->runs > 0)
                end[count++] = (struct curve_end){curve->grid.last, curve->reached};
        }
        curves->x_high[p] = count > 0 ? x_axis_end(end, count) : 0;
    }
    panels_share_axis(&curves->panels, curves->x_high);
    chart_numbers(curves->chart, "x_high", curves->x_high, curves->panels.count);
}

/* The target losses, which stand in summary.csv. */
static void find_targets(struct curves *curves) {
    for (size_t p = 0; p < curves->panels.count; p++) {
        curves->target[p] = (double)NAN;
        for (size_t b = 0;
             curves_of_loss(curves) && curves->summary.csv != NULL && b < curves->summary.blocks; b++)
            if (curves->summary.block[b].point == curves->panels.point[p])
                curves->target[p] =
                    results_number(&curves->summary, curves->summary.block[b].first, "target_loss");
    }
}

static struct loss_axis set_y(struct curves *curves) {
    struct loss_extent extent = {(double)INFINITY, -(double)INFINITY, -(double)INFINITY, (double)NAN};
    for (size_t r = 0; r < curves->rows; r++) {
        const struct curve_row *row = &curves->row[r];
        extent.lowest = fmin(extent.lowest, fmin(row->median, row->low));
        extent.highest = fmax(extent.highest, fmax(row->median, row->high));
    }
    for (size_t c = 0; c < curves->panels.count * curves->entries; c++)
        if (curves->curve[c].rows > 0)
            extent.start = fmax(extent.start, curves->row[curves->curve[c].first].median);
    if (!curves_of_loss(curves))
        extent.start = (double)INFINITY;
    for (size_t p = 0; p < curves->panels.count; p++)
        extent.target = fmin(extent.target, curves->target[p]);
    struct loss_axis axis = loss_axis_of(&extent);
    chart_number(curves->chart, "logarithmic", axis.logarithmic ? 1 : 0);
    chart_number(curves->chart, "y_low", axis.low);
    chart_number(curves->chart, "y_high", axis.high);
    chart_numbers(curves->chart, "targets", curves->target, curves->panels.count);
    return axis;
}

/* Marks stand at equal distances of x, each scheme's a little further on, so that they tell apart even curves that lie
 * on each other. */
static void set_marks(struct curves *curves) {
    size_t count = curves->panels.count * curves->entries;
    double *first = arena_zeroed(curves->arena, 4 * count, sizeof *first), *last = first + count;
    double *mark = last + count, *step = mark + count;
    for (size_t c = 0; c < count; c++) {
        const struct curve *curve = &curves->curve[c];
        if (curve->rows == 0)
            continue;
        double distance = curves->x_high[c / curves->entries] / (curves->panels.count == 1 ? 6 : 3);
        double rows = (double)curve->rows, end = curves->row[curve->first + curve->rows - 1].x;
        double apart = end > 0 ? distance / end * rows : rows;
        double place = ((double)(c % curves->entries) + 0.5) / (double)curves->entries;
        step[c] = fmax(1, round(apart));
        first[c] = (double)curve->first;
        last[c] = first[c] + rows - 1;
        mark[c] = first[c] + fmin(floor(place * apart), rows - 1);
    }
    chart_numbers(curves->chart, "first_row", first, count);
    chart_numbers(curves->chart, "last_row", last, count);
    chart_numbers(curves->chart, "first_mark", mark, count);
    chart_numbers(curves->chart, "mark_step", step, count);
}

static int fill(struct curves *curves, struct sentence *why) {
    list_schemes(curves);
    find_curves(curves);
    if (curves->replications == 0) {
        sentence_set(why, "no %s was recorded in %s", curves_y(curves), curves->steps.csv->file);
        return 0;
    }
    find_targets(curves);
    panels_chart(&curves->panels, curves->chart);
    set_x(curves);
    add_curves(curves);
    put_table(curves);
    struct loss_axis axis = set_y(curves);
    set_marks(curves);
    curves_key(curves);
    curves_caption(curves, &axis);
    return 1;
}

/* Summary first, since a folder may lack it; then the steps. */
static int read_rest(struct curves *curves, struct sentence *why) {
    static const char *const point[] = {"point", NULL};
    const char *const numbers[] = {"point", "replication", curves->request->x, curves_y(curves), NULL};
    const char *folder = curves->request->plot->folder;
    struct results_request summary = {folder, "summary.csv", point}, steps = {folder, "steps.csv", numbers};
    if (results_read(&curves->summary, curves->arena, &summary, why) < 0)
        return -1;
    int found = results_read(&curves->steps, curves->arena, &steps, why);
    if (found == 1) {
        found = fill(curves, why);
        results_close(&curves->steps);
    }
    if (curves->summary.csv != NULL)
        results_close(&curves->summary);
    return found;
}

int curves_tabulate(const struct curves_request *request, struct chart *chart, struct sentence *why) {
    static const char *const numbers[] = {"point", NULL};
    struct curves curves = {.request = request, .chart = chart, .arena = arena_new()};
    struct results_request runs = {request->plot->folder, "runs.csv", numbers};
    int found = results_read(&curves.runs, curves.arena, &runs, why);
    if (found == 1) {
        curves.status = results_words(&curves.runs, csv_column(curves.runs.csv, "status"));
        bool chosen = panels_choose(&curves.panels, &curves.runs, &request->plot->points, why);
        found = chosen ? read_rest(&curves, why) : -1;
        results_close(&curves.runs);
    }
    arena_free(curves.arena);
    return found;
}
