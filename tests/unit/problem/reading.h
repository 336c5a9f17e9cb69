/* reading.h: reads a data set as a scenario would, for tests, from settings in one line. */
#ifndef LAGGARD_READING_H
#define LAGGARD_READING_H
#include "dataset.h"

/* What was read, and what was told. Freed with reading_fini. */
struct reading {
    struct arena *arena;
    struct diag *diag;
    struct dataset *dataset; /* NULL when it was refused */
    char *told;              /* what diag prints; places are s.yaml:1:1 */
};

/* How data are asked for beside their own settings. */
struct asked {
    uint64_t seed;
    enum label_kind labels;
    bool shuffle;
};

/* `settings` are key=value pairs separated by spaces; a value with | is a list. */
struct reading reading_of(const char *settings, const struct asked *asked);
void reading_fini(struct reading *reading);

/* A file of the folder that LAGGARD_SHARED names (left out: ../shared beside the source); NULL when it is absent. */
const char *shared_file(const char *name);

/* Writes a text to a temporary file; its path. The file is removed at the end of the test process. */
const char *file_with(const char *text);
#endif
