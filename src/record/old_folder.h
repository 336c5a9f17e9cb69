/* old_folder.h: results folders that are in the way of new ones: which may go, and how. Links are never followed, and
 * nothing is removed but files of the kinds that a results folder holds. */
#ifndef LAGGARD_OLD_FOLDER_H
#define LAGGARD_OLD_FOLDER_H
#include "diag.h"

/* `path` is a folder (not a link to one) that is empty, or holds a manifest.json and nothing but results: files named
 * as results are, there and in `figures`. False after writing why it must stay. */
bool old_folder_replaceable(const char *path, struct sentence *why);
/* Removes such a folder. False after writing why something is left of it. */
bool old_folder_remove(const char *path, struct sentence *why);
#endif
