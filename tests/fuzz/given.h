/* given.h: what every fuzzer does: it hands bytes to a reader as a file, and looks at what the reader tells of them. A
 * reader that refuses without a place, or tells nothing, is taken for a crash. */
#ifndef LAGGARD_FUZZ_GIVEN_H
#define LAGGARD_FUZZ_GIVEN_H
#include "tree.h"
#include <stddef.h>
#include <stdint.h>

/* libFuzzer's: called for every input. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* The name of a file that holds the bytes until the next call: of a nameless one, in memory. */
const char *given_file(const uint8_t *bytes, size_t length);

/* A mapping of texts: key, text, …, NULL. */
struct node *given_mapping(struct arena *arena, const char *const *pairs);

/* `refused` inputs have a mistake, others none, and each mistake is one line at a line and column of some file, but for
 * those of a file as a whole. */
void expect_places(const struct diag *diag, bool refused);

/* Says what does not hold and ends the program as a crash does. */
_Noreturn void fault(const char *what, const char *text);
#endif
