#include "sheet.h"
#include "memory.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_BYTES 32

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

/* Room for `length` more bytes, whose first is returned. */
static char *reserve(struct sheet *sheet, size_t length) {
    if (sheet->capacity - sheet->length < length) {
        sheet->capacity = 2 * (sheet->capacity + length);
        sheet->text = memory_resized(sheet->text, sheet->capacity, 1);
    }
    return sheet->text + sheet->length;
}

static void put_byte(struct sheet *sheet, char byte) {
    *reserve(sheet, 1) = byte;
    sheet->length++;
}

/* RFC 4180 asks for quotes around , " and line ends. Spaces at an end are quoted too, since readers trim them. */
static bool needs_quotes(const char *text, size_t length) {
    if (length == 0)
        return false;
    bool padded = strchr(" \t", text[0]) != NULL || strchr(" \t", text[length - 1]) != NULL;
    return padded || strpbrk(text, ",\"\r\n") != NULL;
}

static void put_text(struct sheet *sheet, const char *text) {
    if (text == NULL)
        return;
    size_t length = strlen(text);
    if (!needs_quotes(text, length)) {
        memcpy(reserve(sheet, length + 1), text, length);
        sheet->length += length;
        return;
    }
    put_byte(sheet, '"');
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"')
            put_byte(sheet, '"');
        put_byte(sheet, text[i]);
    }
    put_byte(sheet, '"');
}

static void put_texts(struct sheet *sheet, const char *const *text) {
    for (size_t i = 0; i < sheet->extras; i++) {
        if (i > 0)
            put_byte(sheet, ',');
        put_text(sheet, text[i]);
    }
}

static void put_number(struct sheet *sheet, double value) {
    if (isnan(value))
        return;
    assert(isfinite(value));
    sheet->length += number_print(reserve(sheet, NUMBER_BYTES), value);
}

static void put_whole(struct sheet *sheet, uint64_t number) {
    sheet->length += whole_print(reserve(sheet, NUMBER_BYTES), number);
}

/* Rows are read through memcpy: a row is known by offsets, not by its type. */
static void put_field(struct sheet *sheet, const struct column *column, const char *row) {
    const char *field = row + column->offset;
    if (column->kind == COLUMN_NUMBER) {
        double value;
        memcpy(&value, field, sizeof value);
        put_number(sheet, value);
    } else if (column->kind == COLUMN_COUNT) {
        uint32_t count;
        memcpy(&count, field, sizeof count);
        if (count != UINT32_MAX)
            put_whole(sheet, count);
    } else if (column->kind == COLUMN_LONG) {
        uint64_t number;
        memcpy(&number, field, sizeof number);
        put_whole(sheet, number);
    } else if (column->kind == COLUMN_TEXT) {
        const char *text;
        memcpy(&text, field, sizeof text);
        put_text(sheet, text);
    } else {
        const char *const *texts;
        memcpy(&texts, field, sizeof texts);
        put_texts(sheet, texts);
    }
}

/* COLUMN_TEXTS without extra columns is no field at all, not an empty one. */
static bool absent(const struct sheet *sheet, const struct column *column) {
    return column->kind == COLUMN_TEXTS && sheet->extras == 0;
}

void sheet_header(struct sheet *sheet) {
    size_t fields = 0;
    for (size_t i = 0; i < sheet->columns->count; i++) {
        const struct column *column = &sheet->columns->column[i];
        if (absent(sheet, column))
            continue;
        if (fields++ > 0)
            put_byte(sheet, ',');
        if (column->kind == COLUMN_TEXTS)
            put_texts(sheet, sheet->extra);
        else
            put_text(sheet, column->name);
    }
    put_byte(sheet, '\n');
}

void sheet_row(struct sheet *sheet, const void *row) {
    size_t fields = 0;
    for (size_t i = 0; i < sheet->columns->count; i++) {
        const struct column *column = &sheet->columns->column[i];
        if (absent(sheet, column))
            continue;
        if (fields++ > 0)
            put_byte(sheet, ',');
        put_field(sheet, column, row);
    }
    put_byte(sheet, '\n');
}
