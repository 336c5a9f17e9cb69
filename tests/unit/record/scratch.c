#include "scratch.h"
#include <assert.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct scratch scratch_new(void) {
    struct scratch scratch = {"/tmp/laggard-XXXXXX"};
    assert(mkdtemp(scratch.folder) != NULL);
    return scratch;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    return remove(path);
}

void scratch_free(struct scratch *scratch) {
    nftw(scratch->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

const char *scratch_path(const struct scratch *scratch, const char *name) {
    static char paths[8][256];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", scratch->folder, name);
    return path;
}

void scratch_make_folder(const struct scratch *scratch, const char *name) {
    assert(mkdir(scratch_path(scratch, name), 0777) == 0);
}

void scratch_write(const struct scratch *scratch, const char *name, const char *text) {
    FILE *file = fopen(scratch_path(scratch, name), "w");
    assert(file != NULL);
    fputs(text, file);
    fclose(file);
}

bool scratch_has(const struct scratch *scratch, const char *name) {
    struct stat status;
    return lstat(scratch_path(scratch, name), &status) == 0;
}

char *scratch_text(const struct scratch *scratch, const char *name) {
    FILE *file = fopen(scratch_path(scratch, name), "r");
    if (file == NULL)
        return NULL;
    char *text = NULL;
    size_t capacity = 0;
    if (getdelim(&text, &capacity, '\0', file) < 0 && text != NULL)
        text[0] = '\0';
    fclose(file);
    return text;
}

bool scratch_holds(const struct scratch *scratch, const char *name, const char *text) {
    char *held = scratch_text(scratch, name);
    bool same = held != NULL && strcmp(held, text) == 0;
    free(held);
    return same;
}
