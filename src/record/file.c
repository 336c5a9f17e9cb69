#include "file.h"
#include "memory.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool file_write(int file, const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(file, text, length);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        }
    }
    return true;
}

/* A new file at `path`; what an earlier, interrupted write left there is dropped. */
static bool write_new(const char *path, const char *text, size_t length) {
    if (unlink(path) != 0 && errno != ENOENT)
        return false;
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0)
        return false;
    bool written = file_write(file, text, length) && fsync(file) == 0;
    int cause = errno;
    if (close(file) != 0 && written)
        return false;
    errno = cause;
    return written;
}

bool file_replace(const char *path, const char *text, size_t length) {
    size_t path_length = strlen(path);
    char *partial = memory_zeroed(path_length + sizeof ".partial", 1);
    memcpy(partial, path, path_length);
    memcpy(partial + path_length, ".partial", sizeof ".partial");
    bool replaced = write_new(partial, text, length) && rename(partial, path) == 0;
    int cause = errno;
    if (!replaced)
        unlink(partial);
    free(partial);
    errno = cause;
    return replaced;
}
