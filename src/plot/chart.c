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

/* Bytes of the first `characters` characters. */
static size_t bytes_of(const char *text, size_t characters) {
    size_t i = 0;
    for (; text[i] != '\0'; i++)
        if (starts_character(text[i]) && characters-- == 0)
            break;
    return i;
}

/* Labels of a family differ at their ends: what gives way is the middle. */
size_t chart_label(char *out, const char *text) {
    const size_t head = CHART_LABEL / 2, tail = CHART_LABEL - head - 1;
    size_t characters = 0;
    for (const char *byte = text; *byte != '\0'; byte++)
        characters += starts_character(*byte) ? 1 : 0;
    if (characters <= CHART_LABEL) {
        snprintf(out, CHART_LABEL_BYTES, "%s", text);
        return characters;
    }
    snprintf(out, CHART_LABEL_BYTES, "%.*s…%s", (int)bytes_of(text, head), text,
             text + bytes_of(text, characters - tail));
    return CHART_LABEL;
}

void chart_seconds(char out[static 32], double seconds_s) {
    if (seconds_s == 0 || fabs(seconds_s) >= 99.95)
        snprintf(out, 32, "%.0f s", seconds_s);
    else
        snprintf(out, 32, "%#.3g s", seconds_s);
}
