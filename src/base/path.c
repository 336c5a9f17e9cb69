#include "path.h"
#include "memory.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *real(const char *path);

/* Where the folder that holds `path` really is; `name` is set to the rest of `path`. */
static char *real_parent(char *path, const char **name) {
    char *slash = strrchr(path, '/');
    *name = slash == NULL ? path : slash + 1;
    if (slash == NULL)
        return real(".");
    if (slash == path)
        return memory_text("/");
    *slash = '\0';
    return real(path);
}

/* `name` below `folder`, which is absolute and without links. Frees `folder`. */
static char *below(char *folder, const char *name) {
    if (*name == '\0' || strcmp(name, ".") == 0)
        return folder;
    if (strcmp(name, "..") == 0) {
        char *slash = strrchr(folder, '/');
        slash[slash == folder] = '\0';
        return folder;
    }
    size_t length = strlen(folder);
    const char *slash = folder[length - 1] == '/' ? "" : "/";
    folder = memory_resized(folder, length + strlen(name) + 2, 1);
    sprintf(folder + length, "%s%s", slash, name);
    return folder;
}

/* The absolute path without links, also of a file that does not exist yet: what exists is resolved, the rest kept. */
static char *real(const char *path) {
    char *known = realpath(path, NULL);
    if (known != NULL)
        return known;
    if (strcmp(path, ".") == 0 || strcmp(path, "/") == 0)
        return memory_text("/");
    char *copy = memory_text(path);
    const char *name;
    char *folder = real_parent(copy, &name);
    char *whole = below(folder, name);
    free(copy);
    return whole;
}

/* As `real`, but a link that is the target itself keeps its name. */
static char *real_place(const char *target) {
    char *copy = memory_text(target);
    const char *name;
    char *folder = real_parent(copy, &name);
    char *whole = below(folder, name);
    free(copy);
    return whole;
}

/* The length of the folders that both begin with, the slash after them included where there is one. */
static size_t shared_length(const char *a, const char *b) {
    size_t shared = 0;
    for (size_t i = 0;; i++) {
        bool a_ends = a[i] == '\0' || a[i] == '/', b_ends = b[i] == '\0' || b[i] == '/';
        if (a_ends && b_ends)
            shared = i;
        if (a[i] != b[i] || a[i] == '\0')
            return shared;
    }
}

char *path_relative(const char *folder, const char *target) {
    char *from = real(folder), *to = real_place(target);
    size_t shared = shared_length(from, to);
    const char *up = from + shared + strspn(from + shared, "/"),
               *down = to + shared + strspn(to + shared, "/");
    char *path = memory_zeroed(3 * strlen(up) + strlen(down) + 2, 1);
    for (; *up != '\0'; up += strspn(up, "/")) {
        strcat(path, *path == '\0' ? ".." : "/..");
        up += strcspn(up, "/");
    }
    if (*down != '\0' && *path != '\0')
        strcat(path, "/");
    strcat(path, down);
    if (*path == '\0')
        strcpy(path, ".");
    free(from);
    free(to);
    return path;
}
