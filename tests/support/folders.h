/* folders.h: two results folders, byte for byte. */
#ifndef LAGGARD_TESTS_FOLDERS_H
#define LAGGARD_TESTS_FOLDERS_H
#include "scratch.h"

/* Both have the same files with the same bytes, but for manifest.json. What differs is told, after `name`. */
void expect_same_folders(const struct scratch *scratch, const char *one, const char *other, const char *name);
/* Runs the program; ends the test unless it exits with 0. Arguments as text, separated by single blanks. */
void run_well(const struct scratch *scratch, const char *arguments);
/* Runs it so; what it left behind is freed with outcome_fini. */
struct outcome run_words(const struct scratch *scratch, const char *arguments);
/* The words of such a text, ended by NULL; valid until the next call. */
const char *const *words_of(const char *arguments);
#endif
