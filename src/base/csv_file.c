#include "csv_reading.h"
#include "csv_scan.h"
#include "csv_text.h"
#include "utf8.h"
#include <stdlib.h>
#include <string.h>

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
            csv_mistake(reading, csv_field_place(reading, sorted[c].field),
                        "the column name '%.*s' of field %zu is that of field %zu",
                        utf8_start(name, strlen(name), CSV_QUOTED_BYTES), name, sorted[c].field + 1,
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

void csv_name_columns(struct reading *reading) {
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
    csv_reserve_row(reading);
    if (!reading->request->header)
        csv_name_columns(reading);
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
    csv_rows_read(reading, text);
    if (reading->mistakes == 0 && !reading->refused && reading->csv->rows == 0) {
        diag_error(reading->diag, (struct place){.file = file}, NULL,
                   "there are no rows below the header line");
        return false;
    }
    return reading->mistakes == 0 && !reading->refused;
}

static struct reading reading_begun(struct diag *diag, const char *file, const struct csv_request *request) {
    struct csv *csv = memory_zeroed(1, sizeof *csv);
    csv->file = file;
    csv->again = csv_text_new();
    return (struct reading){.diag = diag, .request = request, .csv = csv, .line = 1, .row_line = 1};
}

static struct csv *table_closed(struct reading *reading, bool whole) {
    close_table(reading);
    if (whole)
        return reading->csv;
    csv_release(reading->csv);
    return NULL;
}

static struct csv *table_of_text(struct reading *reading) {
    struct image_writer *writer = csv_image_begin(reading);
    size_t length;
    char *text = file_text(reading->diag, reading->csv->file, &length);
    bool whole = false;
    if (text) {
        reading->row = text;
        reading->end = text + length;
        whole = read_text(reading, text);
    }
    free(text);
    if (whole)
        csv_image_keep(reading, writer);
    else
        image_drop(writer);
    return table_closed(reading, whole);
}

struct csv *csv_read(struct diag *diag, const char *file, const struct csv_request *request) {
    struct reading reading = reading_begun(diag, file, request);
    bool whole = csv_image_read(&reading);
    if (whole || reading.refused)
        return table_closed(&reading, whole);
    table_closed(&reading, false);
    reading = reading_begun(diag, file, request);
    return table_of_text(&reading);
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
    csv_text_free(csv->again);
    free(csv);
}

size_t csv_column(const struct csv *csv, const char *name) {
    for (size_t c = 0; c < csv->columns; c++)
        if (strcmp(csv->name[c], name) == 0)
            return c;
    return csv->columns;
}
