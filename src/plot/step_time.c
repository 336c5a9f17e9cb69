#include "bars.h"
#include "figure.h"
#include <gsl/gsl_cdf.h>
#include <math.h>

/* The bar is the ratio of two means over the replications that both schemes have, its interval the paired ratio
 * estimator's (Cochran, Sampling Techniques, 1977, section 6.4): both met the same delays. */

static const struct column column[] = {
    {"panel", COLUMN_COUNT, offsetof(struct bar, panel)},
    {"row", COLUMN_NUMBER, offsetof(struct bar, row)},
    {"colour", COLUMN_COUNT, offsetof(struct bar, colour)},
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
        if (results_number(runs, r, "step_mean_s") > 0)
            return true;
    return false;
}

/* The first scheme of the point that has a time per step; NULL where none has. */
static const struct block *reference_of(const struct results *runs, uint32_t point) {
    for (size_t b = 0; b < runs->blocks; b++)
        if (runs->block[b].point == point && measured(runs, &runs->block[b]))
            return &runs->block[b];
    return NULL;
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

static void measure(struct bar *bar, const struct results *runs, const struct block *block) {
    const struct block *reference = reference_of(runs, block->point);
    struct pairs pairs = {0};
    if (reference != NULL)
        pairs = pair_up(runs, block, reference);
    bar->value = bar->low = bar->high = (double)NAN;
    bar->note = "no steps";
    if (pairs.count == 0)
        return;
    double step_s = mean_of(pairs.step, pairs.count), ratio = step_s / mean_of(pairs.reference, pairs.count);
    double width = half_width(&pairs, ratio);
    bar->value = 100 * ratio;
    if (block != reference) {
        bar->low = 100 * fmax(ratio - width, 0);
        bar->high = 100 * (ratio + width);
        /* fmax drops a NAN. */
        if (isnan(width))
            bar->low = (double)NAN;
    }
    char seconds[32];
    chart_seconds(seconds, step_s);
    bar->note =
        arena_format(runs->arena, bar->value < 9.95 ? "%.1f %%   %s" : "%.0f %%   %s", bar->value, seconds);
}

static int fill(struct results *runs, struct chart *chart, struct sentence *why) {
    struct panels panels = panels_of(runs);
    struct bars bars = {.arena = runs->arena,
                        .panels = &panels,
                        .bar = arena_zeroed(runs->arena, runs->blocks, sizeof(struct bar))};
    bool any = false;
    for (size_t b = 0; b < runs->blocks; b++) {
        const struct block *block = &runs->block[b];
        size_t panel = panels_find(&panels, block->point);
        if (panel == panels.count)
            continue;
        struct bar *bar = &bars.bar[bars.count];
        *bar = (struct bar){.panel = (uint32_t)panel + 1, .point = block->point, .scheme = block->scheme};
        bar->colour = bars_colour(&bars, block->scheme);
        measure(bar, runs, block);
        any = any || !isnan(bar->value);
        bars.count++;
    }
    if (!any) {
        sentence_set(why, "no run in %s has a time per step", runs->csv->file);
        return 0;
    }
    bars_chart(&bars, &columns, chart);
    const char *caption[] = {"Whiskers: 95 % interval of the ratio, replications paired.", bars_shown(&bars)};
    chart_texts(chart, "caption", caption, 2);
    return 1;
}

static int tabulate(const char *folder, struct chart *chart, struct sentence *why) {
    static const char *const numbers[] = {"point", "replication", "step_mean_s", NULL};
    struct arena *arena = arena_new();
    struct results runs;
    int found = results_read(&runs, arena, &(struct results_request){folder, "runs.csv", numbers}, why);
    if (found == 1) {
        found = fill(&runs, chart, why);
        results_close(&runs);
    }
    arena_free(arena);
    return found;
}

const struct figure figure_step_time = {
    .head = {.name = "step-time",
             .summary = "mean time per step relative to the first scheme, 95 % interval"},
    .title = "Time per step",
    .tabulate = tabulate,
};
