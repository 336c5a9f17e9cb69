/* csv_reading.h: the reading of one CSV file, shared by what lays out the table (csv_file.c) and what fills its rows
 * (csv_rows.c); for these two alone. */
#ifndef LAGGARD_CSV_READING_H
#define LAGGARD_CSV_READING_H
#include "csv_file.h"
#include "image.h"

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

/* How much of a text is quoted in a sentence. */
enum { CSV_QUOTED_BYTES = 40 };

/* Names the columns, once their row was read or where there is none, and asks which must be numbers. */
void csv_name_columns(struct reading *reading);

/* Room for one more row. */
void csv_reserve_row(struct reading *reading);
/* Reads rows from `text` to the end, or until the reading is stopped. */
void csv_rows_read(struct reading *reading, const char *text);
/* Where a field of the open row starts. */
struct place csv_field_place(const struct reading *reading, size_t field);
/* Tells a mistake; the last one that is told stops the reading. */
void csv_mistake(struct reading *reading, struct place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fills the table from the image of its file, which spares the text. False where there is none that fits, or
 * reading->refused. */
bool csv_image_read(struct reading *reading);
/* Before the text is read; NULL: no image is to be made. */
struct image_writer *csv_image_begin(const struct reading *reading);
/* Once the table is whole. */
void csv_image_keep(const struct reading *reading, struct image_writer *writer);
#endif
