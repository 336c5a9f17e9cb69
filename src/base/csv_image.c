#include "csv_reading.h"
#include "image.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The parts of an image, each followed by the arrays that it counts. */
struct table_part {
    uint64_t rows, columns;
    uint32_t header, missing; /* as in the request */
};
struct column_part {
    uint64_t name_bytes, word_bytes; /* with the NUL at the end; no words: 0 */
    uint32_t needs_numbers, worded;
};

static struct image_subject subject_of(const char *file) {
    return (struct image_subject){file, "csv table 1"};
}

struct image_writer *csv_image_begin(const struct reading *reading) {
    return reading->request->images ? image_begin(subject_of(reading->csv->file)) : NULL;
}

void csv_image_keep(const struct reading *reading, struct image_writer *writer) {
    if (!writer)
        return;
    const struct csv *csv = reading->csv;
    struct table_part table = {csv->rows, csv->columns, reading->request->header, reading->request->missing};
    image_put(writer, &table, sizeof table);
    for (size_t c = 0; c < csv->columns; c++) {
        const struct column *column = &reading->column[c];
        struct column_part part = {.name_bytes = strlen(csv->name[c]) + 1,
                                   .word_bytes = column->worded ? column->words.length : 0,
                                   .needs_numbers = column->needs_numbers,
                                   .worded = column->worded};
        image_put(writer, &part, sizeof part);
        image_put(writer, csv->name[c], part.name_bytes);
        image_put(writer, column->words.bytes, part.word_bytes);
    }
    image_put(writer, csv->line, csv->rows * sizeof *csv->line);
    image_put(writer, csv->number, csv->rows * csv->columns * sizeof *csv->number);
    image_keep(writer);
}

static bool ends_as_text(const char *text, size_t bytes) {
    return text && bytes > 0 && text[bytes - 1] == '\0';
}

/* Words are as many as rows. */
static bool words_whole(const struct words *words, size_t rows) {
    size_t count = 0;
    for (const char *at = words->bytes, *end = at + words->length; at < end; at = strchr(at, '\0') + 1)
        count++;
    return count == rows;
}

static bool take_column(struct reading *reading, struct image *image, size_t c, bool *needed) {
    struct csv *csv = reading->csv;
    struct column *column = &reading->column[c];
    struct column_part part;
    if (!image_take(image, &part, sizeof part))
        return false;
    csv->name[c] = image_take_array(image, part.name_bytes, 1);
    *needed = part.needs_numbers;
    column->worded = part.worded;
    if (!ends_as_text(csv->name[c], part.name_bytes))
        return false;
    if (!part.worded)
        return part.word_bytes == 0;
    column->words.bytes = image_take_array(image, part.word_bytes, 1);
    column->words.length = part.word_bytes;
    return ends_as_text(column->words.bytes, part.word_bytes) && words_whole(&column->words, csv->rows);
}

static bool take_columns(struct reading *reading, struct image *image, bool *needed) {
    for (size_t c = 0; c < reading->csv->columns; c++)
        if (!take_column(reading, image, c, &needed[c]))
            return false;
    return true;
}

/* Whether the same columns must be numbers as when the image was made: others may hold words that would be refused. */
static bool same_request(struct reading *reading, const bool *needed) {
    csv_name_columns(reading);
    for (size_t c = 0; c < reading->csv->columns; c++)
        if (reading->column[c].needs_numbers != needed[c])
            return false;
    return true;
}

static bool take_head(struct reading *reading, struct image *image) {
    struct csv *csv = reading->csv;
    struct table_part table;
    if (!image_take(image, &table, sizeof table) || table.header != reading->request->header ||
        table.missing != reading->request->missing || table.columns == 0 || table.columns > CSV_COLUMNS)
        return false;
    csv->rows = table.rows;
    csv->columns = table.columns;
    csv->name = memory_zeroed(csv->columns, sizeof *csv->name);
    csv->text = memory_zeroed(csv->columns, sizeof *csv->text);
    reading->column = memory_zeroed(csv->columns, sizeof *reading->column);
    return true;
}

/* Closes the image. */
static bool take_table(struct reading *reading, struct image *image) {
    struct csv *csv = reading->csv;
    bool *needed = memory_zeroed(csv->columns, sizeof *needed);
    bool taken = take_columns(reading, image, needed) &&
                 (csv->line = image_take_array(image, csv->rows, sizeof *csv->line)) &&
                 (csv->number = image_take_array(image, csv->rows, csv->columns * sizeof *csv->number));
    taken &= image_close(image) && same_request(reading, needed);
    free(needed);
    return taken;
}

bool csv_image_read(struct reading *reading) {
    struct image *image = reading->request->images ? image_open(subject_of(reading->csv->file)) : NULL;
    if (!image)
        return false;
    if (!take_head(reading, image)) {
        image_close(image);
        return false;
    }
    return take_table(reading, image);
}
