#include "points_table.h"
#include "comparison.h"
#include "number_text.h"
#include "text_table.h"
#include <math.h>
#include <string.h>

#define LINE_WIDTH_MAX 110
/* Columns before those of the schemes. */
#define POINT_COLUMNS 2

/* The summaries of a study whose points all have the same schemes. */
struct grid {
    const struct study *study;
    const struct summary *summary; /* [points * schemes] */
    size_t points, schemes;
};

/* False where the points differ in their schemes. */
static bool grid_init(struct grid *grid, const struct study *study) {
    size_t count;
    *grid = (struct grid){study, study_summaries(study, &count), study_points(study), 0};
    grid->schemes = study_scenario(study, 0)->schemes;
    if (count != grid->points * grid->schemes)
        return false;
    for (size_t c = 0; c < count; c++)
        if (grid->summary[c].point != c / grid->schemes ||
            strcmp(grid->summary[c].scheme, grid->summary[c % grid->schemes].scheme) != 0)
            return false;
    return true;
}

/* Three digits. */
static const char *short_text(struct arena *arena, double value) {
    return arena_format(arena, fabs(value) >= 1e3 && fabs(value) < 1e6 ? "%.0f" : "%.3g", value);
}

static const char *cell_text(struct arena *arena, const struct summary *summary,
                             const struct summary *first) {
    double mean = summary->measure[measure_compared(first)].mean, ratio = ratio_to_first(summary, first);
    const char *text = isnan(mean) ? "" : short_text(arena, mean);
    if (summary->reached < 1)
        text = arena_format(arena, "%s%s%.0f/%u", text, *text ? " " : "", summary->reached * summary->runs,
                            summary->runs);
    else if (summary != first && !isnan(ratio))
        text = arena_format(arena, "%s %.2f", text, ratio);
    return summary->stalled + summary->diverged > 0 ? arena_format(arena, "%s*", text) : text;
}

static const char *values_text(struct arena *arena, const struct grid *grid, size_t point) {
    const char *text = "";
    for (size_t key = 0; key < study_swept(grid->study); key++)
        text = arena_format(arena, "%s%s%s", text, key > 0 ? ", " : "",
                            study_swept_value(grid->study, point, key));
    return text;
}

static struct text_table *grid_table(struct arena *arena, const struct grid *grid) {
    size_t columns = POINT_COLUMNS + grid->schemes;
    struct text_column *column = arena_zeroed(arena, columns, sizeof *column);
    column[0] = (struct text_column){"point", RIGHT};
    column[1] = (struct text_column){"values", LEFT};
    for (size_t e = 0; e < grid->schemes; e++)
        column[POINT_COLUMNS + e] = (struct text_column){grid->summary[e].scheme, RIGHT};
    struct text_table *table = text_table_new(column, columns);
    const char **cells = arena_zeroed(arena, columns, sizeof *cells);
    for (size_t point = 0; point < grid->points; point++) {
        const struct summary *first = grid->summary + point * grid->schemes;
        cells[0] = arena_format(arena, "%zu", point);
        cells[1] = values_text(arena, grid, point);
        for (size_t e = 0; e < grid->schemes; e++)
            cells[POINT_COLUMNS + e] = cell_text(arena, first + e, first);
        text_table_row(table, cells);
    }
    return table;
}

/* Only the signs that occur are explained. */
static void legend_print(const struct grid *grid, FILE *stream) {
    bool some = false, ended = false;
    for (size_t c = 0; c < grid->points * grid->schemes; c++) {
        some |= grid->summary[c].reached < 1;
        ended |= grid->summary[c].stalled + grid->summary[c].diverged > 0;
    }
    fputs("\nvalues of", stream);
    for (size_t key = 0; key < study_swept(grid->study); key++)
        fprintf(stream, "%s %s", key > 0 ? "," : "", study_swept_key(grid->study, key));
    struct arena *arena = arena_new();
    fprintf(stream, "\n%s, mean over %s, and relative to %s\n", measure_compared_name(grid->summary),
            runs_averaged_text(arena, grid->study), grid->summary->scheme);
    arena_free(arena);
    if (some)
        fprintf(stream, "n/%u: n of the runs reached the loss\n", grid->summary->runs);
    if (ended)
        fputs("*: some runs stalled or diverged\n", stream);
}

bool points_table_print(const struct study *study, FILE *stream) {
    struct grid grid;
    if (!grid_init(&grid, study))
        return false;
    struct arena *arena = arena_new();
    struct text_table *table = grid_table(arena, &grid);
    bool fits = text_table_width(table) <= LINE_WIDTH_MAX;
    if (fits) {
        text_table_print(table, stream, "");
        legend_print(&grid, stream);
    }
    text_table_free(table);
    arena_free(arena);
    return fits;
}
