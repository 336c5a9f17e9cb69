#include "bars.h"
#include "figure.h"
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

/* The bar is the ratio of two means over the replications that both schemes have, its interval the paired ratio
 * estimator's (Cochran, Sampling Techniques, 1977, section 6.4): both met the same delays. */

static const struct column column[] = {
    {"panel", COLUMN_COUNT, offsetof(struct bar, panel)},
    {"row", COLUMN_COUNT, offsetof(struct bar, row)},
    {"step_percent", COLUMN_NUMBER, offsetof(struct bar, value)},
    {"step_percent_low", COLUMN_NUMBER, offsetof(struct bar, low)},
    {"step_percent_high", COLUMN_NUMBER, offsetof(struct bar, high)},
    {"point", COLUMN_COUNT, offsetof(struct bar, point)},
    {"scheme", COLUMN_TEXT, offsetof(struct bar, scheme)},
};
static const struct columns columns = {column, sizeof column / sizeof *column};

/* A scheme's seconds per step beside the reference's, replication by replication. */
struct pairs {
    size_t count;
    double *step, *reference;
};

static double mean_of(const double *value, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += value[i];
    return sum / (double)count;
}

/* Half the width of the 95 % interval of the ratio; NAN with fewer than two pairs. */
static double half_width(const struct pairs *pairs, double ratio) {
    if (pairs->count < 2)
        return (double)NAN;
    double squares = 0, count = (double)pairs->count;
    for (size_t i = 0; i < pairs->count; i++) {
        double residual = pairs->step[i] - ratio * pairs->reference[i];
        squares += residual * residual;
    }
    double deviation = sqrt(squares / (count - 1));
    return gsl_cdf_tdist_Pinv(0.975, count - 1) * deviation /
           (sqrt(count) * mean_of(pairs->reference, pairs->count));
}

static bool measured(const struct results *runs, const struct block *block) {
    for (size_t r = block->first; r < block->first + block->rows; r++)
        if (!isnan(results_number(runs, r, "step_mean_s")))
            return true;
    return false;
}

/* The point's first scheme, and the first one that has a time per step, to which the others are compared; NULL where
 * none has. */
struct reference {
    const struct block *first, *compared;
};

static struct reference reference_of(const struct results *runs, uint32_t point) {
    struct reference reference = {NULL, NULL};
    for (size_t b = 0; b < runs->blocks; b++) {
        const struct block *block = &runs->block[b];
        if (block->point != point)
            continue;
        reference.first = reference.first == NULL ? block : reference.first;
        if (reference.compared == NULL && measured(runs, block))
            reference.compared = block;
    }
    return reference;
}

static struct pairs pair_up(const struct results *runs, const struct block *block,
                            const struct block *reference) {
    struct pairs pairs = {.step = arena_zeroed(runs->arena, 2 * block->rows, sizeof(double))};
    pairs.reference = pairs.step + block->rows;
    size_t other = reference->first, end = reference->first + reference->rows;
    for (size_t r = block->first; r < block->first + block->rows; r++) {
        double replication = results_number(runs, r, "replication");
        while (other < end && results_number(runs, other, "replication") < replication)
            other++;
        if (other == end || results_number(runs, other, "replication") > replication)
            continue;
        double step_s = results_number(runs, r, "step_mean_s");
        double reference_s = results_number(runs, other, "step_mean_s");
        if (isnan(step_s) || isnan(reference_s))
            continue;
        pairs.step[pairs.count] = step_s;
        pairs.reference[pairs.count++] = reference_s;
    }
    return pairs;
}

/* Against steps that take no time only steps that take none have a ratio. */
static double ratio_of(double step_s, double reference_s) {
    return step_s == 0 && reference_s == 0 ? 1 : step_s / reference_s;
}

static const char *note_of(struct arena *arena, double percent, double step_s) {
    char seconds[32];
    chart_seconds(seconds, step_s);
    if (!isfinite(percent))
        return seconds[0] == '0' ? "0 s" : arena_format(arena, "%s, against 0 s", seconds);
    return arena_format(arena, percent < 9.95 ? "%.1f %%   %s" : "%.0f %%   %s", percent, seconds);
}

