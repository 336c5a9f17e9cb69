#include "given.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

_Noreturn void fault(const char *what, const char *text) {
    fprintf(stderr, "%s: %s\n", what, text);
    abort();
}

const char *given_file(const uint8_t *bytes, size_t length) {
    static int file = -1;
    static char name[32];
    if (file < 0)
        file = memfd_create("given", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, bytes, length, 0) != (ssize_t)length)
        fault("no file", "in memory");
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    return name;
}

struct node *given_mapping(struct arena *arena, const char *const *pairs) {
    static const struct place place = {.file = "given", .line = 1, .column = 1};
    struct node *mapping = node_mapping(arena, place);
    for (; *pairs; pairs += 2)
        node_append(arena, mapping, pairs[0], node_scalar(arena, place, pairs[1]));
    return mapping;
}

/* `FILE:LINE:COLUMN: error: …`, a warning too. */
static bool has_place(const char *line) {
    const char *kind = strstr(line, ": error: ");
    unsigned row = 0, column = 0;
    int length = 0;
    kind = kind ? kind : strstr(line, ": warning: ");
    for (const char *colon = strchr(line, ':'); kind && colon && colon < kind; colon = strchr(colon + 1, ':'))
        if (sscanf(colon, ":%u:%u%n", &row, &column, &length) == 2 && row > 0 && column > 0 &&
            colon + length == kind)
            return true;
    return false;
}

/* What is said of a file as a whole, or of one worker's whole column of it. */
static bool is_of_whole(const char *line) {
    static const char *const wholes[] = {": error: holds no values",
                                         ": error: the file is empty",
                                         ": error: there are no rows below the header line",
                                         ": error: the file has no rows",
                                         ": error: no row has a feature",
                                         ": error: the compressed file is ",
                                         ": error: cannot be read: ",
                                         ", mostly holes: are these the columns",
                                         " has no value at all, so no median",
                                         ": error: the trace has no value for any worker",
                                         ": error: the trace has no column of a worker",
                                         ": values too large or too small to be standardized",
                                         NULL};
    for (const char *const *whole = wholes; *whole; whole++)
        if (strstr(line, *whole))
            return true;
    return false;
}

void expect_places(const struct diag *diag, bool refused) {
    char *text = NULL;
    size_t length = 0;
    if (refused != (diag_errors(diag) > 0))
        fault("refused without a mistake, or taken in spite of one", refused ? "refused" : "taken");
    if (!refused)
        return;
    FILE *stream = open_memstream(&text, &length);
    diag_print(diag, stream);
    fclose(stream);
    for (char *line = text, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        bool counted = strncmp(line, "and ", 4) == 0; /* how many more there are */
        if (!counted && !has_place(line) && !is_of_whole(line))
            fault("a mistake without a place", line);
    }
    free(text);
}
