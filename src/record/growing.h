/* growing.h: files of a folder that grow by whole blocks. A block is handed to the system when it is added, so that it
 * outlives this process; growing_sync makes it outlive a power cut. Knows nothing of what the files hold. */
#ifndef LAGGARD_GROWING_H
#define LAGGARD_GROWING_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct growing_file {
    char *name;
    int file;
    bool dirty; /* grown since it was last synced */
};
struct growing {
    const char *folder; /* must outlive it */
    struct growing_file *file;
    size_t files;
};
/* All return false with errno set. The file is made when it is not there. */
bool growing_append(struct growing *growing, const char *name, const char *text, size_t length);
/* Cuts a file (made when absent) to its first `length` bytes, from where it grows; of none, it is removed. */
bool growing_cut(struct growing *growing, const char *name, uint64_t length);
bool growing_sync(struct growing *growing, const char *name);
/* Whether it has been grown or cut. */
bool growing_has(const struct growing *growing, const char *name);
/* Closes one, or all; a full disk may show only here. */
bool growing_close(struct growing *growing, const char *name);
bool growing_close_all(struct growing *growing);
#endif
