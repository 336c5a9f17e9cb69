#include "measured.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void file_path(const struct measured *measured, char path[96]) {
    snprintf(path, 96, "%s/t.csv", measured->folder);
}

struct measured measured_new(const char *text) {
    struct measured measured = {.folder = "/tmp/laggard-delay-XXXXXX"};
    char path[96];
    if (!mkdtemp(measured.folder))
        abort();
    file_path(&measured, path);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
    return measured;
}

void measured_remove_file(const struct measured *measured) {
    char path[96];
    file_path(measured, path);
    unlink(path);
}

void measured_free(const struct measured *measured) {
    measured_remove_file(measured);
    rmdir(measured->folder);
}
