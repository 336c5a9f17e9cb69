#include "source.h"
#include "utf8.h"
#include <stdlib.h>
#include <string.h>

/* How much of a label is quoted in a sentence. */
#define QUOTED 40

struct word {
    const char *text;
    size_t row;
};

static int alphabetical(const void *left, const void *right) {
    return strcmp(((const struct word *)left)->text, ((const struct word *)right)->text);
}

static bool is_number(const char *text) {
    double number;
    return csv_number(text, strlen(text), &number);
}

static bool refuse(const struct csv *csv, size_t column, const struct word *word, struct diag *diag) {
    const char *first = csv->text[column];
    struct place place = csv_place(csv, word->row, column);
    int bytes = utf8_start(word->text, strlen(word->text), QUOTED);
    if (!*word->text)
        diag_error(diag, place, NULL, "field %zu (%s): is empty where a label is needed", column + 1,
                   csv->name[column]);
    else if (is_number(first))
        diag_error(
            diag, place, NULL,
            "field %zu (%s): labels are all numbers or all words: found the word '%.*s', line %u has a "
            "number",
            column + 1, csv->name[column], bytes, word->text, csv->line[0]);
    else
        diag_error(
            diag, place, NULL,
            "field %zu (%s): labels are all numbers or all words: found the number %.*s, line %u has a "
            "word",
            column + 1, csv->name[column], bytes, word->text, csv->line[0]);
    return false;
}

/* The words of the column by row; NULL after telling which one is not of the first one's kind. */
static struct word *words_alike(const struct csv *csv, size_t column, struct diag *diag) {
    struct word *word = memory_zeroed(csv->rows, sizeof *word);
    const char *text = csv->text[column];
    bool numbers = is_number(text), alike = true;
    for (size_t r = 0; r < csv->rows && alike; r++, text += strlen(text) + 1) {
        word[r] = (struct word){text, r};
        alike = (*text && is_number(text) == numbers) || refuse(csv, column, &word[r], diag);
    }
    if (alike)
        return word;
    free(word);
    return NULL;
}

bool dataset_set_words(struct dataset *dataset, const struct csv *csv, size_t column, struct diag *diag) {
    struct word *word = words_alike(csv, column, diag);
    if (!word)
        return false;
    qsort(word, csv->rows, sizeof *word, alphabetical);
    dataset->label_word = memory_zeroed(csv->rows + 1, sizeof *dataset->label_word);
    size_t words = 0;
    for (size_t r = 0; r < csv->rows; r++) {
        if (words == 0 || strcmp(word[r].text, dataset->label_word[words - 1]) != 0)
            dataset->label_word[words++] = memory_text(word[r].text);
        dataset->label[word[r].row] = (double)(words - 1);
    }
    free(word);
    return true;
}

void dataset_drop_words(struct dataset *dataset) {
    for (size_t w = 0; dataset->label_word && dataset->label_word[w]; w++)
        free(dataset->label_word[w]);
    free(dataset->label_word);
    dataset->label_word = NULL;
}
