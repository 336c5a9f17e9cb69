/* Places of cells once the text is gone. Only a mistake asks for one, so that no table carries the columns of its fields:
 * the file is read again. */
#include "csv_scan.h"
#include "csv_text.h"
#include <stdlib.h>
#include <string.h>

struct csv_text {
    char *bytes; /* NULL: not read yet, or it cannot be */
    size_t length;
    bool read;
};

struct csv_text *csv_text_new(void) {
    return memory_zeroed(1, sizeof(struct csv_text));
}

void csv_text_free(struct csv_text *text) {
    if (text)
        free(text->bytes);
    free(text);
}

static void read_once(struct csv_text *text, const char *file) {
    if (text->read)
        return;
    struct diag *unheard = diag_new();
    text->bytes = file_text(unheard, file, &text->length);
    text->read = true;
    diag_free(unheard);
}

/* The first byte of a line, counted from 1; NULL where there are fewer lines. */
static const char *line_start(const struct csv_text *text, uint32_t line) {
    const char *at = text->bytes, *end = at + text->length;
    while (at && line-- > 1) {
        at = memchr(at, '\n', (size_t)(end - at));
        at += at != NULL;
    }
    return at;
}

struct place csv_place(const struct csv *csv, size_t row, size_t column) {
    read_once(csv->again, csv->file);
    const char *start = line_start(csv->again, csv->line[row]);
    if (!start)
        return (struct place){.file = csv->file, .line = csv->line[row]};
    const char *end = csv->again->bytes + csv->again->length;
    return place_after(csv->file, csv->line[row], start, field_start(start, end, column));
}
