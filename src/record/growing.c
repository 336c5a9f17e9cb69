#include "growing.h"
#include "file.h"
#include "memory.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct growing_file *find(const struct growing *growing, const char *name) {
    for (size_t f = 0; f < growing->files; f++)
        if (strcmp(growing->file[f].name, name) == 0)
            return &growing->file[f];
    return NULL;
}

/* Closes what is none: it was put there by somebody else. */
static bool is_regular(int file) {
    struct stat entry;
    bool regular = fstat(file, &entry) == 0 && S_ISREG(entry.st_mode);
    if (!regular) {
        close(file);
        errno = EEXIST;
    }
    return regular;
}

static struct growing_file *opened(struct growing *growing, const char *name) {
    struct growing_file *found = find(growing, name);
    if (found != NULL)
        return found;
    char *path = memory_format("%s/%s", growing->folder, name);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    free(path);
    if (file < 0 || !is_regular(file))
        return NULL;
    growing->file = memory_resized(growing->file, growing->files + 1, sizeof *growing->file);
    found = &growing->file[growing->files++];
    *found = (struct growing_file){memory_text(name), file, true};
    return found;
}

bool growing_append(struct growing *growing, const char *name, const char *text, size_t length) {
    struct growing_file *file = opened(growing, name);
    if (file == NULL)
        return false;
    file->dirty |= length > 0;
    return file_write(file->file, text, length);
}

static bool removed(struct growing *growing, const char *name) {
    char *path = memory_format("%s/%s", growing->folder, name);
    bool gone = growing_close(growing, name) && (unlink(path) == 0 || errno == ENOENT);
    int cause = errno;
    free(path);
    errno = cause;
    return gone;
}

bool growing_cut(struct growing *growing, const char *name, uint64_t length) {
    if (length == 0)
        return removed(growing, name);
    struct growing_file *file = opened(growing, name);
    return file != NULL && ftruncate(file->file, (off_t)length) == 0;
}

bool growing_sync(struct growing *growing, const char *name) {
    struct growing_file *file = find(growing, name);
    if (file == NULL || !file->dirty)
        return true;
    file->dirty = false;
    return fsync(file->file) == 0;
}

bool growing_has(const struct growing *growing, const char *name) {
    return find(growing, name) != NULL;
}

bool growing_close(struct growing *growing, const char *name) {
    struct growing_file *file = find(growing, name);
    if (file == NULL)
        return true;
    bool closed = close(file->file) == 0;
    int cause = errno;
    free(file->name);
    *file = growing->file[--growing->files];
    errno = cause;
    return closed;
}

bool growing_close_all(struct growing *growing) {
    bool closed = true;
    while (growing->files > 0)
        closed &= growing_close(growing, growing->file[0].name);
    free(growing->file);
    growing->file = NULL;
    return closed;
}
