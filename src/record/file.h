/* file.h: a file that is whole or is not there. Knows nothing of what it holds. */
#ifndef LAGGARD_FILE_H
#define LAGGARD_FILE_H
#include <stdbool.h>
#include <stddef.h>

/* Writes all of it to an open file; false with errno set. */
bool file_write(int file, const char *text, size_t length);
/* Makes the file at `path`, or replaces what stands there, by writing `path`.partial and renaming it once it is on the disk. False, with
 * errno set and `path` as it was, when that fails. A link named `path` is replaced, not followed. */
bool file_replace(const char *path, const char *text, size_t length);
#endif
