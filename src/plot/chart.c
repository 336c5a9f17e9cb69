#include "chart.h"
#include "memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void out_of_memory(void) {
    fputs("out of memory\n", stderr);
    exit(1);
}

void chart_init(struct chart *chart) {
    *chart = (struct chart){0};
    chart->settings = open_memstream(&chart->text, &chart->length);
    if (chart->settings == NULL)
        out_of_memory();
}

void chart_close(struct chart *chart) {
    if (chart->settings != NULL && fclose(chart->settings) != 0)
        out_of_memory();
    chart->settings = NULL;
}

void chart_fini(struct chart *chart) {
    chart_close(chart);
    sheet_fini(&chart->table);
    free(chart->text);
}

/* In single quotes gnuplot neither expands nor runs anything; a quote is doubled. */
static void put_quoted(FILE *out, const char *text) {
    fputc('\'', out);
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '\'')
            fputc('\'', out);
        fputc(byte < 0x20 || byte == 0x7f ? ' ' : byte, out);
    }
    fputc('\'', out);
}

static void put_number(FILE *out, double number) {
    char text[32];
    number_print(text, isfinite(number) ? number : 0);
    fputs(isfinite(number) ? text : "NaN", out);
}

void chart_text(struct chart *chart, const char *name, const char *text) {
    fprintf(chart->settings, "%s = ", name);
    put_quoted(chart->settings, text);
    fputc('\n', chart->settings);
}

void chart_number(struct chart *chart, const char *name, double number) {
    fprintf(chart->settings, "%s = ", name);
    put_number(chart->settings, number);
    fputc('\n', chart->settings);
}

void chart_texts(struct chart *chart, const char *name, const char *const *text, size_t count) {
    fprintf(chart->settings, "array %s[%zu] = [", name, count);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", chart->settings);
        put_quoted(chart->settings, text[i]);
    }
    fputs("]\n", chart->settings);
}

void chart_numbers(struct chart *chart, const char *name, const double *number, size_t count) {
    fprintf(chart->settings, "array %s[%zu] = [", name, count);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", chart->settings);
        put_number(chart->settings, number[i]);
    }
    fputs("]\n", chart->settings);
}

static bool starts_character(char byte) {
    return ((unsigned char)byte & 0xc0) != 0x80;
}

size_t chart_label(char *out, const char *text) {
    size_t characters = 0, kept = 0, length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        characters += starts_character(text[i]) ? 1 : 0;
        if (characters < CHART_LABEL)
            kept = i + 1;
    }
    if (characters <= CHART_LABEL && length < CHART_LABEL_BYTES) {
        memcpy(out, text, length + 1);
        return characters;
    }
    kept = kept < CHART_LABEL_BYTES - 4 ? kept : CHART_LABEL_BYTES - 4;
    memcpy(out, text, kept);
    memcpy(out + kept, "…", sizeof "…");
    return CHART_LABEL;
}

void chart_seconds(char out[static 32], double seconds_s) {
    snprintf(out, 32, fabs(seconds_s) < 999.5 ? "%.3g s" : "%.0f s", seconds_s);
}
