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
/* Opens `path`.partial as an earlier run left it, and locks it. NULL after writing why: there is none, another run is writing
 * it, it is not a results folder, or `path` exists and may not be replaced. */
struct folder *folder_reopen(const char *path, enum replacing replacing, struct sentence *why);
/* Appends to a file of the folder (made when absent): with the system when it returns, on the disk after folder_sync or
 * folder_finish. False after an I/O error; the first is remembered. */
bool folder_append(struct folder *folder, const char *name, const char *text, size_t length);
/* Cuts a file that is appended to (made when absent) to its first `length` bytes; of none, it is removed. False as in folder_append. */
bool folder_cut(struct folder *folder, const char *name, uint64_t length);
/* Waits until what was appended to a file is on the disk; NULL: the names in the folder. False as in folder_append. */
bool folder_sync(struct folder *folder, const char *name);
bool folder_has(const struct folder *folder, const char *name);
/* Puts `successor`, another file of the folder, in the place of `name`. False as in folder_append. */
bool folder_supersede(struct folder *folder, const char *name, const char *successor);
/* Writes a whole file through a temporary name, over an earlier one of that name; not for files that are appended to.
 * False as in folder_append. */
bool folder_write(struct folder *folder, const char *name, const char *text, size_t length);
/* Where files stand now: `path`.partial, after folder_finish `path`. */
const char *folder_path(const struct folder *folder);
/* Syncs, renames to the final name, removes what was replaced. False after writing why, be it an earlier error of
 * folder_append or folder_write. */
bool folder_finish(struct folder *folder, struct sentence *why);
/* The first I/O error so far, as a sentence; empty: none. */
const char *folder_failure(const struct folder *folder);
/* Leaves an unfinished folder in place, marked incomplete by its name; NULL is fine. */
void folder_free(struct folder *folder);
#endif
