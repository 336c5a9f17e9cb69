/* csv_scan.h: where things are in the text of a CSV file; for csv_file.c alone. */
#ifndef LAGGARD_CSV_SCAN_H
#define LAGGARD_CSV_SCAN_H
#include "diag.h"

/* The place of `at`, when `from` is the start of `line`. Columns count characters, not bytes. */
struct place place_after(const char *file, uint32_t line, const char *from, const char *at);

/* The first byte at or after `at` that is neither a blank nor a tab. */
const char *skip_spaces(const char *at, const char *end);

/* The first byte after the field at `at`: its comma, the end of the row or of the text. */
const char *field_end(const char *at, const char *end);

/* The first byte of a field of the row that starts at `row`, counted from 0, without the blanks before it. */
const char *field_start(const char *row, const char *end, size_t field);

/* A separator in use that is no comma. */
struct separator {
    const char *name; /* as a sentence has it; NULL: none */
    const char *at;
};
/* The first one that stands on the line, outside quotes and between texts. */
struct separator other_separator(const char *line);
#endif
