#include "text_table.h"
#include "diag.h"
#include "memory.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lines are at most this wide, as far as a last column of words that begins early enough can be broken. */
#define LINE_WIDTH     100
#define WRAPPED_BEFORE 80

struct text_table {
    const struct text_column *column;
    size_t columns, rows, capacity;
    char **cell; /* [rows * columns] */
};

struct text_table *text_table_new(const struct text_column *column, size_t columns) {
    struct text_table *table = memory_zeroed(1, sizeof *table);
    *table = (struct text_table){.column = column, .columns = columns};
    return table;
}

void text_table_free(struct text_table *table) {
    for (size_t c = 0; c < table->rows * table->columns; c++)
        free(table->cell[c]);
    free(table->cell);
    free(table);
}

/* A copy that a terminal can be given. */
static char *tame(const char *text) {
    char *copy = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&copy, &length);
    if (!stream)
        return memory_text("");
    diag_print_text(text, stream);
    fclose(stream);
    return copy;
}

void text_table_row(struct text_table *table, const char *const *cells) {
    if (table->rows == table->capacity) {
        table->capacity = 2 * table->capacity + 16;
        table->cell = memory_resized(table->cell, table->capacity * table->columns, sizeof *table->cell);
    }
    for (size_t c = 0; c < table->columns; c++)
        table->cell[table->rows * table->columns + c] = tame(cells[c] ? cells[c] : "");
    table->rows++;
}

size_t text_table_rows(const struct text_table *table) {
    return table->rows;
}

size_t text_table_columns(const struct text_table *table) {
    return table->columns;
}

const struct text_column *text_table_column(const struct text_table *table, size_t column) {
    return &table->column[column];
}

const char *text_table_cell(const struct text_table *table, size_t row, size_t column) {
    return table->cell[row * table->columns + column];
}

struct span {
    uint32_t first, last;
};

static bool among(uint32_t code, const struct span *span) {
    for (; span->last; span++)
        if (code >= span->first && code <= span->last)
            return true;
    return false;
}

/* The blocks that terminals agree on; the C library's wcwidth depends on the locale. */
static size_t code_width(uint32_t code) {
    static const struct span marks[] = {
        {0x300, 0x36f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0}};
    static const struct span wide[] = {
        {0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
        {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}, {0}};
    return among(code, marks) ? 0 : among(code, wide) ? 2 : 1;
}

static size_t width_of(const char *text, size_t bytes) {
    size_t width = 0;
    const unsigned char *byte = (const unsigned char *)text, *end = byte + bytes;
    while (byte < end) {
        uint32_t code = *byte < 0x80   ? *byte
                        : *byte < 0xe0 ? *byte & 0x1f
                        : *byte < 0xf0 ? *byte & 0xf
                                       : *byte & 7;
        for (byte++; byte < end && (*byte & 0xc0) == 0x80; byte++)
            code = code << 6 | (*byte & 0x3f);
        width += code_width(code);
    }
    return width;
}

size_t text_width(const char *text) {
    return width_of(text, strlen(text));
}

bool stream_coloured(FILE *stream) {
    const char *plain = getenv("NO_COLOR");
    return isatty(fileno(stream)) && !(plain && *plain);
}

static size_t column_width(const struct text_table *table, size_t c) {
    size_t width = table->column[c].heading ? text_width(table->column[c].heading) : 0;
    for (size_t r = 0; r < table->rows; r++) {
        size_t own = text_width(table->cell[r * table->columns + c]);
        width = own > width ? own : width;
    }
    return width;
}

size_t text_table_width(const struct text_table *table) {
    size_t width = 2 * (table->columns - 1);
    for (size_t c = 0; c < table->columns; c++)
        width += column_width(table, c);
    return width;
}

static void blanks(FILE *stream, size_t count) {
    for (; count > 0; count--)
        fputc(' ', stream);
}

/* A word, with blanks for what glues its parts. */
static void word_print(FILE *stream, const char *word, size_t bytes) {
    const size_t glue = strlen(TEXT_GLUE);
    for (size_t b = 0; b < bytes; b++)
        if (bytes - b >= glue && memcmp(word + b, TEXT_GLUE, glue) == 0) {
            fputc(' ', stream);
            b += glue - 1;
        } else {
            fputc(word[b], stream);
        }
}

/* Words from column `column` on, broken at blanks before LINE_WIDTH. */
static void wrapped_print(FILE *stream, const char *text, size_t column) {
    size_t at = column;
    while (*text) {
        size_t bytes = strcspn(text, " "), width = width_of(text, bytes);
        if (at > column && at + 1 + width > LINE_WIDTH) {
            fputc('\n', stream);
            blanks(stream, column);
            at = column;
        } else if (at > column) {
            fputc(' ', stream);
            at++;
        }
        word_print(stream, text, bytes);
        at += width;
        text += bytes + strspn(text + bytes, " ");
    }
}

/* Blanks are owed until something follows them, so no line ends in one. */
static void line_print(const struct text_table *table, FILE *stream, const char *const *cells,
                       const size_t *widths, size_t at) {
    size_t owed = 0;
    for (size_t c = 0; c < table->columns; at += widths[c++] + 2) {
        const char *cell = cells[c] ? cells[c] : "";
        size_t room = widths[c] - text_width(cell);
        bool right = table->column[c].alignment == RIGHT, last = c + 1 == table->columns;
        if (!*cell) {
            owed += widths[c] + 2;
            continue;
        }
        blanks(stream, owed + (right ? room : 0));
        if (last && !right && at < WRAPPED_BEFORE)
            wrapped_print(stream, cell, at);
        else
            word_print(stream, cell, strlen(cell));
        owed = (right ? 0 : room) + 2;
    }
}

static void headings_print(const struct text_table *table, FILE *stream, const char *indent,
                           const size_t *widths) {
    if (!table->column[0].heading)
        return;
    const char **heading = memory_zeroed(table->columns, sizeof *heading);
    for (size_t c = 0; c < table->columns; c++)
        heading[c] = table->column[c].heading;
    bool bold = stream_coloured(stream);
    fprintf(stream, "%s%s", indent, bold ? "\033[1m" : "");
    line_print(table, stream, heading, widths, strlen(indent));
    fputs(bold ? "\033[0m\n" : "\n", stream);
    free(heading);
}

void text_table_print(const struct text_table *table, FILE *stream, const char *indent) {
    size_t *widths = memory_zeroed(table->columns, sizeof *widths);
    for (size_t c = 0; c < table->columns; c++)
        widths[c] = column_width(table, c);
    headings_print(table, stream, indent, widths);
    for (size_t r = 0; r < table->rows; r++) {
        fputs(indent, stream);
        line_print(table, stream, (const char *const *)table->cell + r * table->columns, widths,
                   strlen(indent));
        fputc('\n', stream);
    }
    free(widths);
}
