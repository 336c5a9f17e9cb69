#include "figure.h"
#include "lines.h"
#include <math.h>
#include <string.h>

static const struct column column[] = {MEAN_COLUMNS("workers")};
static const struct columns columns = {column, sizeof column / sizeof *column};

/* The panels: a measure of summary.csv each. */
static const struct measure {
    const char *title, *mean, *low, *high;
} measures[] = {
    {"Time to the target loss (s)", "time_to_loss_s_mean", "time_to_loss_s_low", "time_to_loss_s_high"},
    {"Steps to the target loss", "steps_to_loss_mean", "steps_to_loss_low", "steps_to_loss_high"},
};
#define MEASURES (sizeof measures / sizeof *measures)

/* A point of the sweep and the workers there. */
struct size {
    uint32_t point;
    double workers;
};
struct sizes {
    struct size *size;
    size_t count;
    bool repeated; /* some points have as many workers as others */
};

static double workers_in(const struct results *workers, const struct block *block) {
    double most = 0;
    for (size_t r = block->first; r < block->first + block->rows; r++)
        most = fmax(most, results_number(workers, r, "worker") + 1);
    return most;
}

/* The first point of every number of workers, ascending in that. */
static void note_size(struct sizes *sizes, struct size size) {
    size_t place = 0;
    while (place < sizes->count && sizes->size[place].workers < size.workers)
        place++;
    if (place < sizes->count && sizes->size[place].workers == size.workers) {
        sizes->repeated |= sizes->size[place].point != size.point;
        return;
    }
    memmove(&sizes->size[place + 1], &sizes->size[place], (sizes->count - place) * sizeof *sizes->size);
    sizes->size[place] = size;
    sizes->count++;
}

static struct sizes sizes_of(const struct results *workers, const struct points *points) {
    struct sizes sizes = {.size = arena_zeroed(workers->arena, workers->blocks + 1, sizeof *sizes.size)};
    for (size_t b = 0; b < workers->blocks; b++)
        if (points_hold(points, workers->block[b].point))
            note_size(&sizes,
                      (struct size){workers->block[b].point, workers_in(workers, &workers->block[b])});
    return sizes;
}

static void add_size(struct lines *lines, const struct results *summary, const struct size *size) {
    for (size_t b = 0; b < summary->blocks; b++)
        for (size_t x = 0; summary->block[b].point == size->point && x < MEASURES; x++) {
            size_t row = summary->block[b].first;
            double mean = results_number(summary, row, measures[x].mean);
            if (!isnan(mean))
                lines_add(lines, (struct line_point){.panel = (uint32_t)x + 1,
                                                     .x = size->workers,
                                                     .y = mean,
                                                     .low = results_number(summary, row, measures[x].low),
                                                     .high = results_number(summary, row, measures[x].high),
                                                     .point = size->point,
                                                     .scheme = summary->block[b].scheme});
        }
}

static int fill(const struct results *summary, const struct sizes *sizes, struct chart *chart,
                struct sentence *why) {
    struct panels panels = {.arena = summary->arena, .count = MEASURES, .points = MEASURES, .common = ""};
    struct lines lines = {.arena = summary->arena, .panels = &panels};
    for (size_t x = 0; x < MEASURES; x++)
        panels.label[x] = measures[x].title;
    for (size_t n = 0; n < sizes->count; n++)
        add_size(&lines, summary, &sizes->size[n]);
    if (lines.count == 0) {
        sentence_set(why, "no run reached a target loss (stop.loss)");
        return 0;
    }
    lines_chart(&lines, &columns, chart);
    const char *caption[] = {"Means over the runs that reached the target; whiskers: their 95 % intervals.",
                             sizes->repeated
                                 ? "Of the points with equally many workers, the first; laggard plot "
                                   "--points draws others."
                                 : ""};
    chart_lines(chart, caption, sizeof caption / sizeof *caption);
    return 1;
}

static int read_summary(const struct plot_request *request, const struct results *workers,
                        struct chart *chart, struct sentence *why) {
    static const char *const numbers[] = {"point", NULL};
    struct sizes sizes = sizes_of(workers, &request->points);
    struct results summary;
    if (sizes.count < 2) {
        sentence_set(why, "all points have equally many workers");
        return 0;
    }
    int found = results_read(&summary, workers->arena,
                             &(struct results_request){request->folder, "summary.csv", numbers}, why);
    if (found == 1) {
        found = fill(&summary, &sizes, chart, why);
        results_close(&summary);
    }
    return found;
}

static int tabulate(const struct plot_request *request, struct chart *chart, struct sentence *why) {
    static const char *const numbers[] = {"point", "worker", NULL};
    struct arena *arena = arena_new();
    struct results workers;
    int found = results_read(&workers, arena,
                             &(struct results_request){request->folder, "workers.csv", numbers}, why);
    if (found == 1) {
        found = read_summary(request, &workers, chart, why);
        results_close(&workers);
    }
    arena_free(arena);
    return found;
}

const struct figure figure_scaling = {
    .head = {.name = "scaling", .summary = "time and steps to the target loss against the number of workers"},
    .title = "Time and steps to the target by the number of workers",
    .file = "workers.csv",
    .rare = true,
    .tabulate = tabulate,
};
