#include "bars.h"
#include <math.h>
#include <string.h>

uint32_t bars_colour(const struct bars *bars, const char *scheme) {
    uint32_t most = 0;
    for (size_t i = 0; i < bars->count; i++) {
        if (strcmp(bars->bar[i].scheme, scheme) == 0)
            return bars->bar[i].colour;
        most = bars->bar[i].colour > most ? bars->bar[i].colour : most;
    }
    return most + 1;
}

/* The least and the greatest number shown. */
static void extent(const struct bars *bars, double *least, double *most) {
    *least = (double)INFINITY;
    *most = 0;
    for (size_t i = 0; i < bars->count; i++) {
        const struct bar *bar = &bars->bar[i];
        if (isnan(bar->value))
            continue;
        *least = bar->value > 0 ? fmin(*least, bar->value) : *least;
        *least = bar->low > 0 ? fmin(*least, bar->low) : *least;
        *most = fmax(*most, fmax(bar->value, bar->high));
    }
}

double bars_range(const struct bars *bars) {
    double least, most;
    extent(bars, &least, &most);
    return isfinite(least) ? most / least : 1;
}

const char *bars_shown(const struct bars *bars) {
    const struct panels *panels = bars->panels;
    return panels->points == panels->count
               ? ""
               : arena_format(bars->arena, "The first %zu of %zu points.", panels->count, panels->points);
}

/* Places the bars one below the other, each group under a heading of its own where there are several. */
static void place(struct bars *bars, double *heading) {
    bool headed = bars->panels->count > 1;
    double row = 0;
    for (size_t i = 0; i < bars->count; i++) {
        bool opens = i == 0 || bars->bar[i].panel != bars->bar[i - 1].panel;
        if (headed && opens) {
            row += i == 0 ? 1 : 1.5;
            heading[bars->bar[i].panel - 1] = row;
        }
        bars->bar[i].row = row += 1;
    }
}

static void set_rows(struct bars *bars, struct chart *chart) {
    const char **label = arena_zeroed(bars->arena, bars->count, sizeof *label);
    const char **note = arena_zeroed(bars->arena, bars->count, sizeof *note);
    double *row = arena_zeroed(bars->arena, bars->count, sizeof *row);
    double *end = arena_zeroed(bars->arena, bars->count, sizeof *end);
    size_t longest = 0, longest_note = 0;
    for (size_t i = 0; i < bars->count; i++) {
        const struct bar *bar = &bars->bar[i];
        char text[CHART_LABEL_BYTES];
        size_t characters = chart_label(text, bar->scheme);
        label[i] = arena_text(bars->arena, text, strlen(text));
        note[i] = bar->note;
        row[i] = bar->row;
        end[i] = isnan(bar->value) ? 0 : fmax(bar->value, bar->high);
        longest = characters > longest ? characters : longest;
        longest_note = strlen(bar->note) > longest_note ? strlen(bar->note) : longest_note;
    }
    chart_texts(chart, "labels", label, bars->count);
    chart_numbers(chart, "rows", row, bars->count);
    chart_texts(chart, "notes", note, bars->count);
    chart_numbers(chart, "ends", end, bars->count);
    chart_number(chart, "longest", (double)longest);
    chart_number(chart, "longest_note", (double)longest_note);
}

void bars_chart(struct bars *bars, const struct columns *columns, struct chart *chart) {
    double heading[PANELS] = {0}, least, most;
    place(bars, heading);
    sheet_init(&chart->table, columns, NULL, 0);
    sheet_header(&chart->table);
    for (size_t i = 0; i < bars->count; i++)
        sheet_row(&chart->table, &bars->bar[i]);
    set_rows(bars, chart);
    chart_texts(chart, "panels", bars->panels->label, bars->panels->count);
    chart_numbers(chart, "headings", heading, bars->panels->count);
    extent(bars, &least, &most);
    chart_number(chart, "least", isfinite(least) ? least : 1);
    chart_number(chart, "most", most > 0 ? most : 1);
}
