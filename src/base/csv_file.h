/* csv_file.h: reading delimited text: named columns of numbers or words, plain or gzip, each mistake at its place.
 * Knows no meaning of a column. (The file and csv_release avoid libcsv's own csv.h and csv_free.) */
#ifndef LAGGARD_CSV_FILE_H
#define LAGGARD_CSV_FILE_H
#include "diag.h"
#include "memory.h"

struct csv_text;

/* A table read from a file. Rows of words or numbers, one header line. */
struct csv {
    const char *file; /* as asked for; not copied */
    size_t rows, columns;
    char **name; /* [columns], no two equal; empty text for unnamed columns, of which there may be several */
    double *number; /* [rows * columns], row-major; NAN where the field is empty; see `text` for words */
    char **text; /* [columns]: NULL for a column of numbers; else [rows] NUL-ended words one after another */
    uint32_t *line;         /* [rows]: the line of the file a row starts on */
    struct csv_text *again; /* for csv_place */
};

/* What to read. A column not named in `numbers` may hold anything: it is kept as words when it does not read as
 * numbers throughout. A column in `numbers` must hold finite numbers (or empty fields where `missing` allows);
 * a name that the file does not have is left to the caller, who knows where it was written (csv_column). */
struct csv_request {
    const char *const *numbers; /* columns that must be numbers, ended by NULL; NULL: all columns */
    bool header;                /* the first line holds names; else columns are named 1, 2, … */
    bool missing;               /* empty fields are accepted in columns of numbers, and read as NAN */
    bool images; /* the table may be taken from, and kept in, a binary image beside the file (image.h) */
    /* NULL, or in place of `numbers`: called once the names are known, says of each column whether it must be
     * numbers. False, after telling why, when the rows need not be read. Called again where an image does not fit. */
    bool (*choose)(void *context, const struct csv *csv, bool *numeric);
    void *context;
};

/* Longest field in bytes and most columns that are accepted; mistakes told of one file. */
enum { CSV_FIELD_BYTES = 1 << 16, CSV_COLUMNS = 1 << 16, CSV_MISTAKES = 20 };

/* Reads the file (through zlib: plain or .gz) with libcsv: RFC 4180, comma, spaces around a field dropped, blank
 * lines skipped. Returns NULL after telling at least one error, at most CSV_MISTAKES: a missing file, a directory,
 * another separator than the comma, no rows, ragged rows, bad quotes (these end the reading), NUL or invalid UTF-8, text where a number belongs, nan
 * or inf, a truncated .gz, duplicate names, over-long fields. BOM, CRLF and a missing last newline are fine.
 * `file` must outlive the table and the diag. Freed with csv_release. */
struct csv *csv_read(struct diag *diag, const char *file, const struct csv_request *request);
void csv_release(struct csv *csv);

/* Index of a column, or csv->columns. */
size_t csv_column(const struct csv *csv, const char *name);

/* Where a cell stands, of the rows and columns of the table: line and column. The file is read again for it, once for all
 * cells; the line alone where it cannot be. */
struct place csv_place(const struct csv *csv, size_t row, size_t column);

/* A finite decimal number that is the whole of `text`, correctly rounded, as strtod rounds it. No hexadecimal, nan, inf,
 * nor spaces; too large a number is refused. */
bool csv_number(const char *text, size_t length, double *number);
/* The same of as many bytes at the start of [text, end) as are a number. Returns the first byte after it; NULL: none. */
const char *csv_number_read(const char *text, const char *end, double *number);

/* The file as bytes through zlib, for readers of other line formats, without a leading UTF-8 byte order mark; NULL
 * after an error was told. `length` excludes the NUL that is added. The caller frees it. */
char *file_text(struct diag *diag, const char *file, size_t *length);
/* CRC-32 (zlib) of the file's bytes as they are on disk; 0 when it cannot be read. */
uint32_t file_checksum(const char *file);
#endif
