#include "bars.h"
#include <math.h>
#include <string.h>

/* On a logarithmic axis, how far below the shortest bar a whisker is followed. */
#define LOG_DEPTH 10.0

struct bars bars_of(const struct panels *panels, const struct results *results) {
    return (struct bars){.arena = results->arena,
                         .panels = panels,
                         .bar = arena_zeroed(results->arena, results->blocks, sizeof(struct bar)),
                         .scheme = arena_zeroed(results->arena, results->blocks, sizeof(char *))};
}

static uint32_t row_of(struct bars *bars, const char *scheme) {
    size_t row = 0;
    while (row < bars->rows && strcmp(bars->scheme[row], scheme) != 0)
        row++;
    if (row == bars->rows)
        bars->scheme[bars->rows++] = scheme;
    return (uint32_t)row + 1;
}

struct bar *bars_add(struct bars *bars, const struct block *block) {
    size_t panel = panels_find(bars->panels, block->point);
    if (panel == bars->panels->count)
        return NULL;
    struct bar *bar = &bars->bar[bars->count++];
    *bar = (struct bar){.panel = (uint32_t)panel + 1,
                        .row = row_of(bars, block->scheme),
                        .value = (double)NAN,
                        .low = (double)NAN,
                        .high = (double)NAN,
                        .point = block->point,
                        .scheme = block->scheme,
                        .note = ""};
    return bar;
}

/* Over the bars of a panel; `least` is infinite without a bar. */
static void values_of(const struct bars *bars, uint32_t panel, double *least, double *most) {
    *least = (double)INFINITY;
    *most = 0;
    for (size_t i = 0; i < bars->count; i++)
        if (bars->bar[i].panel == panel && !isnan(bars->bar[i].value)) {
            *least = fmin(*least, bars->bar[i].value);
            *most = fmax(*most, bars->bar[i].value);
        }
}

double bars_range(const struct bars *bars) {
    double range = 1, least, most;
    for (size_t p = 1; p <= bars->panels->count; p++) {
        values_of(bars, (uint32_t)p, &least, &most);
        if (least == 0)
            return 1;
        if (isfinite(least))
            range = fmax(range, most / least);
    }
    return range;
}

bool bars_uncertain(const struct bars *bars) {
    for (size_t i = 0; i < bars->count; i++)
        if (!isnan(bars->bar[i].high))
            return true;
    return false;
}

bool bars_cut(const struct bars *bars) {
    for (size_t i = 0; i < bars->count; i++)
        if (bars->bar[i].low < 0)
            return true;
    return false;
}

static void set_labels(const struct bars *bars, struct chart *chart) {
    const char **label = arena_zeroed(bars->arena, bars->rows, sizeof *label);
    size_t longest = 0;
    for (size_t row = 0; row < bars->rows; row++) {
        char text[4 * CHART_LABEL + 1];
        size_t characters = chart_label(text, bars->scheme[row], CHART_LABEL);
        label[row] = arena_text(bars->arena, text, strlen(text));
        longest = characters > longest ? characters : longest;
    }
    chart_texts(chart, "labels", label, bars->rows);
    chart_number(chart, "longest", (double)longest);
}

/* Notes and where the bars with their whiskers end: [panel * rows + row]. */
static void set_notes(const struct bars *bars, struct chart *chart) {
    size_t count = bars->panels->count * bars->rows, longest = 0;
    const char **note = arena_zeroed(bars->arena, count, sizeof *note);
    double *end = arena_zeroed(bars->arena, count, sizeof *end);
    for (size_t c = 0; c < count; c++)
        note[c] = "";
    for (size_t i = 0; i < bars->count; i++) {
        const struct bar *bar = &bars->bar[i];
        size_t place = (bar->panel - 1) * bars->rows + bar->row - 1;
        note[place] = bar->note;
        end[place] = isnan(bar->value) ? 0 : fmax(bar->value, bar->high);
        longest = strlen(bar->note) > longest ? strlen(bar->note) : longest;
    }
    chart_texts(chart, "notes", note, count);
    chart_numbers(chart, "ends", end, count);
    chart_number(chart, "longest_note", (double)longest);
}

static void set_axis(const struct bars *bars, struct chart *chart) {
    double most[PANELS] = {0}, shortest = (double)INFINITY, least = (double)INFINITY;
    for (size_t i = 0; i < bars->count; i++) {
        const struct bar *bar = &bars->bar[i];
        if (isnan(bar->value))
            continue;
        shortest = bar->value > 0 ? fmin(shortest, bar->value) : shortest;
        least = bar->low > 0 ? fmin(least, bar->low) : least;
        most[bar->panel - 1] = fmax(most[bar->panel - 1], fmax(bar->value, bar->high));
    }
    panels_share_axis(bars->panels, most);
    chart_numbers(chart, "most", most, bars->panels->count);
    least = isfinite(shortest) ? fmax(fmin(least, shortest), shortest / LOG_DEPTH) : 1;
    chart_number(chart, "least", least);
}

void bars_chart(const struct bars *bars, const struct columns *columns, struct chart *chart) {
    sheet_init(&chart->table, columns, NULL, 0);
    sheet_header(&chart->table);
    for (size_t i = 0; i < bars->count; i++)
        sheet_row(&chart->table, &bars->bar[i]);
    panels_chart(bars->panels, chart);
    set_labels(bars, chart);
    set_notes(bars, chart);
    set_axis(bars, chart);
}
