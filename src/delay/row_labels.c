#include "row_labels.h"
#include "utf8.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How much of a word is quoted in a sentence. */
#define QUOTED 40

static void word_describe(const char *word, struct sentence *out) {
    sentence_set(out, "'%.*s'", utf8_start(word, strlen(word), QUOTED), word);
}

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
    if (!numbers || !odd)
        return true;
    struct sentence here;
    word_describe(odd->text, &here);
    diag_error(diag, (struct place){.file = csv->file, .line = csv->line[odd->row]}, NULL,
               "column '%s' holds a number in other rows, here %s", csv->name[column], here.text);
    return false;
}

static bool read_words(struct row_labels *labels, const struct csv *csv, size_t column, struct diag *diag) {
    struct word *word = words_of(csv, column);
    bool alone = words_alone(csv, column, word, diag);
    struct rank_names *names = &labels->names;
    qsort(word, csv->rows, sizeof *word, alphabetical);
    for (size_t w = 0; alone && w < csv->rows; w++) {
        if (w == 0 || strcmp(word[w].text, word[w - 1].text) != 0)
            rank_names_add(names, word[w].text);
        labels->label[word[w].row] = word[w].text[0] ? (double)(names->count - 1) : (double)NAN;
    }
    free(word);
    return alone;
}

bool row_labels_read(struct row_labels *labels, const struct csv *csv, size_t column, struct diag *diag) {
    *labels = (struct row_labels){.label = memory_zeroed(csv->rows, sizeof *labels->label)};
    if (csv->text[column])
        return read_words(labels, csv, column, diag);
    for (size_t r = 0; r < csv->rows; r++)
        labels->label[r] = csv->number[r * csv->columns + column];
    return true;
}

void row_labels_free(struct row_labels *labels) {
    free(labels->label);
    rank_names_free(&labels->names);
}

void rank_names_add(struct rank_names *names, const char *name) {
    names->name = memory_resized(names->name, names->count + 1, sizeof *names->name);
    names->name[names->count++] = memory_text(name);
}

void rank_names_free(struct rank_names *names) {
    for (size_t q = 0; q < names->count; q++)
        free(names->name[q]);
    free(names->name);
    *names = (struct rank_names){0};
}

void label_describe(const struct rank_names *names, double label, struct sentence *out) {
    if (names->name)
        word_describe(names->name[(size_t)label], out);
    else
        sentence_set(out, "%.15g", label);
}
