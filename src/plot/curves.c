#include "curves.h"
#include "figure.h"
#include "memory.h"
#include "results.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beyond this multiple of the largest first loss a curve is cut, so that one that diverges hides no other. */
#define VIEW_GROWTH 10.0
/* Largest over smallest loss from which a logarithmic axis shows more than a linear one. */
#define LOG_RATIO 4

/* A line of the key: a scheme in the order in which steps.csv names them. */
struct entry {
    const char *scheme, *title;
};

struct curves {
    const struct curves_request *request;
    struct chart *chart;
    struct arena *arena;
    struct results runs, steps;
    struct panels panels;
    size_t entries;
    struct entry *entry;
    double *from, *to; /* [panel * entries + entry]: a curve's first and last row in the table, from 0 */
    size_t rows;
    double end[PANELS];            /* largest x in each panel */
    double lowest, highest, start; /* loss shown; largest first loss */
    size_t points, replications;   /* most of any curve */
};

static size_t entry_index(struct curves *curves, const char *scheme) {
    size_t i = 0;
    while (i < curves->entries && strcmp(curves->entry[i].scheme, scheme) != 0)
        i++;
    return i;
}

static void list_schemes(struct curves *curves) {
    curves->entry = arena_zeroed(curves->arena, curves->steps.blocks, sizeof *curves->entry);
    for (size_t b = 0; b < curves->steps.blocks; b++) {
        const struct block *block = &curves->steps.block[b];
        if (panels_find(&curves->panels, block->point) == curves->panels.count)
            continue;
        size_t i = entry_index(curves, block->scheme);
        if (i == curves->entries)
            curves->entry[curves->entries++].scheme = block->scheme;
    }
}

