#include "figure.h"
#include "lines.h"
#include <math.h>

/* Beyond so many workers groups of neighbours share a column. */
#define WORKERS_SHOWN 64

/* A column of a panel: a row of the figure's CSV. Shares in percent, means over the replications. */
struct worker_column {
    uint32_t panel, first, last; /* workers */
    double busy, idle, down;     /* of the run's seconds */
    double used, late;           /* of its steps */
    uint32_t point;
    const char *scheme;
};
static const struct column column[] = {
    {"panel", COLUMN_COUNT, offsetof(struct worker_column, panel)},
    {"worker", COLUMN_COUNT, offsetof(struct worker_column, first)},
    {"last_worker", COLUMN_COUNT, offsetof(struct worker_column, last)},
    {"busy_percent", COLUMN_NUMBER, offsetof(struct worker_column, busy)},
    {"idle_percent", COLUMN_NUMBER, offsetof(struct worker_column, idle)},
    {"down_percent", COLUMN_NUMBER, offsetof(struct worker_column, down)},
    {"used_percent", COLUMN_NUMBER, offsetof(struct worker_column, used)},
    {"late_percent", COLUMN_NUMBER, offsetof(struct worker_column, late)},
    {"point", COLUMN_COUNT, offsetof(struct worker_column, point)},
    {"scheme", COLUMN_TEXT, offsetof(struct worker_column, scheme)},
};
static const struct columns columns = {column, sizeof column / sizeof *column};

struct workers_figure {
    struct results workers, runs;
    struct panels panels; /* a scheme each, of one point */
    size_t most_workers, schemes;
    bool any; /* some run took time */
};

static uint32_t workers_in(const struct results *workers, const struct block *block) {
    double most = 0;
    for (size_t r = block->first; r < block->first + block->rows; r++)
        most = fmax(most, results_number(workers, r, "worker"));
    return (uint32_t)most + 1;
}

/* Steps of the run of a row of workers.csv: of the same scheme and replication. */
static double steps_of(const struct results *runs, const struct block *block, double replication) {
    const struct block *like = results_like(runs, block);
    for (size_t r = like ? like->first : 0; like && r < like->first + like->rows; r++)
        if (results_number(runs, r, "replication") == replication)
            return results_number(runs, r, "steps");
    return (double)NAN;
}

/* Sums over the rows of the column's workers. */
static void measure(const struct workers_figure *figure, const struct block *block,
                    struct worker_column *worker) {
    const struct results *rows = &figure->workers;
    double seconds = 0, steps = 0;
    for (size_t r = block->first; r < block->first + block->rows; r++) {
        double here = results_number(rows, r, "worker");
        if (here < worker->first || here > worker->last)
            continue;
        worker->busy += results_number(rows, r, "busy_s");
        worker->idle += results_number(rows, r, "idle_s");
        worker->down += results_number(rows, r, "down_s");
        worker->used += results_number(rows, r, "used");
        worker->late += results_number(rows, r, "late");
        steps += steps_of(&figure->runs, block, results_number(rows, r, "replication"));
    }
    seconds = worker->busy + worker->idle + worker->down;
    double *shares[] = {&worker->busy, &worker->idle, &worker->down, &worker->used, &worker->late};
    for (size_t q = 0; q < 5; q++)
        *shares[q] = 100 * *shares[q] / (q < 3 ? seconds : steps);
}

static void add_panel(struct workers_figure *figure, const struct block *block, struct chart *chart) {
    uint32_t workers = workers_in(&figure->workers, block), width = (workers - 1) / WORKERS_SHOWN + 1;
    size_t panel = figure->panels.count++;
    figure->panels.label[panel] = block->scheme;
    figure->panels.point[panel] = block->point;
    figure->most_workers = workers > figure->most_workers ? workers : figure->most_workers;
    for (uint32_t first = 0; first < workers; first += width) {
        uint32_t last = first + width < workers ? first + width - 1 : workers - 1;
        struct worker_column worker = {.panel = (uint32_t)panel + 1,
                                       .first = first,
                                       .last = last,
                                       .point = block->point,
                                       .scheme = block->scheme};
        measure(figure, block, &worker);
        figure->any |= !isnan(worker.busy);
        sheet_row(&chart->table, &worker);
    }
}

static const char *shown(const struct workers_figure *figure, bool several) {
    struct arena *arena = figure->panels.arena;
    const char *schemes =
        figure->schemes > figure->panels.count
            ? arena_format(arena, "The first %zu of %zu schemes. ", figure->panels.count, figure->schemes)
            : "";
    const char *point = several ? arena_format(arena, "Point %u; laggard plot --points draws others.",
                                               figure->panels.point[0])
                                : "";
    return arena_format(arena, "%s%s", schemes, point);
}

static int fill(struct workers_figure *figure, const struct points *points, struct chart *chart,
                struct sentence *why) {
    const struct block *first = NULL;
    sheet_init(&chart->table, &columns, NULL, 0);
    sheet_header(&chart->table);
    for (size_t b = 0; b < figure->workers.blocks; b++) {
        const struct block *block = &figure->workers.block[b];
        if (!points_hold(points, block->point))
            continue;
        first = first ? first : block;
        figure->schemes += block->point == first->point;
        if (block->point == first->point && figure->panels.count < PANELS)
            add_panel(figure, block, chart);
    }
    if (!first) {
        sentence_set(why, "none of these points is in %s", figure->workers.csv->file);
        return -1;
    }
    if (!figure->any) {
        sentence_set(why, "no run in %s took any time", figure->workers.csv->file);
        return 0;
    }
    panels_chart(&figure->panels, chart);
    chart_number(chart, "workers", (double)figure->most_workers);
    uint32_t last = figure->workers.block[figure->workers.blocks - 1].point;
    const char *caption[] = {"Columns: the seconds of a worker. Filled marks: steps in which its result was "
                             "used; open ones: was late.",
                             shown(figure, last > figure->workers.block[0].point)};
    chart_lines(chart, caption, sizeof caption / sizeof *caption);
    return 1;
}

static int tabulate(const struct plot_request *request, struct chart *chart, struct sentence *why) {
    static const char *const run[] = {"point", "replication", "steps", NULL};
    static const char *const worker[] = {"point",  "replication", "worker", "busy_s", "idle_s",
                                         "down_s", "used",        "late",   NULL};
    struct arena *arena = arena_new();
    struct workers_figure figure = {.panels = {.arena = arena, .common = ""}};
    const char *folder = request->folder;
    int found = results_read(&figure.runs, arena, &(struct results_request){folder, "runs.csv", run}, why);
    if (found == 1) {
        found = results_read(&figure.workers, arena, &(struct results_request){folder, "workers.csv", worker},
                             why);
        if (found == 1) {
            found = fill(&figure, &request->points, chart, why);
            results_close(&figure.workers);
        }
        results_close(&figure.runs);
    }
    arena_free(arena);
    return found;
}

const struct figure figure_workers = {
    .head = {.name = "workers", .summary = "how each worker spent the run, how often it was used and late"},
    .title = "What the workers did",
    .file = "workers.csv",
    .tabulate = tabulate,
};
