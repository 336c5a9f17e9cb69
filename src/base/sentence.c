#include "diag.h"
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

/* Longer words are nobody's slip of the finger. */
#define LONGEST 64

const char *plural(size_t count) {
    return count == 1 ? "" : "s";
}

void sentence_set(struct sentence *why, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(why->text, sizeof why->text, format, list);
    va_end(list);
    if (length < 0 || (size_t)length < sizeof why->text)
        return;
    /* Cut before the first byte of the last character: half of one is not UTF-8. */
    size_t end = sizeof why->text - 1;
    while (end > 0 && ((unsigned char)why->text[end - 1] & 0xC0) == 0x80)
        end--;
    if (end > 0 && (unsigned char)why->text[end - 1] >= 0xC0)
        end--;
    why->text[end] = '\0';
}

static bool letters_equal(char a, char b) {
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Edits (insert, delete, replace, swap neighbours) between two words of at most LONGEST letters; case is free.
 * edits[a][b] is the distance between the first a and the first b letters. */
static size_t word_distance(const char *from, const char *to) {
    size_t edits[LONGEST + 1][LONGEST + 1];
    size_t rows = strlen(from), columns = strlen(to);
    for (size_t a = 0; a <= rows; a++)
        edits[a][0] = a;
    for (size_t b = 0; b <= columns; b++)
        edits[0][b] = b;
    for (size_t a = 1; a <= rows; a++)
        for (size_t b = 1; b <= columns; b++) {
            size_t replace = edits[a - 1][b - 1] + !letters_equal(from[a - 1], to[b - 1]);
            size_t best = least(replace, least(edits[a - 1][b], edits[a][b - 1]) + 1);
            if (a > 1 && b > 1 && letters_equal(from[a - 1], to[b - 2]) &&
                letters_equal(from[a - 2], to[b - 1]))
                best = least(best, edits[a - 2][b - 2] + 1);
            edits[a][b] = best;
        }
    return edits[rows][columns];
}

static size_t letters_of(const char *word) {
    size_t letters = 0;
    for (; *word; word++)
        letters += ((unsigned char)*word & 0xC0) != 0x80;
    return letters;
}

/* A single letter is near to every other, so it must be met. */
static size_t edits_allowed(const char *word) {
    size_t letters = letters_of(word);
    return letters < 2 ? 0 : letters < 4 ? 1 : 2;
}

const char *nearest_name(const char *word, const char *const *names) {
    if (strlen(word) > LONGEST)
        return NULL;
    size_t allowed = edits_allowed(word);
    const char *nearest = NULL;
    for (size_t n = 0; names[n]; n++) {
        if (strlen(names[n]) > LONGEST)
            continue;
        size_t distance = word_distance(word, names[n]);
        if (distance > allowed || distance > edits_allowed(names[n]) || (nearest && distance == allowed))
            continue;
        nearest = names[n];
        allowed = distance;
    }
    return nearest;
}
