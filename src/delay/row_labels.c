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

/* A word, where it stands first, and its number in that order. */
struct word {
    const char *text;
    size_t row, number;
};

/* The distinct words of a column and which one each row has. Words are few and rows many: only the words are sorted. */
struct vocabulary {
    struct word *word; /* [count], in order of their first rows */
    size_t count;
    size_t *number; /* [rows] */
};

static int alphabetical(const void *left, const void *right) {
    return strcmp(((const struct word *)left)->text, ((const struct word *)right)->text);
}

/* Fowler, Noll and Vo's hash, 64 bits, variant 1a. */
static uint64_t hash_of(const char *text) {
    uint64_t hash = 0xcbf29ce484222325;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
    return hash;
}

/* The place of a word among `places`, a power of two, more than there are words: its own or the free one that it takes.
 * A place holds a word's number + 1. */
static size_t place_of(const struct vocabulary *all, const char *text, const size_t *taken, size_t places) {
    size_t place = (size_t)hash_of(text) & (places - 1);
    while (taken[place] > 0 && strcmp(all->word[taken[place] - 1].text, text) != 0)
        place = (place + 1) & (places - 1);
    return place;
}

static struct vocabulary words_of(const struct csv *csv, size_t column) {
    size_t places = 16;
    while (places < 2 * csv->rows)
        places *= 2;
    size_t *taken = memory_zeroed(places, sizeof *taken);
    struct vocabulary all = {.word = memory_zeroed(csv->rows, sizeof *all.word),
                             .number = memory_zeroed(csv->rows, sizeof *all.number)};
    const char *text = csv->text[column];
    for (size_t r = 0; r < csv->rows; r++, text += strlen(text) + 1) {
        size_t place = place_of(&all, text, taken, places);
        if (taken[place] == 0) {
            all.word[all.count] = (struct word){text, r, all.count};
            taken[place] = ++all.count;
        }
        all.number[r] = taken[place] - 1;
    }
    free(taken);
    return all;
}

/* A column that is numbers but for a few words is a mistake in those rows, not a column of names. */
static bool words_alone(const struct csv *csv, size_t column, const struct vocabulary *all,
                        struct diag *diag) {
    const struct word *odd = NULL;
    double number;
    bool numbers = false;
    for (size_t w = 0; w < all->count; w++) {
        const char *text = all->word[w].text;
        if (csv_number(text, strlen(text), &number))
            numbers = true;
        else if (!odd && text[0])
            odd = &all->word[w];
    }
    if (!numbers || !odd)
        return true;
    struct sentence here;
    word_describe(odd->text, &here);
    diag_error(diag, csv_place(csv, odd->row, column), NULL,
               "column '%s' holds a number in other rows, here %s", csv->name[column], here.text);
    return false;
}

/* The rank of each word, by its number; NAN for the empty one, which names nothing. */
static double *words_ranked(struct vocabulary *all, struct rank_names *names) {
    double *rank = memory_zeroed(all->count, sizeof *rank);
    qsort(all->word, all->count, sizeof *all->word, alphabetical);
    for (size_t w = 0; w < all->count; w++) {
        rank_names_add(names, all->word[w].text);
        rank[all->word[w].number] = all->word[w].text[0] ? (double)w : (double)NAN;
    }
    return rank;
}

static bool read_words(struct row_labels *labels, const struct csv *csv, size_t column, struct diag *diag) {
    struct vocabulary all = words_of(csv, column);
    bool alone = words_alone(csv, column, &all, diag);
    double *rank = alone ? words_ranked(&all, &labels->names) : NULL;
    for (size_t r = 0; alone && r < csv->rows; r++)
        labels->label[r] = rank[all.number[r]];
    free(rank);
    free(all.word);
    free(all.number);
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
