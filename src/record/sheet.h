/* sheet.h: tidy CSV in memory. Columns are a table, so header and rows cannot disagree.
 * RFC 4180 with LF line ends; numbers print shortest such that they read back to the same double; an empty field where
 * a value does not apply. Knows nothing of who computed the numbers. */
#ifndef LAGGARD_SHEET_H
#define LAGGARD_SHEET_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum column_kind {
    COLUMN_NUMBER, /* double; NAN prints empty */
    COLUMN_COUNT,  /* uint32_t; UINT32_MAX prints empty */
    COLUMN_LONG,   /* uint64_t */
    COLUMN_TEXT,   /* const char *; NULL prints empty; quoted where RFC 4180 asks for it */
    COLUMN_TEXTS,  /* const char *const *: as many fields as the sheet has extra columns */
};
struct column {
    const char *name; /* with its unit: time_s; ignored for COLUMN_TEXTS */
    enum column_kind kind;
    size_t offset; /* in the row's struct */
};
struct columns {
    const struct column *column;
    size_t count;
};

/* Whether one of them has that name. */
bool columns_have(const struct columns *columns, const char *name);

/* Text of rows, grown as needed. */
struct sheet {
    const struct columns *columns;
    const char *const *extra; /* names of the COLUMN_TEXTS fields */
    size_t extras;
    char *text;
    size_t length, capacity;
};
void sheet_init(struct sheet *sheet, const struct columns *columns, const char *const *extra, size_t extras);
void sheet_fini(struct sheet *sheet);
void sheet_header(struct sheet *sheet);
void sheet_row(struct sheet *sheet, const void *row);
/* Appends text of rows that another sheet made. */
void sheet_text(struct sheet *sheet, const char *text, size_t length);
void sheet_clear(struct sheet *sheet);

/* The shortest decimal that reads back to `value` (finite), and of those the nearest, NUL-ended, into NUMBER_BYTES. Laid
 * out as %.17g; -0 is 0. Returns its length. */
enum { NUMBER_BYTES = 32 };
size_t number_print(char *out, double value);
/* The decimal digits of `number`, without a NUL, into WHOLE_BYTES. Returns how many. */
enum { WHOLE_BYTES = 20 };
size_t whole_print(char *out, uint64_t number);
#endif
