#include "bars.h"
#include "figure.h"
#include <math.h>

/* Beyond this ratio of the slowest to the fastest a bar from 0 shows nothing of the fast ones. */
#define LINEAR_RANGE 25.0

static const struct column column[] = {
    {"panel", COLUMN_COUNT, offsetof(struct bar, panel)},
    {"row", COLUMN_COUNT, offsetof(struct bar, row)},
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
    bar->low = results_number(summary, row, "time_to_loss_s_low");
    bar->high = results_number(summary, row, "time_to_loss_s_high");
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

/* "a loss of 0.08", or without a number where it differs or is not known. */
static const char *target_text(const struct bars *bars, const struct results *summary) {
    double target = (double)NAN;
    for (size_t b = 0; b < summary->blocks; b++) {
        if (panels_find(bars->panels, summary->block[b].point) == bars->panels->count)
            continue;
        double here = results_number(summary, summary->block[b].first, "target_loss");
        if (isnan(here) || (!isnan(target) && here != target))
            return "the target loss";
        target = here;
    }
    return arena_format(summary->arena, "a training loss of %g", target);
}

static void describe(const struct bars *bars, const struct results *summary, struct chart *chart) {
    bool logarithmic = bars_range(bars) > LINEAR_RANGE, uncertain = bars_uncertain(bars);
    chart_number(chart, "logarithmic", logarithmic ? 1 : 0);
    chart_text(chart, "target", target_text(bars, summary));
    const char *caption[] = {uncertain
                                 ? "Mean over the runs that reached the target; whiskers: its 95 % interval."
                                 : "Mean over the runs that reached the target.",
                             bars_cut(bars) ? "Whiskers that go below 0 are cut off at the left edge." : "",
                             panels_shown(bars->panels)};
    chart_lines(chart, caption, sizeof caption / sizeof *caption);
}

static int fill(struct results *summary, const struct points *points, struct chart *chart,
                struct sentence *why) {
    struct panels panels;
    if (!panels_choose(&panels, summary, points, why))
        return -1;
    struct bars bars = bars_of(&panels, summary);
    bool targeted = false, reached = false;
    for (size_t b = 0; b < summary->blocks; b++) {
        struct bar *bar = bars_add(&bars, &summary->block[b]);
        if (bar == NULL)
            continue;
        measure(bar, summary, summary->block[b].first);
        targeted = targeted || !isnan(results_number(summary, summary->block[b].first, "reached"));
        reached = reached || !isnan(bar->value);
    }
    if (!reached) {
        sentence_set(why, targeted ? "no run reached the target loss" : "no target loss was set (stop.loss)");
        return 0;
    }
    bars_chart(&bars, &columns, chart);
    describe(&bars, summary, chart);
    return 1;
}

static int tabulate(const struct plot_request *request, struct chart *chart, struct sentence *why) {
    static const char *const numbers[] = {
        "point", "runs", "reached", "time_to_loss_s_mean", "time_to_loss_s_low", "time_to_loss_s_high", NULL};
    struct arena *arena = arena_new();
    struct results summary;
    int found = results_read(&summary, arena,
                             &(struct results_request){request->folder, "summary.csv", numbers}, why);
    if (found == 1) {
        found = fill(&summary, &request->points, chart, why);
        results_close(&summary);
    }
    arena_free(arena);
    return found;
}

const struct figure figure_time_to_target = {
    .head = {.name = "time-to-target",
             .summary = "mean time to the target loss, 95 % interval, share of runs that reached it"},
    .title = "Time to the target loss",
    .file = "runs.csv",
    .tabulate = tabulate,
};
