/* folder.h: a results folder that is complete or says that it is not. Files are written under NAME.partial beside the
 * final NAME and renamed at the end; an existing folder is replaced only when asked, and only once the new one is
 * complete. Knows nothing of what the files hold. */
#ifndef LAGGARD_FOLDER_H
#define LAGGARD_FOLDER_H
#include "diag.h"
#include <stdio.h>

enum replacing { KEEP_EXISTING, REPLACE_EXISTING };

struct folder;
/* Makes `path`.partial (parents included) and locks it. NULL after writing why: `path` exists and may not be replaced,
 * another run is writing it, an unfinished `path`.partial stands there and may not be replaced, not writable… With REPLACE_EXISTING only a folder
 * that is empty, or holds a manifest.json and nothing but results, is ever replaced: write the manifest first, so that
 * an unfinished folder can be replaced too. */
struct folder *folder_new(const char *path, enum replacing replacing, struct sentence *why);
/* Appends to a file of the folder (made when absent). Buffered until folder_finish. False after an I/O error; the first
 * is remembered. */
bool folder_append(struct folder *folder, const char *name, const char *text, size_t length);
/* Writes a whole file through a temporary name, over an earlier one of that name; not for files that are appended to.
 * False as in folder_append. */
bool folder_write(struct folder *folder, const char *name, const char *text, size_t length);
/* Where files stand now: `path`.partial, after folder_finish `path`. */
const char *folder_path(const struct folder *folder);
/* Flushes, renames to the final name, removes what was replaced. False after writing why, be it an earlier error of
 * folder_append or folder_write. */
bool folder_finish(struct folder *folder, struct sentence *why);
/* Leaves an unfinished folder in place, marked incomplete by its name; NULL is fine. */
void folder_free(struct folder *folder);
#endif