static void measure(struct bar *bar, const struct results *runs, const struct block *block) {
    const struct block *compared = reference_of(runs, block->point).compared;
    struct pairs pairs = {0};
    if (compared != NULL)
        pairs = pair_up(runs, block, compared);
    bar->note = "no steps";
    if (pairs.count == 0)
        return;
    double step_s = mean_of(pairs.step, pairs.count);
    double ratio = ratio_of(step_s, mean_of(pairs.reference, pairs.count));
    bar->note = note_of(runs->arena, 100 * ratio, step_s);
    if (!isfinite(ratio))
        return;
    bar->value = 100 * ratio;
    if (block != compared) {
        double width = half_width(&pairs, ratio);
        bar->low = 100 * (ratio - width);
        bar->high = 100 * (ratio + width);
    }
}

/* Who has 100 %: by name where that is the same scheme in all panels. */
static const char *reference_text(const struct results *runs, const struct panels *panels) {
    const char *name = NULL;
    bool first = true, alike = true;
    for (size_t p = 0; p < panels->count; p++) {
        struct reference reference = reference_of(runs, panels->point[p]);
        if (reference.compared == NULL)
            continue;
        first = first && reference.compared == reference.first;
        alike = alike && (name == NULL || strcmp(name, reference.compared->scheme) == 0);
        name = reference.compared->scheme;
    }
    if (alike && name != NULL)
        return name;
    return first ? "first scheme" : "first scheme with steps";
}

/* Where the first scheme has no time per step, which would otherwise be missed. */
static const char *stalled_text(const struct results *runs, const struct panels *panels) {
    for (size_t p = 0; p < panels->count; p++) {
        struct reference reference = reference_of(runs, panels->point[p]);
        if (reference.compared != NULL && reference.compared != reference.first)
            return arena_format(runs->arena, "%s has no steps%s: 100 %% is the first scheme that has.",
                                reference.first->scheme, panels->count > 1 ? " at some point" : "");
    }
    return "";
}

static void describe(const struct bars *bars, const struct results *runs, struct chart *chart) {
    char reference[4 * CHART_LABEL + 1];
    chart_label(reference, reference_text(runs, bars->panels), CHART_LABEL);
    chart_text(chart, "reference", reference);
    const char *caption[] = {
        bars_uncertain(bars) ? "Whiskers: 95 % interval of the ratio, replications paired." : "",
        bars_cut(bars) ? "Whiskers are cut off at 0." : "", stalled_text(runs, bars->panels),
        panels_shown(bars->panels)};
    chart_lines(chart, caption, sizeof caption / sizeof *caption);
}

static int fill(struct results *runs, const struct points *points, struct chart *chart,
                struct sentence *why) {
    struct panels panels;
    if (!panels_choose(&panels, runs, points, why))
        return -1;
    struct bars bars = bars_of(&panels, runs);
    bool any = false;
    for (size_t b = 0; b < runs->blocks; b++) {
        struct bar *bar = bars_add(&bars, &runs->block[b]);
        if (bar == NULL)
            continue;
        measure(bar, runs, &runs->block[b]);
        any = any || !isnan(bar->value);
    }
    if (!any) {
        sentence_set(why, "no run in %s has a time per step", runs->csv->file);
        return 0;
    }
    bars_chart(&bars, &columns, chart);
    describe(&bars, runs, chart);
    return 1;
}

static int tabulate(const struct plot_request *request, struct chart *chart, struct sentence *why) {
    static const char *const numbers[] = {"point", "replication", "step_mean_s", NULL};
    struct arena *arena = arena_new();
    struct results runs;
    int found =
        results_read(&runs, arena, &(struct results_request){request->folder, "runs.csv", numbers}, why);
    if (found == 1) {
        found = fill(&runs, &request->points, chart, why);
        results_close(&runs);
    }
    arena_free(arena);
    return found;
}

const struct figure figure_step_time = {
    .head = {.name = "step-time",
             .summary = "mean time per step relative to the first scheme, 95 % interval"},
    .title = "Time per step",
    .file = "runs.csv",
    .tabulate = tabulate,
};
