#include "csv_reading.h"
#include "csv_scan.h"
#include "utf8.h"
#include <csv.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct place csv_field_place(const struct reading *reading, size_t field) {
    return place_after(reading->csv->file, reading->row_line, reading->row,
                       field_start(reading->row, reading->end, field));
}

void csv_mistake(struct reading *reading, struct place place, const char *format, ...) {
    char sentence[400];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    diag_error(reading->diag, place, NULL, "%s", sentence);
    if (++reading->mistakes < CSV_MISTAKES)
        return;
    reading->stopped = true;
    diag_error(reading->diag, place, NULL, "%d mistakes were found, the rest of the file was not read",
               CSV_MISTAKES);
}

/* "field 3" or "field 3 (radius)", in `out`. */
static const char *field_words(const struct reading *reading, size_t field, struct sentence *out) {
    const char *name = reading->csv->name[field];
    if (reading->request->header && name && *name)
        sentence_set(out, "field %zu (%.*s)", field + 1, utf8_start(name, strlen(name), CSV_QUOTED_BYTES),
                     name);
    else
        sentence_set(out, "field %zu", field + 1);
    return out->text;
}

static void words_push(struct words *words, const char *text, size_t length) {
    if (words->length + length + 1 > words->capacity) {
        words->capacity = 2 * (words->length + length + 1);
        words->bytes = memory_resized(words->bytes, words->capacity, 1);
    }
    memcpy(words->bytes + words->length, text, length);
    words->bytes[words->length + length] = '\0';
    words->length += length + 1;
}

void csv_reserve_row(struct reading *reading) {
    struct csv *csv = reading->csv;
    if (csv->rows < reading->capacity)
        return;
    reading->capacity = 2 * reading->capacity + 16;
    csv->number = memory_resized(csv->number, reading->capacity, csv->columns * sizeof *csv->number);
    csv->line = memory_resized(csv->line, reading->capacity, sizeof *csv->line);
}

static void take_name(struct reading *reading, size_t field, const char *text, size_t length) {
    bool valid = utf8_valid(text, length);
    reading->csv->name[field] = memory_format("%.*s", valid ? (int)length : 0, text);
    if (!valid)
        csv_mistake(reading, csv_field_place(reading, field), "field %zu: the column name is not valid UTF-8",
                    field + 1);
}

/* Not a number: told, missing, or a word. */
static void take_word(struct reading *reading, size_t field, const char *text, size_t length) {
    struct column *column = &reading->column[field];
    struct sentence where;
    if (length == 0 && reading->request->missing)
        return;
    column->worded = true;
    if (!utf8_valid(text, length))
        csv_mistake(reading, csv_field_place(reading, field), "%s: the text is not valid UTF-8",
                    field_words(reading, field, &where));
    else if (column->needs_numbers && length == 0)
        csv_mistake(reading, csv_field_place(reading, field), "%s: is empty where a number is needed",
                    field_words(reading, field, &where));
    else if (column->needs_numbers)
        csv_mistake(reading, csv_field_place(reading, field), "%s: a finite number is needed, found '%.*s'",
                    field_words(reading, field, &where), utf8_start(text, length, CSV_QUOTED_BYTES), text);
}

/* Without a NUL at its end. */
static void take_text(struct reading *reading, const char *text, size_t length) {
    struct csv *csv = reading->csv;
    size_t field = reading->fields++;
    if (reading->stopped || field >= csv->columns)
        return;
    if (length > CSV_FIELD_BYTES) {
        csv_mistake(reading, csv_field_place(reading, field), "field %zu: is longer than %d bytes", field + 1,
                    CSV_FIELD_BYTES);
        return;
    }
    if (!reading->named) {
        take_name(reading, field, text, length);
        return;
    }
    double *number = &csv->number[csv->rows * csv->columns + field];
    if (!csv_number(text, length, number)) {
        *number = (double)NAN;
        take_word(reading, field, text, length);
    }
    if (!reading->column[field].needs_numbers)
        words_push(&reading->column[field].words, text, length);
}

static void take_field(void *text, size_t length, void *context) {
    take_text(context, text, length);
}

static void check_fields(struct reading *reading) {
    size_t fields = reading->fields, columns = reading->csv->columns;
    const char *measure = reading->request->header ? "the header line" : "the first row";
    if (fields > columns)
        csv_mistake(reading, csv_field_place(reading, columns), "the row has %zu fields, %s has %zu", fields,
                    measure, columns);
    else if (fields < columns)
        csv_mistake(reading, csv_field_place(reading, 0), "the row has %zu field%s, %s has %zu", fields,
                    fields == 1 ? "" : "s", measure, columns);
}

