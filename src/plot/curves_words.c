#include "curves_inside.h"
#include <math.h>
#include <string.h>

bool curves_targeted(const struct curves *curves) {
    for (size_t p = 0; p < curves->panels.count; p++)
        if (!isnan(curves->target[p]))
            return true;
    return false;
}

size_t curves_ended(const struct curves *curves, const struct block *like, const char *status) {
    const struct block *block = results_like(&curves->runs, like);
    size_t count = 0, end = block == NULL || curves->status == NULL ? 0 : block->first + block->rows;
    for (size_t r = end > 0 ? block->first : 0; r < end; r++)
        count += strcmp(curves->status[r], status) == 0 ? 1 : 0;
    return count;
}

/* " (2 of 10 diverged)", over the points shown. */
static const char *ending_note(const struct curves *curves, const char *scheme, const char *status) {
    size_t runs = 0, count = 0;
    for (size_t p = 0; p < curves->panels.count; p++) {
        struct block like = {.point = curves->panels.point[p], .scheme = scheme};
        const struct block *block = results_like(&curves->runs, &like);
        runs += block == NULL ? 0 : block->rows;
        count += curves_ended(curves, &like, status);
    }
    if (count == 0)
        return "";
    return count == runs ? arena_format(curves->arena, " (%s)", status)
                         : arena_format(curves->arena, " (%zu of %zu %s)", count, runs, status);
}

/* Without a target curves end at losses that an eye tells apart badly. */
static const char *last_loss(const struct curves *curves, size_t entry) {
    const struct curve *curve = &curves->curve[entry];
    if (curves->panels.count > 1 || curves_targeted(curves) || curve->runs == 0 || !curves_of_loss(curves))
        return "";
    struct grid end = {.first = curve->grid.last, .last = curve->grid.last, .points = 1};
    struct band band;
    band_over(curve->course, curve->runs, &end, &band);
    double loss = band.median;
    return arena_format(curves->arena, fabs(loss) < 999.95 && fabs(loss) > 1e-3 ? ": %#.4g" : ": %.4g", loss);
}

void curves_key(struct curves *curves) {
    const char **title = arena_zeroed(curves->arena, curves->entries, sizeof *title);
    size_t longest = 0;
    for (size_t i = 0; i < curves->entries; i++) {
        char label[4 * CHART_LABEL + 1];
        size_t characters = chart_label(label, curves->scheme[i], CHART_LABEL);
        const char *note = arena_format(curves->arena, "%s%s%s", last_loss(curves, i),
                                        ending_note(curves, curves->scheme[i], "diverged"),
                                        ending_note(curves, curves->scheme[i], "stalled"));
        title[i] = arena_format(curves->arena, "%s%s", label, note);
        characters += strlen(note);
        longest = characters > longest ? characters : longest;
    }
    chart_texts(curves->chart, "schemes", title, curves->entries);
    chart_number(curves->chart, "longest", (double)longest);
}

/* Whether some curve goes on beyond the right edge. */
static bool cut_right(const struct curves *curves) {
    for (size_t c = 0; c < curves->panels.count * curves->entries; c++)
        if (curves->curve[c].grid.last > curves->x_high[c / curves->entries])
            return true;
    return false;
}

static void add_sentence(struct curves *curves, const char **line, const char *sentence) {
    if (*sentence != '\0')
        *line = arena_format(curves->arena, "%s%s%s", *line, **line == '\0' ? "" : " ", sentence);
}

/* The line of the target, by its number where that is the same in all panels. */
static const char *target_sentence(const struct curves *curves, const struct loss_axis *axis) {
    bool shown = false, hidden = false, alike = true;
    for (size_t p = 0; p < curves->panels.count; p++) {
        shown = shown || curves->target[p] >= axis->low;
        hidden = hidden || curves->target[p] < axis->low;
        alike = alike && curves->target[p] == curves->target[0];
    }
    if (hidden)
        return "A target loss that is not in the picture lies below it.";
    if (!shown)
        return "";
    return alike ? arena_format(curves->arena, "Dotted: the target loss, %g.", curves->target[0])
                 : "Dotted: the target loss.";
}

/* What is not in the picture. */
static const char *missing_part(struct curves *curves, const struct loss_axis *axis) {
    const char *line = "";
    if (cut_right(curves))
        add_sentence(curves, &line, "Curves that go on beyond the right edge are cut off.");
    if (axis->cut)
        add_sentence(
            curves, &line,
            arena_format(curves->arena, "Losses above %d times the first are cut off.", CURVES_GROWTH));
    return line;
}

void curves_caption(struct curves *curves, const struct loss_axis *axis) {
    const char *band = "One run per scheme.", *end = "", *missing = missing_part(curves, axis);
    if (curves->replications > 1) {
        band = arena_format(curves->arena, "Median of %zu runs, band from the 10th to the 90th percentile.",
                            curves->replications);
        end = arena_format(
            curves->arena,
            "A run that ended counts with its last %s; a curve stops when half of its runs have ended.",
            curves_of_loss(curves) ? "loss" : "value");
    }
    if (curves->panels.count == 1 && !curves_targeted(curves) && curves_of_loss(curves))
        add_sentence(curves, &band, "Beside a name: the last loss.");
    add_sentence(curves, &band, target_sentence(curves, axis));
    add_sentence(curves, &missing, panels_shown(&curves->panels));
    const char *lines[] = {band, end, missing};
    chart_lines(curves->chart, lines, 3);
}
