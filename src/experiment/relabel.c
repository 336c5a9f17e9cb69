#include "relabel.h"
#include <string.h>

/* Columns that say whose row it is: the last is `replication`. */
static struct columns names_of(const struct sheet *sheet) {
    struct columns names = *sheet->columns;
    for (names.count = 1; strcmp(names.column[names.count - 1].name, "replication") != 0;)
        names.count++;
    return names;
}

static size_t fields_of(const struct columns *names, const struct sheet *sheet) {
    size_t fields = 0;
    for (size_t c = 0; c < names->count; c++)
        fields += names->column[c].kind == COLUMN_TEXTS ? sheet->extras : 1;
    return fields;
}

/* The names as a row has them, with the comma that follows. All tables but that of runs begin with the same columns. */
static void write_names(struct sheet *text, const struct columns *names, const struct sheet *sheet,
                        const struct run_row *run) {
    const struct step_row step = {
        .point = run->point, .scheme = run->scheme, .replication = run->replication};
    sheet_init(text, names, sheet->extra, sheet->extras);
    sheet_row(text, sheet->columns == &run_columns ? (const void *)run : &step);
    text->text[text->length - 1] = ',';
}

/* Behind the comma of so many fields; a comma in quotes is none. */
static const char *behind_fields(const char *row, size_t fields) {
    bool quoted = false;
    for (; fields > 0; row++) {
        quoted ^= *row == '"';
        fields -= *row == ',' && !quoted;
    }
    return row;
}

void relabel_rows(struct rendering *rendering, size_t file, const struct contest *contest,
                  const struct block *rows, uint32_t replication) {
    struct sheet *sheet = rendering_sheet(rendering, file), text;
    const struct run_row run = {.point = contest->point->index,
                                .swept = contest->point->swept,
                                .scheme = contest->entry->label,
                                .parameters = contest->entry->parameters,
                                .replication = replication};
    const struct columns names = names_of(sheet);
    size_t fields = fields_of(&names, sheet);
    write_names(&text, &names, sheet, &run);
    for (const char *row = rows->text, *end = row + rows->length, *next; row < end; row = next) {
        const char *rest = behind_fields(row, fields);
        next = (const char *)memchr(rest, '\n', (size_t)(end - rest)) + 1;
        sheet_text(sheet, text.text, text.length);
        sheet_text(sheet, rest, (size_t)(next - rest));
    }
    sheet_fini(&text);
}
