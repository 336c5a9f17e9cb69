/* scratch.h: a temporary folder of a test and the files in it. Names are relative to the folder; a mistake of the test
 * itself ends it. */
#ifndef LAGGARD_SCRATCH_H
#define LAGGARD_SCRATCH_H
#include <stdbool.h>
#include <stddef.h>

struct scratch {
    char folder[64];
};
struct scratch scratch_new(void);
/* Removes the folder with all it holds. */
void scratch_free(struct scratch *scratch);

/* FOLDER/NAME, valid for the next 8 calls. */
const char *scratch_path(const struct scratch *scratch, const char *name);
void scratch_make_folder(const struct scratch *scratch, const char *name);
void scratch_write(const struct scratch *scratch, const char *name, const char *text);
bool scratch_has(const struct scratch *scratch, const char *name);
/* The file's text, heap; NULL when there is none. */
char *scratch_text(const struct scratch *scratch, const char *name);
/* The file holds exactly this. */
bool scratch_holds(const struct scratch *scratch, const char *name, const char *text);
#endif