/* The block's rows with a loss, run by run: `course` and the numbers behind it have room for all rows. */
static size_t split_runs(const struct curves *curves, const struct block *block, struct course *course) {
    const struct results *steps = &curves->steps;
    double *x = arena_zeroed(curves->arena, 2 * block->rows, sizeof *x), *y = x + block->rows;
    size_t runs = 0, kept = 0;
    double previous = (double)NAN;
    for (size_t r = block->first; r < block->first + block->rows; r++) {
        double replication = results_number(steps, r, "replication");
        x[kept] = results_number(steps, r, curves->request->x);
        y[kept] = results_number(steps, r, "loss");
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

static void widen_view(struct curves *curves, const struct band *band) {
    curves->lowest = fmin(curves->lowest, fmin(band->median, band->low));
    curves->highest = fmax(curves->highest, fmax(band->median, band->high));
}

static size_t points_limit(const struct curves *curves) {
    return curves->panels.count == 1 ? FIGURE_POINTS : FIGURE_POINTS / 2;
}

static void add_curve(struct curves *curves, const struct block *block, size_t panel) {
    struct course *course = arena_zeroed(curves->arena, block->rows, sizeof *course);
    size_t runs = split_runs(curves, block, course);
    if (runs == 0)
        return;
    struct grid grid = grid_of(course, runs, curves->request->spacing, points_limit(curves));
    struct band *band = arena_zeroed(curves->arena, grid.points, sizeof *band);
    band_over(course, runs, &grid, band);
    size_t entry = entry_index(curves, block->scheme), place = panel * curves->entries + entry;
    struct curve_row row = {.panel = (uint32_t)panel + 1,
                            .curve = (uint32_t)entry + 1,
                            .runs = (uint32_t)runs,
                            .point = block->point,
                            .scheme = block->scheme};
    curves->from[place] = (double)curves->rows;
    curves->rows += grid.points;
    curves->to[place] = (double)curves->rows - 1;
    for (size_t g = 0; g < grid.points; g++) {
        row.x = grid_place(&grid, g);
        row.median = band[g].median;
        row.low = band[g].low;
        row.high = band[g].high;
        sheet_row(&curves->chart->table, &row);
        widen_view(curves, &band[g]);
    }
    curves->start = fmax(curves->start, band[0].median);
    curves->end[panel] = fmax(curves->end[panel], grid.last);
    curves->points = grid.points > curves->points ? grid.points : curves->points;
    curves->replications = runs > curves->replications ? runs : curves->replications;
}

static void add_curves(struct curves *curves) {
    sheet_init(&curves->chart->table, curves->request->columns, NULL, 0);
    sheet_header(&curves->chart->table);
    curves->from = arena_zeroed(curves->arena, curves->panels.count * curves->entries, sizeof *curves->from);
    curves->to = arena_zeroed(curves->arena, curves->panels.count * curves->entries, sizeof *curves->to);
    for (size_t b = 0; b < curves->steps.blocks; b++) {
        size_t panel = panels_find(&curves->panels, curves->steps.block[b].point);
        if (panel < curves->panels.count)
            add_curve(curves, &curves->steps.block[b], panel);
    }
}

/* Runs of the scheme, at all points shown, that ended with `status`; `runs`: of all. */
static size_t ended(const struct curves *curves, const char *scheme, const char *status, size_t *runs) {
    const struct results *results = &curves->runs;
    const char **words = results_words(results, csv_column(results->csv, "status"));
    size_t count = 0;
    *runs = 0;
    for (size_t b = 0; words != NULL && b < results->blocks; b++) {
        const struct block *block = &results->block[b];
        if (strcmp(block->scheme, scheme) != 0 ||
            panels_find(&curves->panels, block->point) == curves->panels.count)
            continue;
        *runs += block->rows;
        for (size_t r = block->first; r < block->first + block->rows; r++)
            count += strcmp(words[r], status) == 0 ? 1 : 0;
    }
    return count;
}

/* The scheme, and what a reader must know of its runs. Returns the characters of the longest line. */
static size_t title_entry(struct curves *curves, struct entry *entry) {
    static const char *const bad[] = {"diverged", "stalled"};
    char label[CHART_LABEL_BYTES];
    size_t characters = chart_label(label, entry->scheme);
    entry->title = arena_text(curves->arena, label, strlen(label));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        size_t runs, count = ended(curves, entry->scheme, bad[i], &runs);
        if (count == 0)
            continue;
        const char *note = count == runs
                               ? arena_format(curves->arena, " (%s)", bad[i])
                               : arena_format(curves->arena, " (%zu of %zu %s)", count, runs, bad[i]);
        entry->title = arena_format(curves->arena, "%s%s", entry->title, note);
        characters += strlen(note);
    }
    return characters;
}

static void set_key(struct curves *curves) {
    const char **title = arena_zeroed(curves->arena, curves->entries, sizeof *title);
    size_t longest = 0;
    for (size_t i = 0; i < curves->entries; i++) {
        size_t characters = title_entry(curves, &curves->entry[i]);
        title[i] = curves->entry[i].title;
        longest = characters > longest ? characters : longest;
    }
    chart_texts(curves->chart, "schemes", title, curves->entries);
    chart_number(curves->chart, "longest", (double)longest);
}

/* Panels share their x axis unless that would press some of them flat. */
static void set_x(struct curves *curves) {
    double least = (double)INFINITY, most = 0;
    for (size_t p = 0; p < curves->panels.count; p++) {
        most = fmax(most, curves->end[p]);
        if (curves->end[p] > 0)
            least = fmin(least, curves->end[p]);
    }
    for (size_t p = 0; p < curves->panels.count; p++)
        if (most <= 3 * least || curves->end[p] <= 0)
            curves->end[p] = most > 0 ? most : 1;
    chart_numbers(curves->chart, "x_high", curves->end, curves->panels.count);
}

/* Returns whether some curve leaves the picture. */
static bool set_y(struct curves *curves) {
    double low = curves->lowest, high = curves->highest, limit = VIEW_GROWTH * curves->start;
    bool cut = curves->start > 0 && high > limit;
    if (cut)
        high = limit;
    bool logarithmic = low > 0 && high > LOG_RATIO * low;
    if (logarithmic) {
        low /= 1.2;
        high *= 1.2;
    } else {
        double margin = high > low ? 0.05 * (high - low) : fmax(0.1 * fabs(high), 1e-3);
        low = low >= 0 ? fmax(low - margin, 0) : low - margin;
        high += margin;
    }
    chart_number(curves->chart, "logarithmic", logarithmic ? 1 : 0);
    chart_number(curves->chart, "y_low", low);
    chart_number(curves->chart, "y_high", high);
    return cut;
}

static void set_caption(struct curves *curves, bool cut) {
    const char *runs = "One run per scheme.";
    if (curves->replications > 1)
        runs = arena_format(
            curves->arena,
            "Median of %zu runs, band from the 10th to the 90th percentile. A run that ended counts "
            "with its last loss;",
            curves->replications);
    const char *rest = curves->replications > 1 ? "a curve stops when half of its runs have ended." : "";
    if (cut)
        rest = arena_format(curves->arena, "%s%sLosses above 10 times the first are cut off.", rest,
                            *rest == '\0' ? "" : " ");
    if (curves->panels.points > curves->panels.count)
        rest = arena_format(curves->arena, "%s%sThe first %zu of %zu points.", rest, *rest == '\0' ? "" : " ",
                            curves->panels.count, curves->panels.points);
    const char *lines[] = {runs, rest};
    chart_texts(curves->chart, "caption", lines, 2);
}

static int fill(struct curves *curves, struct sentence *why) {
    list_schemes(curves);
    add_curves(curves);
    if (curves->points == 0) {
        sentence_set(why, "no loss was recorded in %s", curves->steps.csv->file);
        return 0;
    }
    set_key(curves);
    chart_texts(curves->chart, "panels", curves->panels.label, curves->panels.count);
    chart_numbers(curves->chart, "first_row", curves->from, curves->panels.count * curves->entries);
    chart_numbers(curves->chart, "last_row", curves->to, curves->panels.count * curves->entries);
    set_x(curves);
    set_caption(curves, set_y(curves));
    chart_number(curves->chart, "marks", fmax(1, round((double)curves->points / 8)));
    return 1;
}

static int read_steps(struct curves *curves, struct sentence *why) {
    const char *const numbers[] = {"point", "replication", curves->request->x, "loss", NULL};
    struct results_request steps = {curves->request->folder, "steps.csv", numbers};
    int found = results_read(&curves->steps, curves->arena, &steps, why);
    if (found == 1) {
        found = fill(curves, why);
        results_close(&curves->steps);
    }
    return found;
}

int curves_tabulate(const struct curves_request *request, struct chart *chart, struct sentence *why) {
    static const char *const numbers[] = {"point", NULL};
    struct curves curves = {.request = request,
                            .chart = chart,
                            .arena = arena_new(),
                            .lowest = (double)INFINITY,
                            .highest = -(double)INFINITY,
                            .start = -(double)INFINITY};
    struct results_request runs = {request->folder, "runs.csv", numbers};
    int found = results_read(&curves.runs, curves.arena, &runs, why);
    if (found == 1) {
        curves.panels = panels_of(&curves.runs);
        found = read_steps(&curves, why);
        results_close(&curves.runs);
    }
    arena_free(curves.arena);
    return found;
}
