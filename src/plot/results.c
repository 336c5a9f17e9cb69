#include "results.h"
#include "file_open.h"
#include "sheet.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The file has a line after its header. */
static bool has_rows(const char *path) {
    struct sentence why;
    int opened = file_open(path, &why);
    FILE *file = opened < 0 ? NULL : fdopen(opened, "r");
    if (file == NULL)
        return false;
    int byte = fgetc(file);
    while (byte != EOF && byte != '\n')
        byte = fgetc(file);
    byte = fgetc(file);
    fclose(file);
    return byte != EOF;
}

/* The first message of a diag, without its line end. */
static void first_message(const struct diag *diag, struct sentence *why) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out != NULL) {
        diag_print(diag, out);
        fclose(out);
    }
    sentence_set(why, "%.*s", text == NULL ? 0 : (int)strcspn(text, "\n"), text == NULL ? "" : text);
    free(text);
}

static struct csv *read_csv(const char *path, const char *const *numbers, struct sentence *why) {
    struct diag *diag = diag_new();
    struct csv *csv =
        csv_read(diag, path, &(struct csv_request){.numbers = numbers, .header = true, .missing = true});
    if (csv == NULL)
        first_message(diag, why);
    diag_free(diag);
    return csv;
}

static bool has_columns(const struct csv *csv, const char *const *names, struct sentence *why) {
    for (; *names != NULL; names++)
        if (csv_column(csv, *names) == csv->columns) {
            sentence_set(why, "%s has no column %s", csv->file, *names);
            return false;
        }
    return true;
}

const char **results_words(const struct results *results, size_t column) {
    const struct csv *csv = results->csv;
    if (column == csv->columns)
        return NULL;
    const char **words = arena_zeroed(results->arena, csv->rows, sizeof *words);
    const char *next = csv->text[column];
    for (size_t r = 0; r < csv->rows; r++) {
        if (next != NULL) {
            words[r] = next;
            next += strlen(next) + 1;
            continue;
        }
        char text[32] = "";
        double number = csv->number[r * csv->columns + column];
        size_t length = isnan(number) ? 0 : number_print(text, number);
        words[r] = arena_text(results->arena, text, length);
    }
    return words;
}

double results_number(const struct results *results, size_t row, const char *name) {
    const struct csv *csv = results->csv;
    size_t column = csv_column(csv, name);
    bool numbers = column < csv->columns && csv->text[column] == NULL;
    return numbers ? csv->number[row * csv->columns + column] : (double)NAN;
}

static void find_blocks(struct results *results) {
    const struct csv *csv = results->csv;
    size_t point = csv_column(csv, "point"), capacity = 0;
    const char **scheme = results_words(results, csv_column(csv, "scheme"));
    struct block *blocks = NULL, *last = NULL;
    for (size_t r = 0; r < csv->rows; r++) {
        uint32_t here = (uint32_t)csv->number[r * csv->columns + point];
        if (last == NULL || last->point != here || strcmp(last->scheme, scheme[r]) != 0) {
            if (results->blocks == capacity)
                blocks = memory_resized(blocks, capacity = 2 * capacity + 16, sizeof *blocks);
            last = &blocks[results->blocks++];
            *last = (struct block){.point = here, .scheme = scheme[r], .first = r};
        }
        last->rows++;
    }
    results->block = arena_zeroed(results->arena, results->blocks, sizeof *blocks);
    memcpy(results->block, blocks, results->blocks * sizeof *blocks);
    free(blocks);
}

int results_read(struct results *results, struct arena *arena, const struct results_request *request,
                 struct sentence *why) {
    static const char *const keys[] = {"point", "scheme", NULL};
    *results = (struct results){.arena = arena};
    const char *path = arena_format(arena, "%s/%s", request->folder, request->file);
    if (!has_rows(path)) {
        sentence_set(why, "%s has no rows", path);
        return 0;
    }
    results->csv = read_csv(path, request->numbers, why);
    if (results->csv == NULL)
        return -1;
    if (has_columns(results->csv, request->numbers, why) && has_columns(results->csv, keys, why)) {
        find_blocks(results);
        return 1;
    }
    results_close(results);
    return -1;
}

void results_close(struct results *results) {
    csv_release(results->csv);
    results->csv = NULL;
}

const struct block *results_like(const struct results *results, const struct block *like) {
    for (size_t b = 0; b < results->blocks; b++)
        if (results->block[b].point == like->point && strcmp(results->block[b].scheme, like->scheme) == 0)
            return &results->block[b];
    return NULL;
}
