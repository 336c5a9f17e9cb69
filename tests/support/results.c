#include "results.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t count(const char *text, char wanted, const char *end) {
    size_t found = 0;
    for (; text < end; text++)
        found += *text == wanted;
    return found;
}

void results_init(struct results *results, const struct scratch *scratch, const char *name) {
    char *text = scratch_text(scratch, name);
    cr_assert(text != NULL, "no %s", name);
    char *end = text + strlen(text);
    *results = (struct results){.text = text,
                                .rows = count(text, '\n', end) - 1,
                                .columns = count(text, ',', strchr(text, '\n')) + 1};
    results->cell = calloc((results->rows + 1) * results->columns, sizeof *results->cell);
    for (size_t q = 0; q < (results->rows + 1) * results->columns; q++) {
        results->cell[q] = text;
        text += strcspn(text, ",\n");
        bool last = (q + 1) % results->columns == 0;
        cr_assert(*text == (last ? '\n' : ','), "%s: ragged row %zu", name, q / results->columns);
        *text++ = 0;
    }
}

void results_fini(struct results *results) {
    free(results->cell);
    free(results->text);
}

const char *results_cell(const struct results *results, size_t row, const char *column) {
    for (size_t j = 0; j < results->columns; j++)
        if (strcmp(results->cell[j], column) == 0)
            return results->cell[(row + 1) * results->columns + j];
    cr_assert(false, "no column %s", column);
    return NULL;
}

double results_number(const struct results *results, size_t row, const char *column) {
    const char *cell = results_cell(results, row, column);
    return *cell ? strtod(cell, NULL) : NAN;
}
