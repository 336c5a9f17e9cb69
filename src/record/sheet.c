#include "sheet.h"
#include "memory.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a field that is no text, with the comma after it. */
#define FIELD_BYTES (NUMBER_BYTES + 1)

bool columns_have(const struct columns *columns, const char *name) {
    for (size_t c = 0; c < columns->count; c++)
        if (columns->column[c].kind != COLUMN_TEXTS && strcmp(columns->column[c].name, name) == 0)
            return true;
    return false;
}

void sheet_init(struct sheet *sheet, const struct columns *columns, const char *const *extra, size_t extras) {
    *sheet = (struct sheet){.columns = columns, .extra = extra, .extras = extras};
}

void sheet_fini(struct sheet *sheet) {
    free(sheet->text);
    sheet->text = NULL;
    sheet->length = sheet->capacity = 0;
}

void sheet_clear(struct sheet *sheet) {
    sheet->length = 0;
}

/* Room for `bytes` and FIELD_BYTES of every column behind the first `used`; returns the place behind those. */
static char *room(struct sheet *sheet, size_t used, size_t bytes) {
    size_t needed = bytes + (sheet->columns->count + 1) * FIELD_BYTES;
    if (sheet->capacity - used < needed) {
        sheet->capacity = 2 * (sheet->capacity + needed);
        sheet->text = memory_resized(sheet->text, sheet->capacity, 1);
    }
    return sheet->text + used;
}

/* A row is written behind its cursor `at`, for which there is room but for texts: these ask for more, and for the fields
 * after them. Returns the cursor, as every put does. */
static char *reserve(struct sheet *sheet, char *at, size_t bytes) {
    return room(sheet, (size_t)(at - sheet->text), bytes);
}

/* Spaces at an end are quoted, since readers trim them. */
static bool padded(const char *text, size_t length) {
    return text[0] == ' ' || text[0] == '\t' || text[length - 1] == ' ' || text[length - 1] == '\t';
}

static char *put_quoted(const char *text, char *at) {
    *at++ = '"';
    for (; *text != '\0'; text++) {
        if (*text == '"')
            *at++ = '"';
        *at++ = *text;
    }
    *at++ = '"';
    return at;
}

/* RFC 4180 asks for quotes around , " and line ends. */
static const bool special[256] = {[','] = true, ['"'] = true, ['\r'] = true, ['\n'] = true};

static char *put_text(struct sheet *sheet, const char *text, char *at) {
    if (text == NULL || *text == '\0')
        return at;
    size_t length = strlen(text);
    bool quoted = padded(text, length);
    at = reserve(sheet, at, 2 * length + 2);
    for (size_t i = 0; i < length; i++) {
        at[i] = text[i];
        quoted |= special[(unsigned char)text[i]];
    }
    return quoted ? put_quoted(text, at) : at + length;
}

static char *put_texts(struct sheet *sheet, const char *const *text, char *at) {
    for (size_t i = 0; i < sheet->extras; i++) {
        at = reserve(sheet, at, 1);
        if (i > 0)
            *at++ = ',';
        at = put_text(sheet, text[i], at);
    }
    return at;
}

static char *put_number(double value, char *at) {
    if (isnan(value))
        return at;
    assert(isfinite(value));
    return at + number_print(at, value);
}

/* Rows are read through memcpy: a row is known by offsets, not by its type. */
static char *put_field(struct sheet *sheet, const struct column *column, const char *row, char *at) {
    const char *field = row + column->offset;
    if (column->kind == COLUMN_NUMBER) {
        double value;
        memcpy(&value, field, sizeof value);
        return put_number(value, at);
    }
    if (column->kind == COLUMN_COUNT) {
        uint32_t count;
        memcpy(&count, field, sizeof count);
        return count == UINT32_MAX ? at : at + whole_print(at, count);
    }
    if (column->kind == COLUMN_LONG) {
        uint64_t number;
        memcpy(&number, field, sizeof number);
        return at + whole_print(at, number);
    }
    if (column->kind == COLUMN_TEXT) {
        const char *text;
        memcpy(&text, field, sizeof text);
        return put_text(sheet, text, at);
    }
    const char *const *texts;
    memcpy(&texts, field, sizeof texts);
    return put_texts(sheet, texts, at);
}

/* COLUMN_TEXTS without extra columns is no field at all, not an empty one. */
static bool absent(const struct sheet *sheet, const struct column *column) {
    return column->kind == COLUMN_TEXTS && sheet->extras == 0;
}

/* The row of names, or of fields. */
static void put_row(struct sheet *sheet, const void *row) {
    char *at = room(sheet, sheet->length, 0);
    size_t fields = 0;
    for (size_t i = 0; i < sheet->columns->count; i++) {
        const struct column *column = &sheet->columns->column[i];
        if (absent(sheet, column))
            continue;
        if (fields++ > 0)
            *at++ = ',';
        if (row != NULL)
            at = put_field(sheet, column, row, at);
        else if (column->kind == COLUMN_TEXTS)
            at = put_texts(sheet, sheet->extra, at);
        else
            at = put_text(sheet, column->name, at);
    }
    *at++ = '\n';
    sheet->length = (size_t)(at - sheet->text);
}

void sheet_header(struct sheet *sheet) {
    put_row(sheet, NULL);
}

void sheet_row(struct sheet *sheet, const void *row) {
    put_row(sheet, row);
}

void sheet_text(struct sheet *sheet, const char *text, size_t length) {
    if (length == 0)
        return;
    memcpy(room(sheet, sheet->length, length), text, length);
    sheet->length += length;
}
