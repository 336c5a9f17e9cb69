/* text_table.h: tables for people: columns as wide as their widest cell, numbers to the right, words to
 * the left; a last column of words is broken into lines. */
#ifndef LAGGARD_TEXT_TABLE_H
#define LAGGARD_TEXT_TABLE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum alignment { LEFT, RIGHT };
struct text_column {
    const char *heading; /* NULL in all columns: a table without headings */
    enum alignment alignment;
};

/* A blank in a cell at which no line is broken; printed as any other. */
#define TEXT_GLUE "\xc2\xa0"

struct text_table;
/* `column` must outlive the table. */
struct text_table *text_table_new(const struct text_column *column, size_t columns);
void text_table_free(struct text_table *table);
/* Appends a row of one cell per column, which are copied, control characters escaped; NULL is an empty cell. */
void text_table_row(struct text_table *table, const char *const *cells);
/* Writes every line after `indent`, without blanks at line ends. Headings are bold where the stream is a
 * terminal. */
void text_table_print(const struct text_table *table, FILE *stream, const char *indent);

/* What it holds, for other forms than lines of text. */
size_t text_table_rows(const struct text_table *table);
size_t text_table_columns(const struct text_table *table);
const struct text_column *text_table_column(const struct text_table *table, size_t column);
const char *text_table_cell(const struct text_table *table, size_t row, size_t column);

/* Columns of a terminal that its longest line may take, without indent. */
size_t text_table_width(const struct text_table *table);

/* Columns of a terminal that UTF-8 text takes: wide characters two, combining marks none. */
size_t text_width(const char *text);
/* The stream is a terminal and NO_COLOR is unset or empty. */
bool stream_coloured(FILE *stream);
#endif
