#include "figure.h"
#include "lines.h"
#include <math.h>

static const struct column column[] = {
    {"panel", COLUMN_COUNT, offsetof(struct line_point, panel)},
    {"curve", COLUMN_COUNT, offsetof(struct line_point, curve)},
    {"staleness", COLUMN_NUMBER, offsetof(struct line_point, x)},
    {"used_percent", COLUMN_NUMBER, offsetof(struct line_point, y)},
    {"point", COLUMN_COUNT, offsetof(struct line_point, point)},
    {"scheme", COLUMN_TEXT, offsetof(struct line_point, scheme)},
};
static const struct columns columns = {column, sizeof column / sizeof *column};

/* Used gradients by their age, over the replications. */
struct ages {
    double *count; /* [ages] */
    size_t ages, oldest;
    double all;
};

static struct ages ages_of(const struct results *results, const struct block *block) {
    struct ages ages = {0};
    for (size_t r = block->first; r < block->first + block->rows; r++)
        ages.oldest = (size_t)fmax((double)ages.oldest, results_number(results, r, "staleness"));
    ages.ages = ages.oldest + 1;
    ages.count = arena_zeroed(results->arena, ages.ages, sizeof *ages.count);
    for (size_t r = block->first; r < block->first + block->rows; r++) {
        double count = results_number(results, r, "count");
        ages.count[(size_t)results_number(results, r, "staleness")] += count;
        ages.all += count;
    }
    return ages;
}

/* Few old ones stand for many ages: from FIGURE_POINTS ages on, several share a place, by their mean. */
static void add_block(struct lines *lines, const struct results *results, const struct block *block,
                      size_t panel) {
    struct ages ages = ages_of(results, block);
    size_t width = ages.ages / FIGURE_POINTS + 1;
    for (size_t age = 0; age < ages.ages; age += width) {
        double sum = 0;
        size_t end = age + width < ages.ages ? age + width : ages.ages;
        for (size_t a = age; a < end; a++)
            sum += ages.count[a];
        lines_add(lines, (struct line_point){.panel = (uint32_t)panel + 1,
                                             .x = (double)(age + end - 1) / 2,
                                             .y = 100 * sum / (double)(end - age) / ages.all,
                                             .low = (double)NAN,
                                             .high = (double)NAN,
                                             .point = block->point,
                                             .scheme = block->scheme});
    }
}

static int fill(const struct results *ages, const struct panels *panels, struct chart *chart,
                struct sentence *why) {
    struct lines lines = {.arena = ages->arena, .panels = panels};
    for (size_t b = 0; b < ages->blocks; b++) {
        size_t panel = panels_find(panels, ages->block[b].point);
        if (panel < panels->count)
            add_block(&lines, ages, &ages->block[b], panel);
    }
    if (lines.count == 0) {
        sentence_set(why, "no run at these points can use a gradient late");
        return 0;
    }
    lines_chart(&lines, &columns, chart);
    const char *caption[] = {
        "Updates between the model that a used gradient was taken at and the one it moved.",
        panels_shown(panels)};
    chart_lines(chart, caption, sizeof caption / sizeof *caption);
    return 1;
}

/* The points are those of runs.csv, which has the swept keys. */
static int read_ages(struct arena *arena, const char *folder, const struct panels *panels,
                     struct chart *chart, struct sentence *why) {
    static const char *const numbers[] = {"point", "replication", "staleness", "count", NULL};
    struct results ages;
    int found = results_read(&ages, arena, &(struct results_request){folder, "staleness.csv", numbers}, why);
    if (found == 1) {
        found = fill(&ages, panels, chart, why);
        results_close(&ages);
    }
    return found;
}

static int tabulate(const struct plot_request *request, struct chart *chart, struct sentence *why) {
    static const char *const numbers[] = {"point", NULL};
    struct arena *arena = arena_new();
    struct results runs;
    struct panels panels;
    int found =
        results_read(&runs, arena, &(struct results_request){request->folder, "runs.csv", numbers}, why);
    if (found == 1) {
        found = panels_choose(&panels, &runs, &request->points, why)
                    ? read_ages(arena, request->folder, &panels, chart, why)
                    : -1;
        results_close(&runs);
    }
    arena_free(arena);
    return found;
}

const struct figure figure_staleness = {
    .head = {.name = "staleness", .summary = "how old the gradients were that made the updates"},
    .title = "Staleness of the gradients used",
    .file = "staleness.csv",
    .tabulate = tabulate,
};
