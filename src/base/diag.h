/* diag.h: what is wrong with a user's input, and where.
 * Collects located sentences so that all of a file's mistakes are told at once; knows no file format. */
#ifndef LAGGARD_DIAG_H
#define LAGGARD_DIAG_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A position in a user's file, which a diag copies. Line 0: the file as a whole; column 0: the line. */
struct place {
    const char *file;
    uint32_t line, column;
};

struct diag;
struct diag *diag_new(void);
void diag_free(struct diag *diag);

/* Adds `file:line:column: error: path: sentence`. `path` (a key path such as cluster.workers[1].count) may be
 * NULL or empty. A message equal to an earlier one is kept once. Control bytes in the sentence are shown escaped. */
void diag_error(struct diag *diag, struct place place, const char *path, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_warning(struct diag *diag, struct place place, const char *path, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

size_t diag_errors(const struct diag *diag);
/* Errors at places of one file. */
size_t diag_errors_in(const struct diag *diag, const char *file);

/* Adds the first error of `other` as a warning at its place, `prefix` in front of its sentence: for mistakes in what may
 * be left out. */
void diag_excuse(struct diag *diag, const struct diag *other, const char *prefix);

/* Writes all messages by file (in order of first mention), line and column; at most 50, then how many more.
 * Coloured only when `stream` is a terminal and NO_COLOR is unset or empty. */
void diag_print(const struct diag *diag, FILE *stream);

/* Writes a text with its control characters escaped: what a user's file holds might clear a terminal. */
void diag_print_text(const char *text, FILE *stream);

/* A sentence in the making: how a check tells its caller why it refuses. */
struct sentence {
    char text[320];
};
/* Writes the sentence (cut where it is too long). */
void sentence_set(struct sentence *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What a noun takes after this count: "" of one, else "s". */
const char *plural(size_t count);

/* The entry of `names` (ended by NULL) nearest to `word`: at most two edits away, one where either has two or three
 * letters, none but of case where either has one; or NULL. */
const char *nearest_name(const char *word, const char *const *names);
#endif
