#include "row_labels.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct word {
    const char *text;
    size_t row;
};

static int alphabetical(const void *left, const void *right) {
    return strcmp(((const struct word *)left)->text, ((const struct word *)right)->text);
}

static struct word *words_of(const struct csv *csv, size_t column) {
    struct word *word = memory_zeroed(csv->rows, sizeof *word);
    const char *text = csv->text[column];
    for (size_t r = 0; r < csv->rows; r++, text += strlen(text) + 1)
        word[r] = (struct word){text, r};
    return word;
}

/* A column that is numbers but for a few words is a mistake in those rows, not a column of names. */
static bool words_alone(const struct csv *csv, size_t column, const struct word *word, struct diag *diag) {
    const struct word *odd = NULL;
    double number;
    bool numbers = false;
    for (size_t r = 0; r < csv->rows; r++) {
        if (csv_number(word[r].text, strlen(word[r].text), &number))
            numbers = true;
        else if (!odd && word[r].text[0])
            odd = &word[r];
    }
    if (numbers && odd)
        diag_error(diag, (struct place){.file = csv->file, .line = csv->line[odd->row]}, NULL,
                   "column '%s' holds a number in other rows, here '%.40s'", csv->name[column], odd->text);
    return !(numbers && odd);
}

static double *word_labels(const struct csv *csv, size_t column, struct diag *diag) {
    struct word *word = words_of(csv, column);
    double *label = words_alone(csv, column, word, diag) ? memory_zeroed(csv->rows, sizeof *label) : NULL;
    double rank = 0;
    qsort(word, csv->rows, sizeof *word, alphabetical);
    for (size_t w = 0; label && w < csv->rows; w++) {
        rank += w > 0 && strcmp(word[w].text, word[w - 1].text) != 0;
        label[word[w].row] = word[w].text[0] ? rank : (double)NAN;
    }
    free(word);
    return label;
}

double *row_labels(const struct csv *csv, size_t column, struct diag *diag) {
    if (csv->text[column])
        return word_labels(csv, column, diag);
    double *label = memory_zeroed(csv->rows, sizeof *label);
    for (size_t r = 0; r < csv->rows; r++)
        label[r] = csv->number[r * csv->columns + column];
    return label;
}
