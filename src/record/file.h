/* file.h: a file that is whole or is not there. Knows nothing of what it holds. */
#ifndef LAGGARD_FILE_H
#define LAGGARD_FILE_H
#include <stdbool.h>
#include <stddef.h>

/* Makes the file at `path`, or replaces what stands there, by writing `path`.partial and renaming it. False, with
 * errno set and `path` as it was, when that fails. A link named `path` is replaced, not followed. */
bool file_replace(const char *path, const char *text, size_t length);
#endif
