#include "folders.h"
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 30, PATH_BYTES = 512 };

const char *const *words_of(const char *arguments) {
    static char text[1024];
    static const char *word[WORDS + 1];
    size_t words = 0;
    cr_assert(strlen(arguments) < sizeof text);
    strcpy(text, arguments);
    for (char *at = strtok(text, " "); at && words < WORDS; at = strtok(NULL, " "))
        word[words++] = at;
    word[words] = NULL;
    return word;
}

struct outcome run_words(const struct scratch *scratch, const char *arguments) {
    return scratch_run(scratch, words_of(arguments));
}

void run_well(const struct scratch *scratch, const char *arguments) {
    struct outcome outcome = run_words(scratch, arguments);
    cr_assert(outcome.exit_code == 0, "%s: exit %d: %s", arguments, outcome.exit_code, outcome.err);
    outcome_fini(&outcome);
}

/* The whole file; `length` is 0 and the text NULL where there is none. */
static char *bytes_of(const struct scratch *scratch, const char *folder, const char *name, size_t *length) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s/%s", scratch->path, folder, name);
    FILE *file = fopen(path, "r");
    char *bytes = NULL;
    *length = 0;
    for (size_t got = file != NULL; got > 0; *length += got) {
        bytes = realloc(bytes, *length + 65536);
        got = fread(bytes + *length, 1, 65536, file);
        if (got == 0)
            break;
    }
    if (file)
        fclose(file);
    return bytes;
}

static void expect_same_bytes(const struct scratch *scratch, const char *const folder[2], const char *file,
                              const char *name) {
    size_t length[2], at = 0;
    char *bytes[2];
    for (size_t k = 0; k < 2; k++)
        bytes[k] = bytes_of(scratch, folder[k], file, &length[k]);
    while (bytes[0] && bytes[1] && at < length[0] && at < length[1] && bytes[0][at] == bytes[1][at])
        at++;
    cr_expect(bytes[0] && bytes[1] && length[0] == length[1] && at == length[0],
              "%s: %s has %zu bytes in %s and %zu in %s; they differ at byte %zu", name, file, length[0],
              folder[0], length[1], folder[1], at);
    free(bytes[0]);
    free(bytes[1]);
}

static size_t compare_with(const struct scratch *scratch, const char *const folder[2], const char *name) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", scratch->path, folder[0]);
    DIR *listing = opendir(path);
    size_t files = 0;
    cr_assert(listing != NULL, "%s: no folder %s", name, folder[0]);
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;)
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "manifest.json") != 0) {
            expect_same_bytes(scratch, folder, entry->d_name, name);
            files++;
        }
    closedir(listing);
    return files;
}

void expect_same_folders(const struct scratch *scratch, const char *one, const char *other,
                         const char *name) {
    const char *const there[2] = {one, other}, *const back[2] = {other, one};
    cr_expect(compare_with(scratch, there, name) >= 5, "%s: %s holds next to nothing", name, one);
    compare_with(scratch, back, name);
}
