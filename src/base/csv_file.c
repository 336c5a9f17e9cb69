#include "csv_file.h"
#include "csv_scan.h"
#include "utf8.h"
#include <csv.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Words of a column while it is being read, NUL-ended one after another. */
struct words {
    char *bytes;
    size_t length, capacity;
};

struct column {
    struct words words;
    bool needs_numbers, worded; /* a field that is no number was found */
};

/* The reading of one file. libcsv tells ends of fields and rows but no places: lines are fed one by one, and the
 * place of a field is looked up from the start of its row when there is something to say. */
struct reading {
    struct diag *diag;
    const struct csv_request *request;
    struct csv *csv;
    struct column *column;
    size_t capacity;       /* rows that the arrays have room for */
    const char *row, *end; /* start of the open row, end of the text */
    uint32_t line, row_line;
    size_t fields; /* of the open row so far */
    bool row_open, named, stopped;
    bool refused; /* by request->choose */
    size_t mistakes;
};

static struct place field_place(const struct reading *reading, size_t field) {
    const char *at = reading->row, *end = reading->end;
    while (field-- > 0) {
        at = field_end(at, end);
        at += at < end && *at == ',';
    }
    return place_after(reading->csv->file, reading->row_line, reading->row, skip_spaces(at, end));
}

__attribute__((format(printf, 3, 4))) static void mistake(struct reading *reading, struct place place,
                                                          const char *format, ...) {
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

/* How much of a text is quoted in a sentence. */
enum { QUOTED_BYTES = 40 };

/* "field 3" or "field 3 (radius)", in `out`. */
static const char *field_words(const struct reading *reading, size_t field, struct sentence *out) {
    const char *name = reading->csv->name[field];
    if (reading->request->header && name && *name)
        sentence_set(out, "field %zu (%.*s)", field + 1, utf8_start(name, strlen(name), QUOTED_BYTES), name);
    else
        sentence_set(out, "field %zu", field + 1);
    return out->text;
}

static void words_push(struct words *words, const char *text, size_t length) {
    if (words->length + length + 1 > words->capacity) {
        words->capacity = 2 * (words->length + length + 1);
        words->bytes = memory_resized(words->bytes, words->capacity, 1);
    }
    memcpy(words->bytes + words->length, text, length + 1);
    words->length += length + 1;
}

static void reserve_row(struct reading *reading) {
    struct csv *csv = reading->csv;
    if (csv->rows < reading->capacity)
        return;
    reading->capacity = 2 * reading->capacity + 16;
    csv->number = memory_resized(csv->number, reading->capacity, csv->columns * sizeof *csv->number);
    csv->line = memory_resized(csv->line, reading->capacity, sizeof *csv->line);
}

static void take_name(struct reading *reading, size_t field, const char *text, size_t length) {
    bool valid = utf8_valid(text, length);
    reading->csv->name[field] = memory_text(valid ? text : "");
    if (!valid)
        mistake(reading, field_place(reading, field), "field %zu: the column name is not valid UTF-8",
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
        mistake(reading, field_place(reading, field), "%s: the text is not valid UTF-8",
                field_words(reading, field, &where));
    else if (column->needs_numbers && length == 0)
        mistake(reading, field_place(reading, field), "%s: is empty where a number is needed",
                field_words(reading, field, &where));
    else if (column->needs_numbers)
        mistake(reading, field_place(reading, field), "%s: a finite number is needed, found '%.*s'",
                field_words(reading, field, &where), utf8_start(text, length, QUOTED_BYTES), text);
}

static void take_field(void *text, size_t length, void *context) {
    struct reading *reading = context;
    struct csv *csv = reading->csv;
    size_t field = reading->fields++;
    if (reading->stopped || field >= csv->columns)
        return;
    if (length > CSV_FIELD_BYTES) {
        mistake(reading, field_place(reading, field), "field %zu: is longer than %d bytes", field + 1,
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

struct named {
    const char *name;
    size_t field;
};

static int by_name(const void *left, const void *right) {
    const struct named *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->field > b->field) - (a->field < b->field);
}

static void check_unique(struct reading *reading) {
    size_t columns = reading->csv->columns;
    struct named *sorted = memory_zeroed(columns, sizeof *sorted);
    for (size_t c = 0; c < columns; c++)
        sorted[c] = (struct named){reading->csv->name[c], c};
    qsort(sorted, columns, sizeof *sorted, by_name);
    for (size_t c = 1; c < columns && !reading->stopped; c++) {
        const char *name = sorted[c].name;
        if (*name && strcmp(name, sorted[c - 1].name) == 0)
            mistake(reading, field_place(reading, sorted[c].field),
                    "the column name '%.*s' of field %zu is that of field %zu",
                    utf8_start(name, strlen(name), QUOTED_BYTES), name, sorted[c].field + 1,
                    sorted[c - 1].field + 1);
    }
    free(sorted);
}

static bool name_listed(const char *name, const char *const *list) {
    for (; *list; list++)
        if (strcmp(*list, name) == 0)
            return true;
    return false;
}

static void choose_numbers(struct reading *reading) {
    const struct csv_request *request = reading->request;
    struct csv *csv = reading->csv;
    bool *numeric = memory_zeroed(csv->columns, sizeof *numeric);
    if (request->choose)
        reading->refused = !request->choose(request->context, csv, numeric);
    for (size_t c = 0; c < csv->columns; c++)
        reading->column[c].needs_numbers =
            request->choose ? numeric[c] : !request->numbers || name_listed(csv->name[c], request->numbers);
    reading->stopped |= reading->refused;
    free(numeric);
}

static void name_columns(struct reading *reading) {
    struct csv *csv = reading->csv;
    for (size_t c = 0; c < csv->columns; c++) {
        char ordinal[24];
        snprintf(ordinal, sizeof ordinal, "%zu", c + 1);
        if (!csv->name[c])
            csv->name[c] = memory_text(reading->request->header ? "" : ordinal);
    }
    check_unique(reading);
    choose_numbers(reading);
    reading->named = true;
}

static void check_fields(struct reading *reading) {
    size_t fields = reading->fields, columns = reading->csv->columns;
    const char *measure = reading->request->header ? "the header line" : "the first row";
    if (fields > columns)
        mistake(reading, field_place(reading, columns), "the row has %zu fields, %s has %zu", fields, measure,
                columns);
    else if (fields < columns)
        mistake(reading, field_place(reading, 0), "the row has %zu field%s, %s has %zu", fields,
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
        reserve_row(reading);
    } else {
        name_columns(reading);
    }
    reading->fields = 0;
}

/* libcsv would take a lone carriage return for the end of a row, against RFC 4180 and our count of lines. */
static bool check_returns(struct reading *reading, const char *text, size_t length) {
    const char *lone = memchr(text, '\r', length);
    if (!lone || lone + 1 == reading->end || lone[1] == '\n')
        return true;
    mistake(reading, place_after(reading->csv->file, reading->line, text, lone),
            "a carriage return without a line feed (lines end with LF or CR LF)");
    reading->stopped = true;
    return false;
}

static void feed_line(struct reading *reading, struct csv_parser *parser, const char *text, size_t length) {
    if (!reading->row_open) {
        reading->row = text;
        reading->row_line = reading->line;
    }
    reading->row_open = true;
    if (!check_returns(reading, text, length))
        return;
    size_t parsed = csv_parse(parser, text, length, take_field, end_row, reading);
    if (parsed < length) {
        mistake(reading, place_after(reading->csv->file, reading->line, text, text + parsed),
                "field %zu: a quotation mark must open the field, be doubled inside it, or close it",
                reading->fields + 1);
        reading->stopped = true;
    }
    reading->line++;
}

static void *resize(void *block, size_t bytes) {
    return memory_resized(block, bytes, 1);
}

static void feed(struct reading *reading, const char *text) {
    struct csv_parser parser;
    csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL | CSV_REPALL_NL);
    csv_set_realloc_func(&parser, resize);
    for (const char *at = text, *next; at < reading->end && !reading->stopped; at = next) {
        const char *line_feed = memchr(at, '\n', (size_t)(reading->end - at));
        next = line_feed ? line_feed + 1 : reading->end;
        feed_line(reading, &parser, at, (size_t)(next - at));
    }
    if (!reading->stopped && csv_fini(&parser, take_field, end_row, reading) != 0)
        mistake(reading, field_place(reading, reading->fields),
                "field %zu: the quotation mark is never closed", reading->fields + 1);
    csv_free(&parser);
}

/* Sizes the table by its first row. */
static bool open_table(struct reading *reading, const char *text) {
    struct csv *csv = reading->csv;
    const char *first = text, *end = reading->end;
    while (first < end && (*first == ' ' || *first == '\t' || *first == '\r' || *first == '\n'))
        first++;
    if (first == end) {
        diag_error(reading->diag, (struct place){.file = csv->file}, NULL, "the file is empty");
        return false;
    }
    csv->columns = 1;
    for (const char *at = field_end(first, end); at < end && *at == ','; at = field_end(at + 1, end))
        csv->columns++;
    struct separator other = csv->columns == 1 ? other_separator(first) : (struct separator){0};
    if (other.name) {
        diag_error(reading->diag, place_after(csv->file, 1, text, other.at), NULL,
                   "the columns seem to be separated by %s; a comma is needed", other.name);
        return false;
    }
    if (csv->columns > CSV_COLUMNS) {
        diag_error(reading->diag, place_after(csv->file, 1, text, first), NULL,
                   "%zu fields in a row are more than %d", csv->columns, CSV_COLUMNS);
        return false;
    }
    csv->name = memory_zeroed(csv->columns, sizeof *csv->name);
    csv->text = memory_zeroed(csv->columns, sizeof *csv->text);
    reading->column = memory_zeroed(csv->columns, sizeof *reading->column);
    reserve_row(reading);
    if (!reading->request->header)
        name_columns(reading);
    return true;
}

/* Columns of numbers drop their words. */
static void close_table(struct reading *reading) {
    struct csv *csv = reading->csv;
    for (size_t c = 0; reading->column && c < csv->columns; c++) {
        if (reading->column[c].worded)
            csv->text[c] = reading->column[c].words.bytes;
        else
            free(reading->column[c].words.bytes);
    }
    free(reading->column);
}

/* Returns true when the table is whole. */
static bool read_text(struct reading *reading, const char *text) {
    const char *file = reading->csv->file, *nul = memchr(text, '\0', (size_t)(reading->end - text));
    if (nul) {
        diag_error(reading->diag, place_after(file, 1, text, nul), NULL,
                   "a NUL byte: this is not a text in UTF-8");
        return false;
    }
    if (!open_table(reading, text))
        return false;
    feed(reading, text);
    if (reading->mistakes == 0 && !reading->refused && reading->csv->rows == 0) {
        diag_error(reading->diag, (struct place){.file = file}, NULL,
                   "there are no rows below the header line");
        return false;
    }
    return reading->mistakes == 0 && !reading->refused;
}

struct csv *csv_read(struct diag *diag, const char *file, const struct csv_request *request) {
    size_t length;
    char *text = file_text(diag, file, &length);
    if (!text)
        return NULL;
    struct csv *csv = memory_zeroed(1, sizeof *csv);
    csv->file = file;
    struct reading reading = {.diag = diag,
                              .request = request,
                              .csv = csv,
                              .row = text,
                              .end = text + length,
                              .line = 1,
                              .row_line = 1};
    bool whole = read_text(&reading, text);
    close_table(&reading);
    free(text);
    if (whole)
        return csv;
    csv_release(csv);
    return NULL;
}

void csv_release(struct csv *csv) {
    if (!csv)
        return;
    for (size_t c = 0; c < csv->columns && csv->name; c++) {
        free(csv->name[c]);
        free(csv->text[c]);
    }
    free(csv->name);
    free(csv->text);
    free(csv->number);
    free(csv->line);
    free(csv);
}

size_t csv_column(const struct csv *csv, const char *name) {
    for (size_t c = 0; c < csv->columns; c++)
        if (strcmp(csv->name[c], name) == 0)
            return c;
    return csv->columns;
}
