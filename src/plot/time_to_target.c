#include "bars.h"
#include "figure.h"
#include <math.h>

/* Beyond this ratio of the slowest to the fastest a bar from 0 shows nothing of the fast ones. */
#define LINEAR_RANGE 25.0

static const struct column column[] = {
    {"panel", COLUMN_COUNT, offsetof(struct bar, panel)},
    {"row", COLUMN_NUMBER, offsetof(struct bar, row)},
    {"colour", COLUMN_COUNT, offsetof(struct bar, colour)},
    {"time_to_loss_s", COLUMN_NUMBER, offsetof(struct bar, value)},
    {"time_to_loss_s_low", COLUMN_NUMBER, offsetof(struct bar, low)},
    {"time_to_loss_s_high", COLUMN_NUMBER, offsetof(struct bar, high)},
    {"point", COLUMN_COUNT, offsetof(struct bar, point)},
    {"scheme", COLUMN_TEXT, offsetof(struct bar, scheme)},
};
static const struct columns columns = {column, sizeof column / sizeof *column};

/* The mean over the runs that reached the target; how many did is said, since the others are not in it. */
static void measure(struct bar *bar, const struct results *summary, size_t row) {
    bar->value = results_number(summary, row, "time_to_loss_s_mean");
    bar->low = fmax(results_number(summary, row, "time_to_loss_s_low"), 0);
    bar->high = results_number(summary, row, "time_to_loss_s_high");
    /* fmax drops a NAN. */
    if (isnan(bar->high))
        bar->low = (double)NAN;
    double runs = results_number(summary, row, "runs"), reached = results_number(summary, row, "reached");
    bar->note = "not reached";
    if (isnan(bar->value))
        return;
    char seconds[32];
    chart_seconds(seconds, bar->value);
    bar->note = reached < 1
                    ? arena_format(summary->arena, "%s   (%.0f of %.0f runs)", seconds, reached * runs, runs)
                    : arena_format(summary->arena, "%s", seconds);
}

static int fill(struct results *summary, struct chart *chart, struct sentence *why) {
    struct panels panels = panels_of(summary);
    struct bars bars = {.arena = summary->arena,
                        .panels = &panels,
                        .bar = arena_zeroed(summary->arena, summary->csv->rows, sizeof(struct bar))};
    bool targeted = false, reached = false;
    for (size_t b = 0; b < summary->blocks; b++) {
        const struct block *block = &summary->block[b];
        size_t panel = panels_find(&panels, block->point);
        if (panel == panels.count)
            continue;
        struct bar *bar = &bars.bar[bars.count];
        *bar = (struct bar){.panel = (uint32_t)panel + 1, .point = block->point, .scheme = block->scheme};
        bar->colour = bars_colour(&bars, block->scheme);
        measure(bar, summary, block->first);
        targeted = targeted || !isnan(results_number(summary, block->first, "reached"));
        reached = reached || !isnan(bar->value);
        bars.count++;
    }
    if (!reached) {
        sentence_set(why, targeted ? "no run reached the target loss" : "no target loss was set (stop.loss)");
        return 0;
    }
    bars_chart(&bars, &columns, chart);
    chart_number(chart, "logarithmic", bars_range(&bars) > LINEAR_RANGE ? 1 : 0);
    const char *caption[] = {"Mean over the runs that reached the target loss; whiskers: its 95 % interval.",
                             bars_shown(&bars)};
    chart_texts(chart, "caption", caption, 2);
    return 1;
}

static int tabulate(const char *folder, struct chart *chart, struct sentence *why) {
    static const char *const numbers[] = {
        "point", "runs", "reached", "time_to_loss_s_mean", "time_to_loss_s_low", "time_to_loss_s_high", NULL};
    struct arena *arena = arena_new();
    struct results summary;
    int found = results_read(&summary, arena, &(struct results_request){folder, "summary.csv", numbers}, why);
    if (found == 1) {
        found = fill(&summary, chart, why);
        results_close(&summary);
    }
    arena_free(arena);
    return found;
}

const struct figure figure_time_to_target = {
    .head = {.name = "time-to-target",
             .summary = "mean time to the target loss, 95 % interval, share of runs that reached it"},
    .title = "Time to the target loss",
    .tabulate = tabulate,
};
