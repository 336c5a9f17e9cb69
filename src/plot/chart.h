/* chart.h: what a figure hands to its script: a table, and variables set on top of the script.
 * Knows gnuplot's quoting, not what is drawn. */
#ifndef LAGGARD_CHART_H
#define LAGGARD_CHART_H
#include "sheet.h"
#include <stdio.h>

/* Characters that are shown of a scheme's label and of a line of a panel's title; in a longer one an ellipsis stands
 * for the middle. */
#define CHART_LABEL 44
#define CHART_TITLE 40

struct chart {
    struct sheet table; /* figures/NAME.csv; sheet_init by the figure */
    FILE *settings;     /* assignments in gnuplot, one a line */
    char *text;         /* of the settings, after chart_close */
    size_t length;
    bool substituted; /* some text had characters that cannot be drawn */
};
void chart_init(struct chart *chart);
void chart_fini(struct chart *chart);
/* Ends the settings: `text` is complete. */
void chart_close(struct chart *chart);

/* name = 'text'; control characters become spaces, and those that the font may lack GLYPH_SUBSTITUTE. */
void chart_text(struct chart *chart, const char *name, const char *text);
/* name = number; an infinite or missing one is NaN. */
void chart_number(struct chart *chart, const char *name, double number);
/* array name[count] = ['text', …]; count >= 1. */
void chart_texts(struct chart *chart, const char *name, const char *const *text, size_t count);
/* caption = array of the lines that are not empty, or of one empty one. */
void chart_lines(struct chart *chart, const char *const *line, size_t count);
void chart_numbers(struct chart *chart, const char *name, const double *number, size_t count);

/* `text` (UTF-8) shortened to `limit` characters, into 4 * limit + 1 bytes at `out`. Returns how many they are. */
size_t chart_label(char *out, const char *text, size_t limit);
/* Seconds for a reader, three digits: 0.0123 s, 3.21 s, 1234 s. */
void chart_seconds(char out[static 32], double seconds_s);
#endif
