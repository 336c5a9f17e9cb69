#include "code_matrix.h"
#include "csv_file.h"
#include <math.h>
#include <stdlib.h>

static size_t entries_of(const struct csv *csv) {
    size_t entries = 0;
    for (size_t cell = 0; cell < csv->rows * csv->columns; cell++)
        entries += csv->number[cell] != 0;
    return entries;
}

static void take_row(struct code_matrix *matrix, const struct csv *csv, uint32_t worker) {
    struct listing *listing = &matrix->listing;
    size_t e = listing->first[worker];
    for (uint32_t p = 0; p < listing->partitions; p++) {
        double entry = csv->number[worker * csv->columns + p];
        if (entry == 0)
            continue;
        listing->partition[e] = p;
        listing->coefficient[e++] = entry;
        matrix->copies += entry / listing->partitions;
        matrix->largest = fmax(matrix->largest, fabs(entry));
    }
    listing->first[worker + 1] = e;
}

static void matrix_fill(struct code_matrix *matrix, const struct csv *csv) {
    size_t entries = entries_of(csv);
    struct listing *listing = &matrix->listing;
    *listing = (struct listing){.workers = (uint32_t)csv->rows,
                                .partitions = (uint32_t)csv->columns,
                                .first = arena_zeroed(matrix->arena, csv->rows + 1, sizeof(size_t)),
                                .partition = arena_zeroed(matrix->arena, entries, sizeof(uint32_t)),
                                .coefficient = arena_zeroed(matrix->arena, entries, sizeof(double))};
    for (uint32_t i = 0; i < listing->workers; i++)
        take_row(matrix, csv, i);
}

/* Nobody holds these partitions, so no estimate has them: possible in a matrix that was drawn, mostly a mistake. */
static void warn_empty(const struct code_matrix *matrix, const struct csv *csv, struct diag *diag) {
    const struct listing *listing = &matrix->listing;
    bool *held = memory_zeroed(listing->partitions, sizeof *held);
    uint32_t empty = 0, first = 0;
    for (size_t e = 0; e < listing->first[listing->workers]; e++)
        held[listing->partition[e]] = true;
    for (uint32_t p = listing->partitions; p-- > 0;)
        if (!held[p]) {
            empty++;
            first = p;
        }
    if (empty > 0)
        diag_warning(
            diag, (struct place){.file = csv->file}, NULL,
            "%u of %u columns hold zeros alone, column %u is the first: no worker has these partitions",
            empty, listing->partitions, first + 1);
    free(held);
}

static void matrix_free(void *item) {
    struct code_matrix *matrix = item;
    arena_free(matrix->arena);
    free(matrix);
}

static struct code_matrix *matrix_loaded(const char *path, struct diag *diag) {
    struct csv *csv = csv_read(diag, path, &(struct csv_request){.header = false});
    if (!csv)
        return NULL;
    struct code_matrix *matrix = memory_zeroed(1, sizeof *matrix);
    matrix->arena = arena_new();
    matrix_fill(matrix, csv);
    bool zero = matrix->largest == 0;
    if (zero)
        diag_error(diag, (struct place){.file = csv->file}, NULL, "the matrix holds zeros alone");
    else
        warn_empty(matrix, csv, diag);
    csv_release(csv);
    if (!zero)
        return matrix;
    matrix_free(matrix);
    return NULL;
}

const struct code_matrix *code_matrix_read(const char *path, const struct scheme_files *files) {
    char *key = memory_format("code matrix\n%s", path);
    struct code_matrix *matrix = shelf_find(files->shelf, key);
    if (!matrix) {
        matrix = matrix_loaded(path, files->diag);
        if (matrix)
            shelf_put(files->shelf, key, matrix, matrix_free);
    }
    free(key);
    return matrix;
}
