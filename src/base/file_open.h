/* file_open.h: opens for reading what a stranger may have put there. A named pipe that nobody writes to, or a device, would
 * keep the program waiting for ever. */
#ifndef LAGGARD_FILE_OPEN_H
#define LAGGARD_FILE_OPEN_H
#include "diag.h"

/* A descriptor of a regular file, closed by the caller; -1 after writing why not, to be read after the file's name. */
int file_open(const char *file, struct sentence *why);
/* The same; pipes without a name are taken too, as of a shell's <(…) or `… | laggard check /dev/stdin`: they have a writer.
 * They can be read once. */
int file_or_pipe_open(const char *file, struct sentence *why);
#endif
