#include "origin.h"
#include "csv_file.h"
#include <stdlib.h>
#include <string.h>

/* The name of the folder without what marks it unfinished. */
static const char *folder_name(struct arena *arena, const char *folder) {
    char *path = arena_text(arena, folder, strlen(folder));
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        path[--length] = '\0';
    char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
    char *dot = strrchr(name, '.');
    if (dot != NULL && strcmp(dot, ".partial") == 0)
        *dot = '\0';
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ? "" : name;
}

/* The byte at *text, which may be escaped (quotes, backslashes and, as blanks here, control bytes), and past it. */
static char next_byte(const char **text) {
    const char *from = *text + (**text == '\\' ? 1 : 0);
    bool control = from != *text && *from == 'u';
    *text = from + (control ? strnlen(from, 5) : strnlen(from, 1));
    return control ? ' ' : *from;
}

/* The manifest's name; NULL where it has none. */
static const char *given_name(struct arena *arena, const char *manifest) {
    static const char key[] = "\n  \"name\": \"";
    const char *found = strstr(manifest, key);
    if (found == NULL)
        return NULL;
    const char *text = found + strlen(key);
    char *name = arena_zeroed(arena, strlen(text) + 1, 1);
    for (size_t length = 0; *text != '\0' && *text != '"'; length++)
        name[length] = next_byte(&text);
    return *text == '"' && *name != '\0' ? name : NULL;
}

struct origin origin_of(struct arena *arena, const char *folder) {
    struct origin origin = {.name = folder_name(arena, folder)};
    struct diag *unheard = diag_new();
    size_t length;
    char *manifest = file_text(unheard, arena_format(arena, "%s/manifest.json", folder), &length);
    if (manifest != NULL) {
        const char *name = given_name(arena, manifest);
        origin.name = name == NULL ? origin.name : name;
        origin.complete = strstr(manifest, "\"complete\": true") != NULL;
    }
    free(manifest);
    diag_free(unheard);
    return origin;
}
