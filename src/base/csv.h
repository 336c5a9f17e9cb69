/* csv.h: reading delimited text: named columns of numbers or words, plain or gzip, each mistake at its place.
 * Knows no meaning of a column. */
#ifndef LAGGARD_CSV_H
#define LAGGARD_CSV_H
#include "diag.h"
#include "memory.h"

/* A table read from a file. Rows of words or numbers, one header line. */
struct csv {
    const char *file;
    size_t rows, columns;
    char **name;      /* [columns], unique after reading, may be empty text for an unnamed column */
    double *number;   /* [rows * columns], row-major; NAN where the field is empty; see `text` for words */
    char **text;      /* [columns]: NULL for a column of numbers; else [rows] NUL-ended words one after another */
    uint32_t *line;   /* [rows]: the line of the file a row starts on */
};

/* What to read. A column not named in `numbers` may hold anything: it is kept as words when it does not read as
 * numbers throughout. A column in `numbers` must hold finite numbers (or empty fields where `missing` allows). */
struct csv_request {
    const char *const *numbers; /* columns that must be numbers, ended by NULL; NULL: all columns */
    bool header;                /* the first line holds names; else columns are named 1, 2, … */
    bool missing;               /* empty fields are accepted in columns of numbers, and read as NAN */
};

/* Reads the file (through zlib: plain or .gz) with libcsv. Returns NULL after telling at least one error: a
 * missing file, a directory, no rows, ragged rows, bad quotes, NUL or invalid UTF-8, text where a number belongs,
 * nan or inf, a truncated .gz, duplicate names, over-long fields. BOM, CRLF and a missing last newline are fine.
 * Freed with csv_free. */
struct csv *csv_read(struct diag *diag, const char *file, const struct csv_request *request);
void csv_free(struct csv *csv);

/* Index of a column, or csv->columns. */
size_t csv_column(const struct csv *csv, const char *name);

/* A finite number that is the whole of `text`: an exact fast path for short decimals, strtod for the rest. */
bool csv_number(const char *text, size_t length, double *number);

/* The file as bytes through zlib, for readers of other line formats; NULL after an error was told. `length`
 * excludes the NUL that is added. The caller frees it. */
char *file_text(struct diag *diag, const char *file, size_t *length);
/* CRC-32 (zlib) of the file's bytes as they are on disk; 0 when it cannot be read. */
uint32_t file_checksum(const char *file);
#endif