/* A line feed after a carriage return, and one on a blank line, end a row without fields. */
static void end_row(int terminator, void *context) {
    (void)terminator;
    struct reading *reading = context;
    reading->row_open = false;
    if (reading->stopped || reading->fields == 0)
        return;
    if (reading->named) {
        check_fields(reading);
        reading->csv->line[reading->csv->rows++] = reading->row_line;
        csv_reserve_row(reading);
    } else {
        csv_name_columns(reading);
    }
    reading->fields = 0;
}

/* libcsv would take a lone carriage return for the end of a row, against RFC 4180 and our count of lines. */
static bool check_returns(struct reading *reading, const char *text, size_t length) {
    const char *lone = memchr(text, '\r', length);
    if (!lone || lone + 1 == reading->end || lone[1] == '\n')
        return true;
    csv_mistake(reading, place_after(reading->csv->file, reading->line, text, lone),
                "a carriage return without a line feed (lines end with LF or CR LF)");
    reading->stopped = true;
    return false;
}

/* The field at `at` where it is a number in a column of numbers; returns its end. NULL: it is to be looked at closely. */
static const char *take_number(struct reading *reading, const char *at, const char *end) {
    struct csv *csv = reading->csv;
    size_t field = reading->fields;
    if (!reading->named || field >= csv->columns || !reading->column[field].needs_numbers)
        return NULL;
    double number;
    const char *after = csv_number_read(at, end, &number);
    if (!after || (after < end && *after != ',') || after - at > CSV_FIELD_BYTES)
        return NULL;
    csv->number[csv->rows * csv->columns + reading->fields++] = number;
    return after;
}

/* Up to the comma or the end, without the blanks around it, as libcsv has it. */
static const char *take_plain(struct reading *reading, const char *at, const char *end) {
    const char *comma = memchr(at, ',', (size_t)(end - at)), *after = comma ? comma : end, *last = after;
    at = skip_spaces(at, after);
    while (last > at && (last[-1] == ' ' || last[-1] == '\t'))
        last--;
    take_text(reading, at, (size_t)(last - at));
    return after;
}

/* A whole row without quotation marks. */
static void feed_plain(struct reading *reading, const char *at, const char *end) {
    end -= end > at && end[-1] == '\n';
    end -= end > at && end[-1] == '\r';
    if (skip_spaces(at, end) < end) {
        const char *after;
        do {
            after = take_number(reading, at, end);
            after = after ? after : take_plain(reading, at, end);
            at = after + 1;
        } while (after < end);
    }
    end_row(0, reading);
}

static void feed_quoted(struct reading *reading, struct csv_parser *parser, const char *text, size_t length) {
    size_t parsed = csv_parse(parser, text, length, take_field, end_row, reading);
    if (parsed == length)
        return;
    csv_mistake(reading, place_after(reading->csv->file, reading->line, text, text + parsed),
                "field %zu: a quotation mark must open the field, be doubled inside it, or close it",
                reading->fields + 1);
    reading->stopped = true;
}

/* libcsv says what quotation marks mean; a row without one is its fields between commas. */
static void feed_line(struct reading *reading, struct csv_parser *parser, const char *text, size_t length) {
    bool begins = !reading->row_open;
    if (begins) {
        reading->row = text;
        reading->row_line = reading->line;
    }
    reading->row_open = true;
    if (!check_returns(reading, text, length))
        return;
    if (begins && !memchr(text, '"', length))
        feed_plain(reading, text, text + length);
    else
        feed_quoted(reading, parser, text, length);
    reading->line++;
}

static void *resize(void *block, size_t bytes) {
    return memory_resized(block, bytes, 1);
}

void csv_rows_read(struct reading *reading, const char *text) {
    struct csv_parser parser;
    csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL | CSV_REPALL_NL);
    csv_set_realloc_func(&parser, resize);
    for (const char *at = text, *next; at < reading->end && !reading->stopped; at = next) {
        const char *line_feed = memchr(at, '\n', (size_t)(reading->end - at));
        next = line_feed ? line_feed + 1 : reading->end;
        feed_line(reading, &parser, at, (size_t)(next - at));
    }
    if (!reading->stopped && csv_fini(&parser, take_field, end_row, reading) != 0)
        csv_mistake(reading, csv_field_place(reading, reading->fields),
                    "field %zu: the quotation mark is never closed", reading->fields + 1);
    csv_free(&parser);
}
