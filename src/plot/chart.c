#include "chart.h"
#include "glyphs.h"
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

/* In single quotes gnuplot neither expands nor runs anything; a quote is doubled. But one doubled right after the quote that
 * opens would be taken for the end of an empty text: those at the start stand in texts of their own. */
static void put_quoted(struct chart *chart, const char *text) {
    FILE *out = chart->settings;
    for (; *text == '\''; text++)
        fputs("\"'\" . ", out);
    fputc('\'', out);
    for (size_t skipped; *text != '\0'; text += skipped) {
        size_t bytes = glyph_bytes(text, &skipped);
        bool control = (unsigned char)*text < 0x20 || *text == 0x7f;
        if (bytes > 0)
            fprintf(out, "%s%.*s", *text == '\'' ? "'" : "", (int)bytes, text);
        else
            fputs(control ? " " : GLYPH_SUBSTITUTE, out);
        chart->substituted = chart->substituted || (bytes == 0 && !control);
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
    put_quoted(chart, text);
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
        put_quoted(chart, text[i]);
    }
    fputs("]\n", chart->settings);
}

void chart_lines(struct chart *chart, const char *const *line, size_t count) {
    const char *kept[8] = {""};
    size_t lines = 0;
    for (size_t i = 0; i < count && lines < 8; i++)
        if (*line[i] != '\0')
            kept[lines++] = line[i];
    chart_texts(chart, "caption", kept, lines > 0 ? lines : 1);
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
size_t chart_label(char *out, const char *text, size_t limit) {
    size_t head = limit / 2, tail = limit - head - 1, characters = 0;
    for (const char *byte = text; *byte != '\0'; byte++)
        characters += starts_character(*byte) ? 1 : 0;
    if (characters <= limit) {
        snprintf(out, 4 * limit + 1, "%s", text);
        return characters;
    }
    snprintf(out, 4 * limit + 1, "%.*s…%s", (int)bytes_of(text, head), text,
             text + bytes_of(text, characters - tail));
    return limit;
}

void chart_seconds(char out[static 32], double seconds_s) {
    if (seconds_s == 0 || fabs(seconds_s) >= 99.95)
        snprintf(out, 32, "%.0f s", seconds_s);
    else
        snprintf(out, 32, "%#.3g s", seconds_s);
}
