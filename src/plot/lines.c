#include "lines.h"
#include <math.h>
#include <string.h>

/* Beyond this ratio of largest to smallest a linear axis shows nothing of the small ones. */
#define LINEAR_RANGE 20.0

static uint32_t curve_of(struct lines *lines, const char *scheme) {
    size_t c = 0;
    while (c < lines->schemes && strcmp(lines->scheme[c], scheme) != 0)
        c++;
    if (c == lines->scheme_capacity) {
        const char **more = arena_zeroed(lines->arena, 2 * c + 8, sizeof *more);
        for (size_t s = 0; s < c; s++)
            more[s] = lines->scheme[s];
        lines->scheme = more;
        lines->scheme_capacity = 2 * c + 8;
    }
    if (c == lines->schemes)
        lines->scheme[lines->schemes++] = scheme;
    return (uint32_t)c + 1;
}

void lines_add(struct lines *lines, struct line_point point) {
    if (lines->count == lines->capacity) {
        size_t capacity = 2 * lines->capacity + 64;
        struct line_point *more = arena_zeroed(lines->arena, capacity, sizeof *more);
        for (size_t q = 0; q < lines->count; q++)
            more[q] = lines->at[q];
        lines->at = more;
        lines->capacity = capacity;
    }
    point.curve = curve_of(lines, point.scheme);
    lines->at[lines->count++] = point;
}

static void set_key(const struct lines *lines, struct chart *chart) {
    const char **title = arena_zeroed(lines->arena, lines->schemes, sizeof *title);
    size_t longest = 0;
    for (size_t c = 0; c < lines->schemes; c++) {
        char label[4 * CHART_LABEL + 1];
        size_t characters = chart_label(label, lines->scheme[c], CHART_LABEL);
        title[c] = arena_text(lines->arena, label, strlen(label));
        longest = characters > longest ? characters : longest;
    }
    chart_texts(chart, "schemes", title, lines->schemes);
    chart_number(chart, "longest", (double)longest);
}

static void set_axes(const struct lines *lines, struct chart *chart) {
    double x_high[PANELS] = {0}, y_high[PANELS] = {0}, y_low[PANELS], logarithmic[PANELS];
    size_t panels = lines->panels->count;
    for (size_t p = 0; p < panels; p++)
        y_low[p] = (double)INFINITY;
    for (size_t q = 0; q < lines->count; q++) {
        const struct line_point *at = &lines->at[q];
        size_t p = at->panel - 1;
        x_high[p] = fmax(x_high[p], at->x);
        y_high[p] = fmax(y_high[p], fmax(at->y, at->high));
        y_low[p] = at->y > 0 ? fmin(y_low[p], at->y) : y_low[p];
    }
    for (size_t p = 0; p < panels; p++) {
        y_low[p] = isfinite(y_low[p]) ? y_low[p] : 1;
        y_high[p] = y_high[p] > 0 ? y_high[p] : 1;
        logarithmic[p] = y_high[p] > LINEAR_RANGE * y_low[p] ? 1 : 0;
    }
    chart_numbers(chart, "x_high", x_high, panels);
    chart_numbers(chart, "y_high", y_high, panels);
    chart_numbers(chart, "y_low", y_low, panels);
    chart_numbers(chart, "logarithmic", logarithmic, panels);
}

void lines_chart(const struct lines *lines, const struct columns *columns, struct chart *chart) {
    sheet_init(&chart->table, columns, NULL, 0);
    sheet_header(&chart->table);
    for (size_t q = 0; q < lines->count; q++)
        sheet_row(&chart->table, &lines->at[q]);
    panels_chart(lines->panels, chart);
    set_key(lines, chart);
    set_axes(lines, chart);
}
