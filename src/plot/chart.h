/* chart.h: what a figure hands to its script: a table, and variables set on top of the script.
 * Knows gnuplot's quoting, not what is drawn. */
#ifndef LAGGARD_CHART_H
#define LAGGARD_CHART_H
#include "sheet.h"
#include <stdio.h>

/* Characters of a label that are shown; in a longer one an ellipsis stands for the middle. */
#define CHART_LABEL       44
#define CHART_LABEL_BYTES (4 * CHART_LABEL + 1)

struct chart {
    struct sheet table; /* figures/NAME.csv; sheet_init by the figure */
    FILE *settings;     /* assignments in gnuplot, one a line */
    char *text;         /* of the settings, after chart_close */
    size_t length;
};
void chart_init(struct chart *chart);
void chart_fini(struct chart *chart);
/* Ends the settings: `text` is complete. */
void chart_close(struct chart *chart);

/* name = 'text'; control characters become spaces. */
void chart_text(struct chart *chart, const char *name, const char *text);
/* name = number; an infinite or missing one is NaN. */
void chart_number(struct chart *chart, const char *name, double number);
/* array name[count] = ['text', …]; count >= 1. */
void chart_texts(struct chart *chart, const char *name, const char *const *text, size_t count);
void chart_numbers(struct chart *chart, const char *name, const double *number, size_t count);

/* `text` (UTF-8) shortened to CHART_LABEL characters, into CHART_LABEL_BYTES at `out`. Returns the number of characters. */
size_t chart_label(char *out, const char *text);
/* Seconds for a reader, three digits: 0.0123 s, 3.21 s, 1234 s. */
void chart_seconds(char out[static 32], double seconds_s);
#endif
